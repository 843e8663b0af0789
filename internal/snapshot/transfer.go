package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/figures"
)

// ExportOptions say what an export holds beside the organisation.
type ExportOptions struct {
	PasswordHashes bool // members sign in with the same passwords where the file is imported
}

// Export writes an organisation to a file, as it stands at one moment, without ever holding more of it than a page. A file that ends
// without its digest is no export. The error is ErrNotThere if there is no such organisation.
func (d *Database) Export(ctx context.Context, organization uuid.UUID, to io.Writer, o ExportOptions) error {
	return db.ReadWhole(ctx, d.ownerURL, organization, func(ctx context.Context, tx pgx.Tx) error {
		q := db.New(tx)
		row, err := organizationOf(ctx, q, organization)
		if err != nil {
			return err
		}
		w := newFileWriter(to)
		w.begin(row)
		for _, part := range sections() {
			err := w.list(part.name, func(emit func(any) error) error {
				return part.load(ctx, q, organization, func(row any) error {
					if row = o.exported(row); row == nil {
						return nil
					}
					return emit(row)
				})
			})
			if err != nil {
				return err
			}
		}
		return w.end()
	})
}

// exported is a row as the file has it; nil for one that it does not have.
func (o ExportOptions) exported(row any) any {
	switch row := row.(type) {
	case User:
		if !o.PasswordHashes {
			row.PasswordHash = nil
		}
		return row
	case AIJob:
		if row.live() {
			return nil
		}
	case Broadcast:
		return row.exported()
	}
	return row
}

func (j AIJob) live() bool { return j.State == "queued" || j.State == "running" }

func organizationOf(ctx context.Context, q *db.Queries, id uuid.UUID) (Organization, error) {
	row, err := q.GetOrganization(ctx, db.GetOrganizationParams{OrganizationID: id})
	if errors.Is(err, pgx.ErrNoRows) {
		return Organization{}, fmt.Errorf("%w: %s", ErrNotThere, id)
	}
	return Organization(row), err
}

// Load reads an organisation into memory. The error is ErrNotThere if there is none.
func (d *Database) Load(ctx context.Context, organization uuid.UUID) (s *Snapshot, err error) {
	err = db.ReadWhole(ctx, d.ownerURL, organization, func(ctx context.Context, tx pgx.Tx) error {
		s, err = load(ctx, db.New(tx), organization)
		return err
	})
	return s, err
}

// Find returns the organisation that an operator means: by id, or by a name that only one has. The error is ErrNotThere, and says which ones there are.
func (d *Database) Find(ctx context.Context, idOrName string) (id uuid.UUID, err error) {
	var there []db.ListOrganizationsAfterRow
	err = db.ReadWhole(ctx, d.ownerURL, uuid.Nil, func(ctx context.Context, tx pgx.Tx) error {
		for after := uuid.Nil; ; {
			rows, err := db.New(tx).ListOrganizationsAfter(ctx, db.ListOrganizationsAfterParams{AfterID: after, PageSize: pageSize})
			if err != nil || len(rows) == 0 {
				return err
			}
			there = append(there, rows...)
			after = rows[len(rows)-1].ID
		}
	})
	if err != nil {
		return uuid.Nil, err
	}
	var meant []uuid.UUID
	for _, o := range there {
		if o.ID.String() == idOrName {
			return o.ID, nil
		}
		if o.Name == idOrName {
			meant = append(meant, o.ID)
		}
	}
	switch {
	case len(meant) == 1:
		return meant[0], nil
	case len(meant) > 1:
		return uuid.Nil, fmt.Errorf("%w that is the only one named %q: name it by its id, one of %v", ErrNotThere, idOrName, meant)
	}
	list := ""
	for _, o := range there[:min(len(there), faultsTold)] {
		list += fmt.Sprintf("\n  %s  %s", o.ID, o.Name)
	}
	if list == "" {
		list = " (there is none yet: kakeai org bootstrap makes one)"
	}
	return uuid.Nil, fmt.Errorf("%w: %q. There are:%s", ErrNotThere, idOrName, list)
}

