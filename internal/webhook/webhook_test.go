package webhook_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/kakeai/kakeai/internal/webhook"
)

func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, fine := range map[string]bool{
		"https://hooks.example.com/a?b=c":  true,
		"https://hooks.example.com:8443/":  true,
		"https://[2001:db8::1]/":           true,
		"http://hooks.example.com/":        false,
		"HTTPS://hooks.example.com/":       true,
		"https://user@hooks.example.com/":  false,
		"https://u:p@hooks.example.com/":   false,
		"https://@hooks.example.com/":      false,
		"https://hooks.example.com/#there": false,
		"https://hooks.example.com/#":      false,
		"https:///path":                    false,
		"https:hooks.example.com":          false,
		"//hooks.example.com/":             false,
		"hooks.example.com":                false,
		"ftp://hooks.example.com/":         false,
		"javascript:alert(1)":              false,
		"file:///etc/passwd":               false,
		"https://hooks.example.com/\n":     false,
		"https://exa mple.com/":            false,
		"https://:443/":                    false,
		"":                                 false,
	} {
		if fine {
			assert.NoError(t, webhook.CheckURL(address, false), address)
		} else {
			assert.Error(t, webhook.CheckURL(address, false), address)
		}
	}
	assert.NoError(t, webhook.CheckURL("http://localhost:8080/", true))
	assert.Error(t, webhook.CheckURL("ftp://localhost/", true))
}

func TestASecretIsLongAndNeverTheSame(t *testing.T) {
	t.Parallel()
	one, other := webhook.NewSecret(), webhook.NewSecret()
	assert.NotEqual(t, one, other)
	assert.Len(t, one, len("kkw_")+43)
}

// The signature of a known body under a known secret, so that it is the same in every release.
func TestTheSignatureStaysAsItIs(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "t=1798531200,v1=4ea6a4855d3fe0438e77f9accd8e811ab6f1de13ecac5a17bdf8097669e3f631", webhook.Sign(time.Unix(1798531200, 0), []byte(`{"kind":"webhook.test"}`), []byte("kkw_secret")))
}
