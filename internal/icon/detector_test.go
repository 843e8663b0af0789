//go:build !race

package icon_test

const raceDetector = false
