"""The MCP server: the graph as tools of a coding assistant."""
