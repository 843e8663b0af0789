package auth_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/auth"
)

func TestTokenSurvivesTheWire(t *testing.T) {
	t.Parallel()
	made := auth.NewToken(uuid.Must(uuid.NewV7()))
	read, err := auth.ParseToken(made.String())
	if err != nil {
		t.Fatal(err)
	}
	if read.Organization != made.Organization || !bytes.Equal(read.Hash(), made.Hash()) {
		t.Fatal("the token that was read is another one")
	}
	if bytes.Equal(made.Hash(), auth.NewToken(made.Organization).Hash()) {
		t.Fatal("two tokens have one secret")
	}
}

func TestMalformedTokensAreRefused(t *testing.T) {
	t.Parallel()
	good := auth.NewToken(uuid.Must(uuid.NewV7())).String()
	for _, s := range []string{"", "kks_", good[:len(good)-1], good + "A", good + "=", "xyz_" + good[4:], strings.ToUpper(good), "kks_\x00", good[:10] + "\n" + good[10:]} {
		if _, err := auth.ParseToken(s); !errors.Is(err, auth.ErrMalformedToken) {
			t.Errorf("%q: got %v, want %v", s, err, auth.ErrMalformedToken)
		}
	}
}

func TestTokensStayOutOfLogs(t *testing.T) {
	t.Parallel()
	token := auth.NewToken(uuid.New())
	var said bytes.Buffer
	slog.New(slog.NewJSONHandler(&said, nil)).Info("signed in", "token", token)
	if logged := said.String(); strings.Contains(logged, token.String()) || !strings.Contains(logged, `"token":"kks_…"`) {
		t.Errorf("logged %s", logged)
	}
}
