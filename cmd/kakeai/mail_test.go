package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/mail"
)

type endless struct{}

func (endless) Take() bool { return true }

// Where mails go depends on the environment alone, and whoever starts the program is told when they go nowhere.
func TestWhereMailsGo(t *testing.T) {
	t.Parallel()
	key := "a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5"
	for name, c := range map[string]struct {
		config    config.Config
		transport string
		warning   string
		shown     bool
	}{
		"production without a server":  {config.Config{CursorKey: key}, "none", "KAKEAI_SMTP_URL", false},
		"development without a server": {config.Config{CursorKey: key, Environment: config.Development}, "folder", "", true},
		"production with a server":     {config.Config{CursorKey: key, SMTPURL: "smtp://mail.example.com", MailFrom: "Kakeai <okr@example.com>", PublicURL: "https://okr.example.com"}, "smtp", "", false},
		"development with a server":    {config.Config{CursorKey: key, Environment: config.Development, SMTPURL: "smtps://mail.example.com", MailFrom: "okr@example.com", PublicURL: "https://okr.example.com"}, "smtp", "", false},
		"without a key for links":      {config.Config{Environment: config.Development}, "folder", "KAKEAI_CURSOR_KEY", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.config.DataDir = t.TempDir()
			transport, err := newTransport(c.config)
			if err != nil {
				t.Fatal(err)
			}
			got := "none"
			switch transport.(type) {
			case *mail.Folder:
				got = "folder"
			case *mail.SMTP:
				got = "smtp"
			}
			if got != c.transport {
				t.Errorf("mails go to %s, not %s", got, c.transport)
			}
			if shown := newMails(c.config) != nil; shown != c.shown {
				t.Errorf("shown here: %v", shown)
			}
			var said bytes.Buffer
			if _, err := newMailSender(c.config, nil, slog.New(slog.NewTextHandler(&said, nil)), endless{}); err != nil {
				t.Fatal(err)
			}
			if c.warning == "" && said.Len() > 0 || !strings.Contains(said.String(), c.warning) || strings.Count(said.String(), "\n") > 1 {
				t.Errorf("said %q, not %q", said.String(), c.warning)
			}
		})
	}
}
