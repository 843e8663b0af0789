package config_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/kakeai/kakeai/internal/config"
)

// The table in docs/operations.md names every variable with its default, and no other.
func TestEveryVariableIsInTheTable(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]string{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) == 5 && strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			documented[strings.Trim(cells[1], " `")] = strings.Trim(cells[2], " `")
		}
	}
	fields := reflect.VisibleFields(reflect.TypeFor[config.Config]())
	for _, field := range fields {
		name := field.Tag.Get("env")
		described, ok := documented[name]
		if !ok {
			t.Errorf("%s is not in the table", name)
		}
		if value, set := field.Tag.Lookup("envDefault"); set && described != value {
			t.Errorf("%s: the table says %q, the default is %q", name, described, value)
		}
		delete(documented, name)
	}
	for name := range documented {
		t.Errorf("%s is in the table, and nothing reads it", name)
	}
}

func TestRefusalsNameTheVariable(t *testing.T) {
	for name, value := range map[string]string{
		"KAKEAI_ENV":                  "staging",
		"KAKEAI_MAX_CONNECTIONS":      "1",
		"KAKEAI_RESERVED_CONNECTIONS": "10",
		"KAKEAI_JOBS":                 "0",
		"KAKEAI_QUEUE_TIMEOUT":        "-1s",
		"KAKEAI_SHUTDOWN_TIMEOUT":     "soon",
		"KAKEAI_FETCH_PER_MINUTE":     "-1",
		"KAKEAI_DRAIN_TIMEOUT":        "0s",
		"KAKEAI_TRUST_PROXY":          "perhaps",
		"KAKEAI_LOG_FORMAT":           "xml",
		"KAKEAI_CURSOR_KEY":           "c2hvcnQ=",
		"KAKEAI_URL":                  "https://okr.example.com/kakeai",
		"KAKEAI_SMTP_URL":             "http://mail.example.com",
		"KAKEAI_MAIL_FROM":            "okr.example.com",
		"KAKEAI_MAIL_PER_MINUTE":      "0",
		"OPENAI_BASE_URL":             "http://127.0.0.1:1",
		"KAKEAI_OIDC_ISSUER":          "http://id.example.com",
		"KAKEAI_OIDC_CLIENT_SECRET":   "alone",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			named := name
			switch name {
			case "OPENAI_BASE_URL":
				named = "OPENAI_MODEL"
			case "KAKEAI_OIDC_CLIENT_SECRET":
				named = "KAKEAI_OIDC_ISSUER"
			}
			if _, err := config.Load(); err == nil || !strings.Contains(err.Error(), named) {
				t.Fatalf("got %v, want an error that names %s", err, named)
			}
		})
	}
}

func TestMailServers(t *testing.T) {
	t.Parallel()
	for server, taken := range map[string]bool{
		"smtp://mail.example.com":                                true,
		"smtp://okr:secret@mail.example.com:2525":                true,
		"smtp://okr%40example.com:sec%2Fret@mail.example.com/":   true,
		"smtps://okr:secret@mail.example.com":                    true,
		"smtp://mail.example.com?tls=none":                       true,
		"smtp://[::1]:25":                                        true,
		"smtps://mail.example.com?tls=none":                      false,
		"smtp://mail.example.com?tls=":                           false,
		"smtp://mail.example.com?tls=starttls":                   false,
		"smtp://mail.example.com?insecure=1":                     false,
		"smtp://mail.example.com/inbox":                          false,
		"smtp://":                                                false,
		"mail.example.com:587":                                   false,
		"smtp://okr:sec\nret-a5f3@mail.example.com":              false,
		"smtp://okr:secret-a5f3@mail.example.com:not-a-port/%zz": false,
	} {
		_, err := config.Config{SMTPURL: server}.MailServer()
		if (err == nil) != taken {
			t.Errorf("%s: %v", server, err)
		}
		if err != nil && (!strings.Contains(err.Error(), "KAKEAI_SMTP_URL") || strings.Contains(err.Error(), "a5f3")) {
			t.Errorf("%s: %v", server, err)
		}
	}
}

func TestMailIsSentWithAllItNeeds(t *testing.T) {
	t.Setenv("KAKEAI_SMTP_URL", "smtp://mail.example.com")
	t.Setenv("KAKEAI_MAIL_FROM", "Kakeai <okr@example.com>")
	if _, err := config.Load(); err == nil || !strings.Contains(err.Error(), "KAKEAI_URL") {
		t.Errorf("without an address for links: %v", err)
	}
	t.Setenv("KAKEAI_URL", "https://okr.example.com")
	if _, err := config.Load(); err != nil {
		t.Error(err)
	}
}

func TestAnIdentityProviderNeedsAllOfIt(t *testing.T) {
	whole := map[string]string{"KAKEAI_OIDC_ISSUER": "https://id.example.com", "KAKEAI_OIDC_CLIENT_ID": "kakeai", "KAKEAI_URL": "https://okr.example.com"}
	set := func(t *testing.T, without string) {
		t.Helper()
		for name, value := range whole {
			if name != without {
				t.Setenv(name, value)
			}
		}
	}
	t.Run("whole", func(t *testing.T) {
		set(t, "")
		if _, err := config.Load(); err != nil {
			t.Fatal(err)
		}
	})
	for name := range whole {
		t.Run("without "+name, func(t *testing.T) {
			set(t, name)
			if _, err := config.Load(); err == nil || !strings.Contains(err.Error(), name) {
				t.Fatalf("got %v, want an error that names %s", err, name)
			}
		})
	}
}
