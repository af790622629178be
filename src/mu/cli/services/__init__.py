"""Commands for the agent, the daemon and the MCP server."""
