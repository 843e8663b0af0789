package rig

import (
	"context"
	"time"
)

// Buffers is how many buffers the server's ended sessions have touched, in memory or not. A session reports when it ends, so it waits for that.
func (r *Rig) Buffers(ctx context.Context) (n int64, err error) {
	for others := 1; others > 0; {
		err = r.Superuser.QueryRow(ctx, "SELECT count(*) FROM pg_stat_activity WHERE usename = 'kakeai_app'").Scan(&others)
		if err != nil {
			return 0, err
		}
		if others > 0 {
			time.Sleep(20 * time.Millisecond)
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	err = r.Superuser.QueryRow(ctx, "SELECT blks_hit + blks_read FROM pg_stat_database WHERE datname = current_database()").Scan(&n)
	return n, err
}

// WAL is where the log stands.
func (r *Rig) WAL(ctx context.Context) (position string, err error) {
	err = r.Superuser.QueryRow(ctx, "SELECT pg_current_wal_flush_lsn()::text").Scan(&position)
	return position, err
}

// WALSince is how many bytes of records were logged since a position, and how many of full-page images beside them.
func (r *Rig) WALSince(ctx context.Context, position string) (records, images float64, err error) {
	var written bool
	if err = r.Superuser.QueryRow(ctx, "SELECT pg_current_wal_flush_lsn() > $1::pg_lsn", position).Scan(&written); err != nil || !written { // pg_get_wal_stats refuses an empty range
		return 0, 0, err
	}
	err = r.Superuser.QueryRow(ctx, `
		SELECT sum(record_size)::float8, sum(fpi_size)::float8
		FROM pg_get_wal_stats($1::pg_lsn, pg_current_wal_flush_lsn(), false)`, position).Scan(&records, &images)
	return records, images, err
}
