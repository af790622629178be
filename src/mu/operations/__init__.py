"""The verbs of MU: plain typed functions, `verb(workspace, arguments...)` to a frozen result.

All surfaces call these and decide nothing. `registry.OPERATIONS` lists them; nothing is imported
here, so that a command pays for its own operation only.
"""
