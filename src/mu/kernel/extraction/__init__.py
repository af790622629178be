"""Facts of files, extracted in worker processes and collected by the build."""
