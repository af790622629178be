; What a test tells of a name where it holds, asked of one node at a time; patterns of `match` too.

(call function: (identifier) @check
  arguments: (argument_list . (identifier) @target . (_) @type .)) @test.type
(comparison_operator
  . (call function: (identifier) @check arguments: (argument_list . (identifier) @target .))
  operators: ["is" "=="] . (_) @type .) @test.type
(not_operator argument: (_) @of) @test.not
(parenthesized_expression (_) @of) @test.same
(boolean_operator left: (_) @of operator: "and" right: (_) @of) @test.both
(boolean_operator left: (_) @of operator: "or" right: (_) @of) @test.either

(case_pattern (_) @of) @test.same
(class_pattern . (dotted_name) @type (case_pattern)* @inside) @test.type
(union_pattern) @test.either
(as_pattern . (case_pattern) @of) @test.same
