package db_test

import (
	"context"
	"testing"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// What a transaction costs beside its statements, of which this one has none.
func BenchmarkTransaction(b *testing.B) {
	database := pgtest.New(b)
	store, err := db.Open(b.Context(), database.AppURL, db.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	scope := db.Scope{Organization: db.NewID()}
	nothing := func(context.Context, *db.Queries) error { return nil }
	b.ReportAllocs()
	for b.Loop() {
		if err := store.Read(b.Context(), scope, nothing); err != nil {
			b.Fatal(err)
		}
	}
}