// Import brings an organisation from a file into a database that does not have it, whole or not at all. What is wrong with the file
// is a RefusedError with every reason; ErrExists if the organisation is there.
//
// People are joined by id and e-mail address together: whoever has both here already becomes a member as they are here, and nothing of theirs is
// changed. Whoever has only one of the two here is somebody else, or the same person by another name, which no program can know: that is refused.
func (d *Database) Import(ctx context.Context, from io.Reader) (*Snapshot, error) {
	s, err := Read(from, false)
	if err != nil {
		return nil, err
	}
	if faults := s.Validate(); len(faults) > 0 {
		return nil, refused(faults...)
	}
	if i := slices.IndexFunc(s.Jobs, AIJob.live); i >= 0 {
		return nil, refused(Fault{Pointer: fmt.Sprintf("/jobs/%d", i), Kind: "job", ID: s.Jobs[i].ID, Code: "job-live", Detail: "A job that has not ended is not imported: it is work of another installation."})
	}
	if i := slices.IndexFunc(s.Broadcasts, Broadcast.underWay); i >= 0 {
		return nil, refused(Fault{Pointer: fmt.Sprintf("/broadcasts/%d", i), Kind: "broadcast", ID: s.Broadcasts[i].ID, Code: "broadcast-under-way", Detail: "A broadcast that is under way is not imported: another installation sends it."})
	}
	err = d.change(ctx, s.Organization.ID, func(ctx context.Context, tx pgx.Tx) error {
		q := db.New(tx)
		if _, err := organizationOf(ctx, q, s.Organization.ID); !errors.Is(err, ErrNotThere) {
			return errors.Join(err, ErrExists)
		}
		newcomers, err := newPeople(ctx, q, s.Users)
		if err != nil {
			return err
		}
		if err := insert(ctx, tx, s, newcomers); err != nil {
			return err
		}
		if err := sameAs(ctx, q, s); err != nil {
			return err
		}
		return figures.Refresh(ctx, q, s.Organization.ID) // by the workers, who have more time
	})
	if err != nil {
		return nil, schemaRefusal(err)
	}
	return s, nil
}

// sameAs reads again what was imported, row by row, and refuses what the database keeps in another form than the file has it. People are not
// compared: who was here before stays as they were.
func sameAs(ctx context.Context, q *db.Queries, s *Snapshot) error {
	s.sort()
	kept, err := organizationOf(ctx, q, s.Organization.ID)
	if err != nil {
		return err
	}
	if !same(kept, s.Organization) {
		return refused(Fault{Pointer: "/organization", Kind: "organization", ID: kept.ID, Code: codeForm, Detail: keptOtherwise})
	}
	for _, part := range sections() {
		if part.name == "users" {
			continue
		}
		n := 0
		err := part.load(ctx, q, s.Organization.ID, func(row any) error {
			at := n
			n++
			if at >= part.count(s) || !same(part.at(s, at), row) {
				return refused(Fault{Pointer: fmt.Sprintf("/%s/%d", part.name, at), Code: codeForm, Detail: keptOtherwise})
			}
			return nil
		})
		if err != nil {
			return err
		}
		if n != part.count(s) {
			return refused(Fault{Pointer: "/" + part.name, Code: codeForm, Detail: keptOtherwise})
		}
	}
	return nil
}

const keptOtherwise = "The database would keep it otherwise."

// newPeople are those of the file's people who are not here yet.
func newPeople(ctx context.Context, q *db.Queries, people []User) ([]User, error) {
	var faults []Fault
	var newcomers []User
	index := 0
	for some := range slices.Chunk(people, peopleAtOnce) {
		byID, byEmail := map[uuid.UUID]string{}, map[string]uuid.UUID{}
		ids, emails := make([]uuid.UUID, len(some)), make([]string, len(some))
		for i, u := range some {
			ids[i], emails[i] = u.ID, u.Email
		}
		here, err := q.ListPeopleLike(ctx, db.ListPeopleLikeParams{IDs: ids, Emails: emails})
		if err != nil {
			return nil, err
		}
		for _, u := range here {
			byID[u.ID], byEmail[u.Email] = u.Email, u.ID
		}
		for _, u := range some {
			email, knownID := byID[u.ID]
			id, knownEmail := byEmail[u.Email]
			fault := Fault{Pointer: fmt.Sprintf("/users/%d", index), Kind: "person", ID: u.ID}
			index++
			switch {
			case !knownID && !knownEmail:
				newcomers = append(newcomers, u)
			case knownID && email != u.Email:
				fault.Code, fault.Detail = "person-differs", fmt.Sprintf("Somebody with this id is here with another e-mail address than %s.", u.Email)
				faults = append(faults, fault)
			case knownEmail && id != u.ID:
				fault.Code, fault.Detail = "email-taken", fmt.Sprintf("Somebody with the address %s is here with another id.", u.Email)
				faults = append(faults, fault)
			}
		}
	}
	if len(faults) > 0 {
		return nil, refused(faults...)
	}
	return newcomers, nil
}

// peopleAtOnce is the bound of ListPeopleLike.
const peopleAtOnce = 500

// change runs work alone on an organisation; see db.ChangeWhole.
func (d *Database) change(ctx context.Context, organization uuid.UUID, work func(ctx context.Context, tx pgx.Tx) error) error {
	return db.ChangeWhole(ctx, d.ownerURL, organization, db.WholeOptions{LockTimeout: d.options.LockTimeout, Release: d.options.Release, Maintenance: d.options.Maintenance}, work)
}

// schemaRefusal turns what the database's own rules refuse into a refusal of the file.
func schemaRefusal(err error) error {
	var constraint *db.ConstraintError
	var value *db.ValueError
	switch {
	case errors.As(err, &constraint):
		return refused(Fault{Code: "schema-rule", Detail: fmt.Sprintf("The database's rule %s does not allow it.", constraint.Constraint)})
	case errors.As(err, &value):
		return refused(Fault{Code: "schema-rule", Detail: "A text or a number is one that the database cannot hold."})
	}
	return err
}
