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
		"OPENAI_BASE_URL":             "http://127.0.0.1:1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			named := name
			if name == "OPENAI_BASE_URL" {
				named = "OPENAI_MODEL"
			}
			if _, err := config.Load(); err == nil || !strings.Contains(err.Error(), named) {
				t.Fatalf("got %v, want an error that names %s", err, named)
			}
		})
	}
}
