// Package auth says who somebody is and what they may do: passwords, session tokens, roles.
package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/unicode/norm"
)

// The lengths a password may have, in characters.
const (
	MinPassword = 10
	MaxPassword = 200
)

// What is wrong with a password that somebody wants to have from now on.
var (
	ErrPasswordTooShort = fmt.Errorf("auth: a password has at least %d characters", MinPassword)
	ErrPasswordTooLong  = fmt.Errorf("auth: a password has at most %d characters", MaxPassword)
	ErrPasswordRepeats  = errors.New("auth: a password is more than one character repeated")
	ErrPasswordNotText  = errors.New("auth: a password is valid UTF-8")
)

// ErrTooBusy says that too many passwords are being hashed already. It is safe to send the same again, later.
var ErrTooBusy = errors.New("auth: too many passwords at once")

// CheckPassword says why a password cannot be chosen, or nil. It asks for length, not for a mixture of kinds, which makes passwords
// harder to remember and hardly harder to guess (NIST SP 800-63B, on password verifiers).
func CheckPassword(password string) error {
	if !utf8.ValidString(password) {
		return ErrPasswordNotText
	}
	password = normalized(password)
	first, size := utf8.DecodeRuneInString(password)
	switch n := utf8.RuneCountInString(password); {
	case n < MinPassword:
		return ErrPasswordTooShort
	case n > MaxPassword:
		return ErrPasswordTooLong
	case strings.Trim(password[size:], string(first)) == "":
		return ErrPasswordRepeats
	}
	return nil
}

// normalized makes one password of what was typed alike on different keyboards: composed and decomposed kana, full-width and
// half-width digits. NFKC is one of the two forms that NIST SP 800-63B names for it.
func normalized(password string) string { return norm.NFKC.String(password) }

// cost is the least that the OWASP Password Storage Cheat Sheet asks of Argon2id: 19 MiB of memory, two passes, one lane.
// A hash names its own settings, so those made before a change here can still be compared.
func cost() *argon2id.Params {
	return &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}
}

// waitersPerSlot is, with some 30 ms for one hash, as many as can hope to be served within PasswordPatience.
const waitersPerSlot = 8

// PasswordPatience is the longest that somebody who is signing in should wait for a slot.
const PasswordPatience = 2 * time.Second

// Passwords hashes and compares passwords, a bounded number of them at a time: each takes 19 MiB and a core for tens of milliseconds.
// None of its methods may be called by whoever holds a database connection.
//
// Waiting for a slot ends with the context, whose error is then returned, and otherwise in ErrTooBusy: at once when too many
// wait already, or when the patience is over.
type Passwords struct {
	present  chan struct{} // a place for each that waits or runs
	running  chan struct{} // a place for each that runs
	patience time.Duration // the longest wait for a slot
}

// NewPasswords lets as many passwords be hashed at a time as concurrent says, at least one, and others wait for patience. The number of cores and PasswordPatience are good choices.
func NewPasswords(concurrent int, patience time.Duration) *Passwords {
	concurrent = max(1, concurrent)
	return &Passwords{
		present:  make(chan struct{}, concurrent*(1+waitersPerSlot)),
		running:  make(chan struct{}, concurrent),
		patience: patience,
	}
}

// Hash returns what to keep of a password: a string of about 100 characters that names its algorithm, settings and salt.
func (p *Passwords) Hash(ctx context.Context, password string) (hash string, err error) {
	entered := p.do(ctx, func() { hash, err = argon2id.CreateHash(normalized(password), cost()) })
	if err := errors.Join(entered, err); err != nil {
		return "", fmt.Errorf("auth: hash a password: %w", err)
	}
	return hash, nil
}

// Matches reports whether hash was made from the password. An error means that nothing was compared.
func (p *Passwords) Matches(ctx context.Context, password, hash string) (matches bool, err error) {
	entered := p.do(ctx, func() { matches, err = argon2id.ComparePasswordAndHash(normalized(password), hash) })
	if err := errors.Join(entered, err); err != nil {
		return false, fmt.Errorf("auth: compare a password: %w", err)
	}
	return matches, nil
}

// MatchesNothing costs what Matches costs, so that the time of an answer does not tell whether somebody has an account.
func (p *Passwords) MatchesNothing(ctx context.Context, password string) error {
	_, err := p.Hash(ctx, password)
	return err
}

// do runs work in a slot. Once begun, it is not cut off: the algorithm cannot be.
func (p *Passwords) do(ctx context.Context, work func()) error {
	select {
	case p.present <- struct{}{}:
		defer func() { <-p.present }()
	default:
		return ErrTooBusy
	}
	patience := time.NewTimer(p.patience)
	defer patience.Stop()
	select {
	case p.running <- struct{}{}:
		defer func() { <-p.running }()
	case <-ctx.Done():
		return ctx.Err()
	case <-patience.C:
		return ErrTooBusy
	}
	if ctx.Err() != nil { // select may have preferred the slot
		return ctx.Err()
	}
	work()
	return nil
}
