package snapshot

import (
	"context"
	"encoding/json"
	"fmt"
	"net/mail"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/figures"
	"github.com/kakeai/kakeai/internal/okr"
)

// Bootstrap is a new organisation with its first owner.
type Bootstrap struct {
	Name         string
	Locale       string // "ja" or "en", of organisation and owner
	TimeZone     string // an IANA name, of organisation and owner
	OwnerEmail   string
	OwnerName    string
	PasswordHash string // of the owner, unless they have an account here already

	// What to fill it with, for measuring: made-up people, who have no passwords, in teams of about ten, and objectives of this quarter and
	// the one before with key results, check-ins, comments, history and audit, what the days since came to, and a feed of what happened last.
	People     int
	Objectives int
	Seed       uint64 // another one makes up others
}

// Bootstrapped is what Bootstrap has made.
type Bootstrapped struct {
	Organization uuid.UUID
	Owner        uuid.UUID
	OwnerKnown   bool // they had an account already, and sign in as before
}

const (
	mostPeople     = 100_000
	mostObjectives = 1_000_000
)

// Faults returns everything that a new organisation cannot be.
func (b Bootstrap) Faults() (faults []Fault) {
	refuse := func(field, code, detail string) {
		faults = append(faults, Fault{Pointer: "/" + field, Code: code, Detail: detail})
	}
	for field, name := range map[string]string{"name": b.Name, "owner_name": b.OwnerName} {
		if n := utf8.RuneCountInString(name); n < 1 || n > 200 || !utf8.ValidString(name) || strings.ContainsRune(name, 0) {
			refuse(field, "length", "It has from 1 to 200 characters.")
		}
	}
	address, err := mail.ParseAddress(b.OwnerEmail)
	if err != nil || address.Address != b.OwnerEmail || b.OwnerEmail != strings.ToLower(b.OwnerEmail) || len(b.OwnerEmail) > 254 {
		refuse("owner_email", "email", "It is an e-mail address in lower case, and nothing else.")
	}
	if b.Locale != "ja" && b.Locale != "en" {
		refuse("locale", "not-a-choice", "It is ja or en.")
	}
	if _, err := time.LoadLocation(b.TimeZone); err != nil || b.TimeZone == "" || b.TimeZone == "Local" {
		refuse("time_zone", codeNotThere, "It is a name of the IANA database, such as Asia/Tokyo.")
	}
	if b.People < 0 || b.People > mostPeople || b.Objectives < 0 || b.Objectives > mostObjectives {
		refuse("people", "out-of-range", fmt.Sprintf("At most %d people and %d objectives.", mostPeople, mostObjectives))
	}
	return faults
}

// Bootstrap makes an organisation with an owner, whole or not at all. It is how an installation gets its first one.
func (d *Database) Bootstrap(ctx context.Context, b Bootstrap) (Bootstrapped, error) {
	if faults := b.Faults(); len(faults) > 0 {
		return Bootstrapped{}, refused(faults...)
	}
	made := Bootstrapped{Organization: db.NewID(), Owner: db.NewID()}
	err := d.change(ctx, made.Organization, func(ctx context.Context, tx pgx.Tx) error {
		q := db.New(tx)
		now, err := q.GetServerTime(ctx)
		if err != nil {
			return err
		}
		known, err := q.ListPeopleLike(ctx, db.ListPeopleLikeParams{IDs: []uuid.UUID{}, Emails: []string{b.OwnerEmail}})
		if err != nil {
			return err
		}
		var newcomers []User
		if len(known) > 0 {
			made.Owner, made.OwnerKnown = known[0].ID, true
		} else {
			newcomers = []User{{ID: made.Owner, Email: b.OwnerEmail, Name: b.OwnerName, Locale: b.Locale, TimeZone: b.TimeZone, PasswordHash: &b.PasswordHash, CreatedAt: now, ChangedAt: now}}
		}
		p := newPopulation(b, made, now)
		foundation, people, err := p.foundation()
		if err != nil {
			return err
		}
		if err := insert(ctx, tx, foundation, append(newcomers, people...)); err != nil {
			return err
		}
		if err := p.insertObjectives(ctx, tx); err != nil {
			return err
		}
		if err := p.writePast(ctx, tx); err != nil {
			return err
		}
		return figures.RebuildAll(ctx, q, made.Organization)
	})
	if err == nil && b.Objectives > 0 {
		err = d.analyze(ctx)
	}
	return made, schemaRefusal(err)
}

// insertObjectives writes some objectives while the next are made.
func (p *population) insertObjectives(ctx context.Context, tx pgx.Tx) error {
	making, ctx := errgroup.WithContext(ctx)
	made := make(chan *Snapshot, 1)
	making.Go(func() error {
		defer close(made)
		for from := 0; from < p.Objectives; from += objectivesAtOnce {
			some, err := p.objectives(from, min(from+objectivesAtOnce, p.Objectives))
			if err != nil {
				return err
			}
			select {
			case made <- some:
			case <-ctx.Done():
				return nil // the writer says why
			}
		}
		return nil
	})
	making.Go(func() error {
		for some := range made {
			if err := db.PlanAnew(ctx, db.New(tx)); err != nil {
				return err
			}
			if err := insert(ctx, tx, some, nil); err != nil {
				return err
			}
		}
		return nil
	})
	return making.Wait()
}

// analyze has the planner know at once what was loaded, instead of when autovacuum gets to it.
func (d *Database) analyze(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, d.ownerURL) //nolint:forbidigo // statistics are the owner's to gather, of all organisations at once
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "ANALYZE"); err != nil {
		return fmt.Errorf("snapshot: the organisation is there, but the statistics are old: %w", err)
	}
	return nil
}

// base is an organisation with nothing but its owner.
func (b Bootstrap) base(made Bootstrapped, now time.Time) (*Snapshot, error) {
	s := &Snapshot{
		Organization: Organization{ID: made.Organization, Name: b.Name, Locale: b.Locale, TimeZone: b.TimeZone, Cadence: okr.Weekly, GraceDays: okr.DefaultGraceDays, Revision: 1, CreatedAt: now, ChangedAt: now, AIEnabled: true},
		Memberships:  []Membership{{OrganizationID: made.Organization, UserID: made.Owner, Role: auth.Owner, Revision: 1, CreatedAt: now, ChangedAt: now}},
	}
	detail, err := json.Marshal(map[string]any{"role": auth.Owner})
	if err != nil {
		return nil, err
	}
	revision := int64(1)
	s.AuditEvents = []AuditEvent{
		{OrganizationID: made.Organization, ID: db.NewID(), Action: "organization.created", TargetKind: "organization", TargetID: made.Organization, TargetRevision: &revision, Detail: json.RawMessage("{}"), HappenedAt: now},
		{OrganizationID: made.Organization, ID: db.NewID(), Action: "member.added", TargetKind: "member", TargetID: made.Owner, TargetRevision: &revision, Detail: detail, HappenedAt: now},
	}
	return s, nil
}
