//go:build kakeai_next_release

package db

// ahead makes this build the release after its own, for tests of rolling upgrades. It is a constant of the build, so nothing that an
// operator sets can lift a program over the fence.
const ahead = 1
