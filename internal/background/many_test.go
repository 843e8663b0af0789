//go:build !race

package background

const manyRequests = 100_000
