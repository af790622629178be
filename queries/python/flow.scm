; Which ways control takes through a text.

(if_statement condition: (_) @test consequence: (_) @then) @flow.choice
(if_statement alternative: (_) @other) @flow.choice
(elif_clause condition: (_) @test consequence: (_) @then) @flow.also
(else_clause) @flow.clause
(except_clause (block) @then) @flow.clause

(conditional_expression . (_) @then (_) @test (_) @other .) @flow.operand
(boolean_operator left: (_) @test operator: "and" right: (_) @then) @flow.operand
(boolean_operator left: (_) @test operator: "or" right: (_) @other) @flow.operand

(for_statement body: (_) @then) @flow.loop
(for_statement alternative: (_) @other) @flow.loop
(while_statement condition: (_) @test body: (_) @then) @flow.loop
(while_statement alternative: (_) @other) @flow.loop

(try_statement body: (_) @then) @flow.try
(try_statement (except_clause) @handler) @flow.try
(try_statement (else_clause) @other) @flow.try
(try_statement (finally_clause) @last) @flow.try
(with_statement body: (_) @then) @flow.inside

(match_statement subject: (_) @test) @flow.match
(case_clause
  (case_pattern) @test guard: (if_clause)? @guard consequence: (_) @then) @flow.case

(assert_statement . (_) @test) @flow.require
(if_clause (_) @test) @flow.require

[(return_statement) (raise_statement) (continue_statement) (break_statement)] @flow.end
