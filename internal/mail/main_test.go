package mail

import (
	"testing"

	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
