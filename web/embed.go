// Package web holds the built browser application, if there was one when the program was compiled.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var built embed.FS

// Files returns the built application, with index.html at its root. A program that was compiled without one has no index.html in it.
func Files() fs.FS {
	files, err := fs.Sub(built, "dist")
	if err != nil {
		panic(err) // the name is a constant
	}
	return files
}
