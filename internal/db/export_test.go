package db

// MigrateFrom lets tests bring migrations of their own.
var MigrateFrom = migrateFrom

// As is the same store, pool and gate in a program of another release.
func (s *Store) As(release int32) *Store {
	other := *s
	other.release = release
	return &other
}
