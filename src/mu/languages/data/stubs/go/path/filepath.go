package filepath

import "io/fs"

type WalkFunc func(path string, info fs.FileInfo, err error) error

func Walk(root string, fn func(path string, info fs.FileInfo, err error) error) error
func WalkDir(root string, fn func(path string, d fs.DirEntry, err error) error) error
