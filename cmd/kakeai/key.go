package main

import (
	"bytes"
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/db"
)

const keyUsage = `Usage: kakeai key COMMAND

  status  whether KAKEAI_CURSOR_KEY is the key that the processes of this installation have
  adopt   has it be that key from now on; start serve and worker again with it afterwards

They sign in with DATABASE_URL.
`

// cursorKeyName is the row of key_fingerprints.
const cursorKeyName = "cursor"

var errOtherKey = errors.New("KAKEAI_CURSOR_KEY is not the one that other processes of this installation have, so what one of them makes the others do not take: links in mails, pages of lists, " +
	"sign-in through a provider. Give all of them the same, or, to change it for good, run `kakeai key adopt` with the new one")

// fingerprint is by which processes tell whether they have the same key, and by which nobody can tell the key.
func fingerprint(key []byte) ([]byte, error) {
	return hkdf.Key(sha256.New, key, nil, "kakeai fingerprint of the cursor key v1", sha256.Size)
}

// checkKey compares the key of this process with that of the others, of which the first one notes it. In production it refuses to be the odd one out; elsewhere it warns.
func checkKey(ctx context.Context, c config.Config, store *db.Store, log *slog.Logger) error {
	key, err := c.Key()
	if err != nil {
		return err
	}
	same, err := sharesKey(ctx, key, store)
	switch {
	case errors.Is(err, db.ErrFenced) || errors.Is(err, db.ErrReadOnly) || errors.Is(err, db.ErrMaintenance):
		log.WarnContext(ctx, "the fingerprint of KAKEAI_CURSOR_KEY could not be noted", "error", err)
		return nil // the next start notes it
	case err != nil || same:
		return err
	case c.Production():
		return errOtherKey
	}
	log.WarnContext(ctx, errOtherKey.Error())
	return nil
}

// sharesKey reports whether a key, nil for none, is the one of the installation, and makes it that if there is none.
func sharesKey(ctx context.Context, key []byte, store *db.Store) (bool, error) {
	noted, _, err := notedKey(ctx, store)
	if err != nil || key == nil {
		return noted == nil, err
	}
	mine, err := fingerprint(key)
	if err != nil {
		return false, err
	}
	if noted == nil {
		err := store.SystemWrite(ctx, db.Critical, func(ctx context.Context, q *db.Queries) error {
			return q.NoteKeyFingerprint(ctx, db.NoteKeyFingerprintParams{Name: cursorKeyName, Fingerprint: mine})
		})
		if err != nil {
			return false, err
		}
		if noted, _, err = notedKey(ctx, store); err != nil { // another process may have been faster
			return false, err
		}
	}
	return bytes.Equal(noted, mine), nil
}

// notedKey is the fingerprint that the installation's processes share; nil if there is none yet.
func notedKey(ctx context.Context, store *db.Store) (noted []byte, at time.Time, err error) {
	err = store.System(ctx, db.Critical, func(ctx context.Context, q *db.Queries) error {
		row, err := q.GetKeyFingerprint(ctx, db.GetKeyFingerprintParams{Name: cursorKeyName})
		noted, at = row.Fingerprint, row.NotedAt
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return nil, at, nil
	}
	return noted, at, err
}

// operateKey tells of the key, or changes it. What it says goes to out.
func operateKey(ctx context.Context, arguments []string, c config.Config, out io.Writer) error {
	adopt := slices.Equal(arguments, []string{"adopt"})
	if !adopt && !slices.Equal(arguments, []string{"status"}) {
		return misuse{"status or adopt", keyUsage}
	}
	key, err := c.Key()
	if err != nil {
		return err
	}
	if adopt && key == nil {
		return errors.New("KAKEAI_CURSOR_KEY is not set")
	}
	store, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer store.Close()
	if adopt {
		if err := adoptKey(ctx, key, store); err != nil {
			return err
		}
	}
	return tellKey(ctx, key, store, out)
}

func adoptKey(ctx context.Context, key []byte, store *db.Store) error {
	mine, err := fingerprint(key)
	if err != nil {
		return err
	}
	return store.SystemWrite(ctx, db.Critical, func(ctx context.Context, q *db.Queries) error {
		return q.ReplaceKeyFingerprint(ctx, db.ReplaceKeyFingerprintParams{Name: cursorKeyName, Fingerprint: mine})
	})
}

func tellKey(ctx context.Context, key []byte, store *db.Store, out io.Writer) error {
	noted, at, err := notedKey(ctx, store)
	if err != nil {
		return err
	}
	if noted == nil {
		return say(out, "no process has had a key yet\n")
	}
	here := "not set here"
	if key != nil {
		mine, err := fingerprint(key)
		if err != nil {
			return err
		}
		here = "another one here"
		if bytes.Equal(mine, noted) {
			here = "the same here"
		}
	}
	return say(out, fmt.Sprintf("noted %s; %s\n", at.UTC().Format(time.RFC3339), here))
}
