package db

import "context"

// SettingOf reads a setting of the server as the store's connections have it.
func SettingOf(ctx context.Context, s *Store, name string, into *string) error {
	return s.pool.QueryRow(ctx, "SELECT current_setting($1)", name).Scan(into)
}

// SettingWithin reads a setting of the server as a transaction of the store has it.
func SettingWithin(ctx context.Context, s *Store, scope Scope, name string) (value string, err error) {
	err = s.Read(ctx, scope, func(ctx context.Context, q *Queries) error {
		return q.db.QueryRow(ctx, "SELECT coalesce(current_setting($1, true), '')", name).Scan(&value)
	})
	return value, err
}

// MigrateFrom lets tests bring migrations of their own.
var MigrateFrom = migrateFrom

// As is the same store, pool and gate in a program of another release.
func (s *Store) As(release int32) *Store {
	other := *s
	other.release = release
	return &other
}
