"""What a build reads: source files, package manifests, and the commit that is checked out."""
