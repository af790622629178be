"""What git knows of a repository: revisions, commits, authorship, changes; read by libgit2."""
