; What a test tells of a name where it holds, asked of one node at a time.

(binary_expression left: (identifier) @target operator: "instanceof" right: (_) @type) @test.type
(unary_expression operator: "!" argument: (_) @of) @test.not
(parenthesized_expression (_) @of) @test.same
(binary_expression left: (_) @of operator: "&&" right: (_) @of) @test.both
(binary_expression left: (_) @of operator: "||" right: (_) @of) @test.either
