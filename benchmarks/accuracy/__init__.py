"""MU's call edges against what really ran: a trace of a package's own tests, and judged samples."""
