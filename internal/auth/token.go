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

// The prefixes let scanners for leaked secrets know one when they see it: 64 letters, digits, "-" and "_" follow.
const (
	tokenPrefix = "kks_" // of sessions
	apiPrefix   = "kkt_" // of other programs
	secretSize  = 32     // bytes: 256 random bits
)

// ErrMalformedToken is all that is said of a token that cannot be one.
var ErrMalformedToken = errors.New("auth: not a token")

// Token is what a signed-in client holds: the organisation it is signed in to, so that this is known before any row is
// read, and a secret of which the database keeps only the hash.
type Token struct {
	Organization uuid.UUID
	API          bool // made by somebody for another program, not by signing in
	secret       [secretSize]byte
}

// NewAPIToken makes a token for another program.
func NewAPIToken(organization uuid.UUID) Token {
	t := NewToken(organization)
	t.API = true
	return t
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
	api := false
	if !ok {
		encoded, api = strings.CutPrefix(s, apiPrefix)
	}
	if !ok && !api || strings.ContainsAny(encoded, "\r\n") { // which base64 would pass over
		return Token{}, ErrMalformedToken
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	if err != nil || len(raw) != len(uuid.UUID{})+secretSize {
		return Token{}, ErrMalformedToken
	}
	t := Token{API: api}
	copy(t.Organization[:], raw)
	copy(t.secret[:], raw[len(t.Organization):])
	return t, nil
}

// String is the token as the client sends it. It is a secret.
func (t Token) String() string {
	return t.prefix() + base64.RawURLEncoding.EncodeToString(append(t.Organization[:], t.secret[:]...))
}

func (t Token) prefix() string {
	if t.API {
		return apiPrefix
	}
	return tokenPrefix
}

// Hash is what the database keeps: SHA-256 of the secret, and for other programs of more than that, so that a token with another prefix before it is none. Random bits need no salt and no
// slow hash, and since it is hashes that are looked up, how long that takes says nothing about a secret.
func (t Token) Hash() []byte {
	if t.API {
		sum := sha256.Sum256(append([]byte(apiPrefix), t.secret[:]...))
		return sum[:]
	}
	sum := sha256.Sum256(t.secret[:])
	return sum[:]
}

// LogValue keeps the secret out of logs.
func (t Token) LogValue() slog.Value { return slog.StringValue(t.prefix() + "…") }
