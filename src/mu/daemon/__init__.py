"""The daemon: serves workspaces over HTTP on the loopback interface, and follows their files."""
