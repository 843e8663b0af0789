// Package webhook tells other systems of events.
//
// Two steps through the outbox. Fold turns an event into a delivery for each webhook that wants it, in the transaction that ends the event. The Sender
// posts a delivery, signed, as often as the outbox says, and notes what came of each attempt.
package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
)

// SendKind is the kind of the outbox's events that a Sender delivers. Their target is a delivery.
const SendKind = "webhook.send"

// MostPerOrganization is how many webhooks an organisation may have.
const MostPerOrganization = 50

// The headers of what is sent.
const (
	EventHeader     = "Kakeai-Event"     // the kind of the event
	DeliveryHeader  = "Kakeai-Delivery"  // the delivery's id, the same in every attempt, so that a receiver can tell that it has had it
	SignatureHeader = "Kakeai-Signature" // t=<seconds since 1970>,v1=<hex>, with a second v1 while an older secret still counts
)

// NewSecret returns 256 random bits as text. The text, byte for byte, is the key of the signature, so that nobody has to wonder how to decode it.
func NewSecret() string {
	var random [32]byte
	_, _ = rand.Read(random[:]) // it does not fail
	return "kkw_" + base64.RawURLEncoding.EncodeToString(random[:])
}

// Sign returns the signature header of a body that is sent at a time, under each of the secrets: HMAC-SHA-256 of the time in seconds, a dot and the body.
func Sign(at time.Time, body []byte, secrets ...[]byte) string {
	var header strings.Builder
	_, _ = fmt.Fprintf(&header, "t=%d", at.Unix())
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		_, _ = fmt.Fprintf(mac, "%d.%s", at.Unix(), body) // a hash takes everything
		header.WriteString(",v1=" + hex.EncodeToString(mac.Sum(nil)))
	}
	return header.String()
}

// CheckURL refuses an address that nothing may be sent to. Where its name leads to is only known when something is sent, and checked then, every time.
func CheckURL(address string, insecure bool) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Opaque != "" || u.Hostname() == "":
		return errors.New("this is not the address of a web server")
	case u.Scheme != "https" && (u.Scheme != "http" || !insecure):
		return errors.New("the address begins with https://")
	case u.User != nil:
		return errors.New("the address holds no user name and no password: what is sent is signed instead")
	case u.Fragment != "" || strings.Contains(address, "#"):
		return errors.New("the address has no fragment: it would not be sent")
	}
	return nil
}

// Payload is what is sent: which thing something happened to, and nothing of what it says. Whoever receives it may not be allowed to read that, and what may be read changes;
// with the ids, a program reads what it needs over the API, in the name of somebody who may.
type Payload struct {
	ID           uuid.UUID         `json:"id"` // of the event, and of its audit event
	Kind         string            `json:"kind"`
	Organization uuid.UUID         `json:"organization_id"`
	Target       *Target           `json:"target,omitempty"` // none in a test
	Revision     *int64            `json:"revision,omitempty"`
	OccurredAt   time.Time         `json:"occurred_at"`
	Actor        *uuid.UUID        `json:"actor_id,omitempty"` // none where the program did it by itself
	Links        map[string]string `json:"links,omitempty"`
}

// Target is what something happened to.
type Target struct {
	Kind string    `json:"kind"`
	ID   uuid.UUID `json:"id"`
}

// encode writes a payload. Everything in it can be written.
func (p Payload) encode() (json.RawMessage, error) {
	p.OccurredAt = p.OccurredAt.UTC()
	return json.Marshal(p)
}

// links leads to where a thing can be read: over the API, and, where it has one, on its page. public is the installation's address, and may be empty.
func links(public string, t Target) map[string]string {
	pages := map[string]string{"objective": "/objectives/", "broadcast": "/broadcasts/"}
	collections := map[string]string{"objective": "objectives", "broadcast": "broadcasts", "team": "teams", "cycle": "cycles", "member": "members", "dialogue": "dialogues",
		"job": "jobs", "suggestion": "suggestions", "webhook": "webhooks"}
	to := map[string]string{}
	public = strings.TrimRight(public, "/")
	if collection, ok := collections[t.Kind]; ok {
		to["api"] = public + "/api/v1/" + collection + "/" + t.ID.String()
	}
	if page, ok := pages[t.Kind]; ok {
		to["page"] = public + page + t.ID.String()
	}
	return to
}
