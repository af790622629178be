"""Which tests a change can affect: what it reaches, and how tests come to it."""
