package api_test

import (
	"context"
	"sync"

	"github.com/kakeai/kakeai/internal/auth"
)

const password = "correct horse battery staple"

// hashOfPassword is computed once for all tests: each costs what it is meant to cost.
var hashOfPassword = sync.OnceValue(func() string {
	hash, err := auth.NewPasswords(1, auth.PasswordPatience).Hash(context.Background(), password)
	if err != nil {
		panic(err)
	}
	return hash
})
