package mail

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"github.com/google/uuid"
)

const (
	linkVersion = 1
	linkPurpose = "kakeai unsubscribe link v1"
	linkSize    = 1 + 16 + 16
)

// Links makes and reads the tokens in the links that end mail. A token names a member and proves that it was made here. It has no end, because an old mail's link has to work, and
// it can do nothing but end mail. The zero value makes none and takes none.
type Links struct{ key []byte }

// NewLinks returns the links under a secret that other things may be derived from as well. It is the same in every process.
func NewLinks(secret []byte) (Links, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, linkPurpose, sha256.Size)
	if err != nil {
		return Links{}, fmt.Errorf("mail: %w", err)
	}
	return Links{key}, nil
}

// Token is what stands in the link for a member; empty if there are no links.
func (l Links) Token(organization, user uuid.UUID) string {
	if len(l.key) == 0 {
		return ""
	}
	body := make([]byte, 0, linkSize+sha256.Size)
	body = append(body, linkVersion)
	body = append(body, organization[:]...)
	body = append(body, user[:]...)
	return base64.RawURLEncoding.EncodeToString(append(body, l.mac(body)...))
}

// Member is whose mail a token ends; not ok if it was not made by Token under the same secret.
func (l Links) Member(token string) (organization, user uuid.UUID, ok bool) {
	if len(l.key) == 0 || len(token) > 2*(linkSize+sha256.Size) {
		return uuid.Nil, uuid.Nil, false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != linkSize+sha256.Size || !hmac.Equal(raw[linkSize:], l.mac(raw[:linkSize])) || raw[0] != linkVersion {
		return uuid.Nil, uuid.Nil, false
	}
	return uuid.UUID(raw[1:17]), uuid.UUID(raw[17:linkSize]), true
}

func (l Links) mac(body []byte) []byte {
	h := hmac.New(sha256.New, l.key)
	_, _ = h.Write(body) // a hash takes everything
	return h.Sum(nil)
}
