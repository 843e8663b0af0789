//go:build !kakeai_next_release

package db

// ahead is how far a build is ahead of its source: not at all.
const ahead = 0
