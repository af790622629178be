"""The client of the daemon: `DaemonClient`, and where a daemon says how it is reached."""

from mu.client.daemon_client import DaemonClient, DaemonError, NotServedError

__all__ = ["DaemonClient", "DaemonError", "NotServedError"]
