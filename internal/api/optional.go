package api

import (
	"github.com/google/uuid"
	"github.com/oapi-codegen/nullable"
)

// nullableField tells apart the three things that a PATCH can say of a field: nothing, none, or a value.
func nullableField[T any](field nullable.Nullable[T]) (set bool, value *T) {
	if !field.IsSpecified() || field.IsNull() {
		return field.IsSpecified(), nil
	}
	v := field.MustGet()
	return true, &v
}

// orNone leaves out what is empty.
func orNone[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

func sameID(a, b *uuid.UUID) bool { return a == b || a != nil && b != nil && *a == *b }

// setNullable has a PATCH say a value, or none.
func setNullable[T any](field *nullable.Nullable[T], value *T) {
	if value == nil {
		field.SetNull()
		return
	}
	field.Set(*value)
}
