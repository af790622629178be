; Which ways control takes through a text: what tests tell of names goes along them.

(if_statement condition: (_) @test consequence: (_) @then) @flow.choice
(if_statement alternative: (_) @other) @flow.choice
(else_clause) @flow.clause

(ternary_expression
  condition: (_) @test consequence: (_) @then alternative: (_) @other) @flow.operand
(binary_expression left: (_) @test operator: "&&" right: (_) @then) @flow.operand
(binary_expression left: (_) @test operator: "||" right: (_) @other) @flow.operand

(for_statement body: (_) @then) @flow.loop
(for_in_statement body: (_) @then) @flow.loop
(while_statement condition: (_) @test body: (_) @then) @flow.loop
(do_statement body: (_) @then) @flow.loop

(try_statement body: (_) @then) @flow.try
(try_statement handler: (_) @handler) @flow.try
(try_statement finalizer: (_) @last) @flow.try
(switch_case body: (_) @then) @flow.inside
(switch_default body: (_) @then) @flow.inside
(labeled_statement body: (_) @then) @flow.inside

[(return_statement) (throw_statement) (continue_statement) (break_statement)] @flow.end
