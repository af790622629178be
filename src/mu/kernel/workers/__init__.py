"""Worker processes: a supervised pool, its task queue, the frames on the pipes, and limits."""
