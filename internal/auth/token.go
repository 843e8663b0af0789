package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"log/slog"
	"strings"

	"github.com/google/uuid"
)

const (
	tokenPrefix = "kks_" // lets scanners for leaked secrets know one when they see it
	secretSize  = 32     // bytes: 256 random bits
)

// ErrMalformedToken is all that is said of a token that cannot be one.
var ErrMalformedToken = errors.New("auth: not a session token")

// Token is what a signed-in client holds: the organisation it is signed in to, so that this is known before any row is
// read, and a secret of which the database keeps only the hash.
type Token struct {
	Organization uuid.UUID
	secret       [secretSize]byte
}

// NewToken makes a token for an organisation.
func NewToken(organization uuid.UUID) Token {
	t := Token{Organization: organization}
	_, _ = rand.Read(t.secret[:]) // never fails: it ends the program instead
	return t
}

// ParseToken reads what Token.String wrote. It returns ErrMalformedToken for anything else.
func ParseToken(s string) (Token, error) {
	encoded, ok := strings.CutPrefix(s, tokenPrefix)
	if !ok || strings.ContainsAny(encoded, "\r\n") { // which base64 would pass over
		return Token{}, ErrMalformedToken
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	if err != nil || len(raw) != len(uuid.UUID{})+secretSize {
		return Token{}, ErrMalformedToken
	}
	var t Token
	copy(t.Organization[:], raw)
	copy(t.secret[:], raw[len(t.Organization):])
	return t, nil
}

// String is the token as the client sends it. It is a secret.
func (t Token) String() string {
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(append(t.Organization[:], t.secret[:]...))
}

// Hash is what the database keeps: SHA-256 of the secret. Random bits need no salt and no slow hash.
func (t Token) Hash() []byte {
	sum := sha256.Sum256(t.secret[:])
	return sum[:]
}

// LogValue keeps the secret out of logs.
func (t Token) LogValue() slog.Value { return slog.StringValue(tokenPrefix + "…") }
