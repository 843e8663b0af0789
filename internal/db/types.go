package db

import (
	"github.com/google/uuid"
	pgxdecimal "github.com/jackc/pgx-shopspring-decimal"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/shopspring/decimal"
	pgxuuid "github.com/vgarvardt/pgx-google-uuid/v5"
)

// RegisterTypes teaches a connection the types of models.go that pgx does not know by itself. Both know how to read themselves as database/sql has it, by
// way of text, and pgx prefers that to what their modules register; here they are read as PostgreSQL sends them, which is several times as fast, and an
// answer has dozens of them.
func RegisterTypes(m *pgtype.Map) {
	pgxdecimal.Register(m)
	pgxuuid.Register(m)
	m.RegisterType(&pgtype.Type{Name: "numeric", OID: pgtype.NumericOID, Codec: direct[decimal.Decimal, pgxdecimal.Decimal]{
		pgxdecimal.NumericCodec{}, func(d *decimal.Decimal) *pgxdecimal.Decimal { return (*pgxdecimal.Decimal)(d) }}})
	m.RegisterType(&pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: direct[uuid.UUID, pgxuuid.UUID]{
		pgxuuid.UUIDCodec{}, func(id *uuid.UUID) *pgxuuid.UUID { return (*pgxuuid.UUID)(id) }}})
}

// direct reads a T as an S, which is the same in memory and which the codec knows.
type direct[T, S any] struct {
	pgtype.Codec
	as func(*T) *S
}

// PlanScan implements pgtype.Codec.
func (d direct[T, S]) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if _, ok := target.(*T); ok {
		if plan := d.Codec.PlanScan(m, oid, format, (*S)(nil)); plan != nil {
			return directPlan[T, S]{plan, d.as}
		}
	}
	return d.Codec.PlanScan(m, oid, format, target)
}

type directPlan[T, S any] struct {
	plan pgtype.ScanPlan
	as   func(*T) *S
}

// Scan implements pgtype.ScanPlan.
func (p directPlan[T, S]) Scan(source []byte, target any) error {
	return p.plan.Scan(source, p.as(target.(*T))) //nolint:forcetypeassert // PlanScan has looked
}
