//go:build race

package background

const manyRequests = 1_000_000
