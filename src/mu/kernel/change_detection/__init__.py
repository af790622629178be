"""Compare a folder with its graph: by file times and sizes, by digests, by build inputs."""
