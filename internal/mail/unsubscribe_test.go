package mail

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestATokenNamesTheMemberItWasMadeForAndNobodyElse(t *testing.T) {
	t.Parallel()
	secret := []byte(strings.Repeat("s", 32))
	links, err := NewLinks(secret)
	require.NoError(t, err)
	organization, user := uuid.New(), uuid.New()
	token := links.Token(organization, user)
	o, u, ok := links.Member(token)
	assert.True(t, ok)
	assert.Equal(t, organization, o)
	assert.Equal(t, user, u)
	again, err := NewLinks(secret)
	require.NoError(t, err)
	assert.Equal(t, token, again.Token(organization, user), "in every process alike")

	raw, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(t, err)
	refused := []string{"", "x", token + "A", token[:len(token)-1], token + "=", " " + token, strings.Repeat("A", len(token)), strings.Repeat("A", 1<<20), strings.ToLower(token)}
	for i := range raw {
		for _, bit := range []byte{1, 0x80} {
			changed := append([]byte(nil), raw...)
			changed[i] ^= bit
			refused = append(refused, base64.RawURLEncoding.EncodeToString(changed))
		}
	}
	// Whoever had the secret's plain HMAC, which cursors carry, could still not make one.
	h := hmac.New(sha256.New, secret)
	h.Write(raw[:linkSize])
	refused = append(refused, base64.RawURLEncoding.EncodeToString(h.Sum(append([]byte(nil), raw[:linkSize]...))))
	other, err := NewLinks([]byte(strings.Repeat("t", 32)))
	require.NoError(t, err)
	refused = append(refused, other.Token(organization, user))
	for _, token := range refused {
		_, _, ok := links.Member(token)
		assert.False(t, ok, "%.100q", token)
	}
	for last := range 256 { // of the last character some bits say nothing; they are not to be free
		_, _, ok := links.Member(token[:len(token)-1] + string(rune(last)))
		assert.Equal(t, byte(last) == token[len(token)-1], ok)
	}

	var none Links
	assert.Empty(t, none.Token(organization, user))
	_, _, ok = none.Member(token)
	assert.False(t, ok)
}
