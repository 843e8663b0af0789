// Package schema holds the database's migrations, so that the program carries them.
package schema

import "embed"

// Migrations are dbmate's files, named by version, applied in the order of their names and never edited once released.
//
//go:embed *.sql
var Migrations embed.FS
