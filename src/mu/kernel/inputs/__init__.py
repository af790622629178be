"""The inputs of a build: source files, package manifests, and the commit that is checked out."""
