//go:build race

package db_test

// raceDetector says that it watches: what has one goroutine and takes long is left out then, and tested without it.
const raceDetector = true
