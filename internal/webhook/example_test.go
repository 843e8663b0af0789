package webhook_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/webhook"
)

func verify(secret []byte, signature string, body []byte, now time.Time) error {
	stamp, rest, _ := strings.Cut(strings.TrimPrefix(signature, "t="), ",")
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%s", stamp, body)
	var seconds int64
	if _, err := fmt.Sscanf(stamp, "%d", &seconds); err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return errors.New("too old, or no time at all")
	}
	for _, v1 := range strings.Split(rest, ",") {
		if hmac.Equal([]byte(strings.TrimPrefix(v1, "v1=")), []byte(hex.EncodeToString(mac.Sum(nil)))) {
			return nil
		}
	}
	return errors.New("not signed with this secret")
}

// A receiver checks what it was sent: the header, the body as it came, and its own clock.
func Example_verify() {
	secret, body, now := []byte("kkw_secret"), []byte(`{"kind":"webhook.test"}`), time.Now()
	signature := webhook.Sign(now, body, []byte("kkw_the next one"), secret)
	fmt.Println(verify(secret, signature, body, now))
	fmt.Println(verify(secret, signature, []byte(`{}`), now))
	fmt.Println(verify(secret, signature, body, now.Add(time.Hour)))
	// Output:
	// <nil>
	// not signed with this secret
	// too old, or no time at all
}

// api.md shows the function above, letter for letter.
func TestTheDocumentedVerifierIsTheTestedOne(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(source), "func verify(")
	body, _, _ := strings.Cut(rest, "\n}\n")
	assert.Contains(t, documentation(t), "func verify("+body+"\n}\n")
}

// And so does the one in Python, run where there is a Python.
func TestTheDocumentedVerifierInPython(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no Python here")
	}
	_, rest, _ := strings.Cut(documentation(t), "```python\n")
	program, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	body := `{"kind":"webhook.test","名":"前"}`
	signature := webhook.Sign(time.Now(), []byte(body), []byte("kkw_other"), []byte("kkw_secret"))
	for _, c := range []struct {
		secret, signature, body, want string
	}{
		{"kkw_secret", signature, body, "True"},
		{"kkw_other", signature, body, "True"},
		{"kkw_third", signature, body, "False"},
		{"kkw_secret", signature, body + " ", "False"},
		{"kkw_secret", webhook.Sign(time.Now().Add(-time.Hour), []byte(body), []byte("kkw_secret")), body, "False"},
		{"kkw_secret", "nothing of the kind", body, "False"},
	} {
		run := exec.CommandContext(t.Context(), python, "-c", program+"\nimport sys\nprint(verify(sys.argv[1].encode(), sys.argv[2], sys.argv[3].encode()))", c.secret, c.signature, c.body)
		out, err := run.CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.Equal(t, c.want, strings.TrimSpace(string(out)), "%+v", c)
	}
}

// Every kind that can be asked for is in the documentation.
func TestEveryKindIsDocumented(t *testing.T) {
	t.Parallel()
	text := documentation(t)
	for _, kind := range webhook.Kinds() {
		assert.Contains(t, text, "`"+kind+"`")
	}
}

func documentation(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/api.md")
	require.NoError(t, err)
	return string(text)
}
