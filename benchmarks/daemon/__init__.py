"""What the daemon stands, and what it costs: clients, latency, memory, deaths, freshness."""
