package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/oapi-codegen/nullable"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/mail"
	"github.com/kakeai/kakeai/internal/meeting"
)

const (
	defaultInvitationDays = 7
	invitationSendings    = 5 // as the table has it
	invitationPause       = time.Minute
)

func invitationView(row db.GetInvitationRow) Invitation {
	i := row.Invitation
	view := Invitation{ID: i.ID, Email: i.Email, Role: i.Role, TeamIds: i.TeamIDs, State: invitationState(i, row.Overdue), Sendings: int(i.Sendings),
		InvitedBy: Person{ID: i.InvitedBy, Name: row.Inviter}, CreatedAt: i.CreatedAt, SentAt: i.SentAt, ExpiresAt: i.ExpiresAt,
		Mail: nullable.NewNullNullable[InvitationMail](), EndedAt: nullable.NewNullNullable[time.Time]()}
	if row.MailState != nil {
		view.Mail = nullable.NewNullableWithValue(InvitationMail(*row.MailState))
	}
	for _, ended := range []*time.Time{i.AcceptedAt, i.RevokedAt} {
		if ended != nil {
			view.EndedAt = nullable.NewNullableWithValue(*ended)
		}
	}
	return view
}

func invitationState(i db.Invitation, overdue bool) InvitationState {
	switch {
	case i.AcceptedAt != nil:
		return InvitationStateAccepted
	case i.RevokedAt != nil:
		return InvitationStateRevoked
	case overdue:
		return InvitationStateExpired
	}
	return InvitationStateOpen
}

// ListInvitations lists who was invited.
func (s *Server) ListInvitations(ctx context.Context, request ListInvitationsRequestObject) (ListInvitationsResponseObject, error) {
	open := request.Params.Open != nil && *request.Params.Open
	filters := url.Values{}
	if open {
		filters.Set("open", "true")
	}
	l, err := s.newList(exchangeOf(ctx), "/invitations", request.Params.Limit, request.Params.Cursor, filters)
	if err != nil {
		return nil, err
	}
	before := uuid.Max
	if !l.begins {
		before = l.from.id
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListInvitationsResponseObject, error) {
		if !a.administers() {
			return nil, errNotAllowed
		}
		rows, err := listInvitations(ctx, q, a, open, before, l.pageSize())
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(r db.GetInvitationRow) position { return position{id: r.Invitation.ID} })
		return ListInvitations200Response{Body: InvitationPage{Items: converted(rows, invitationView), NextCursor: next}, Headers: ListInvitations200ResponseHeaders{Link: link}}, nil
	})
}

func listInvitations(ctx context.Context, q *db.Queries, a actor, open bool, before uuid.UUID, size int32) ([]db.GetInvitationRow, error) {
	if open {
		rows, err := q.ListOpenInvitationsBefore(ctx, db.ListOpenInvitationsBeforeParams{OrganizationID: a.OrganizationID, BeforeID: before, PageSize: size})
		return converted(rows, func(r db.ListOpenInvitationsBeforeRow) db.GetInvitationRow { return db.GetInvitationRow(r) }), err
	}
	rows, err := q.ListInvitationsBefore(ctx, db.ListInvitationsBeforeParams{OrganizationID: a.OrganizationID, BeforeID: before, PageSize: size})
	return converted(rows, func(r db.ListInvitationsBeforeRow) db.GetInvitationRow { return db.GetInvitationRow(r) }), err
}

// InviteMembers invites people. Each row is decided by itself; what is wrong with one is no reason not to invite the others.
func (s *Server) InviteMembers(ctx context.Context, request InviteMembersRequestObject) (InviteMembersResponseObject, error) {
	days := defaultInvitationDays
	if request.Body.Days != nil {
		days = *request.Body.Days
	}
	rows := request.Body.Invitations
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (InviteMembersResponseObject, error) {
		if !a.administers() {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		decided, err := decideInvitations(ctx, q, a, rows)
		if err != nil {
			return nil, err
		}
		body := InvitationResults{Results: decided}
		for n, row := range rows {
			result := &body.Results[n]
			if result.Outcome != InvitationOutcomeInvited {
				continue
			}
			made, err := s.invite(ctx, q, a, result.Email, roleOf(row), teamsOf(row), days)
			if err != nil {
				return nil, err
			}
			if made == uuid.Nil {
				result.Outcome = InvitationOutcomeAlreadyInvited // by somebody who was faster
				continue
			}
			result.InvitationID = nullable.NewNullableWithValue(made)
			body.Invited++
		}
		return InviteMembers200Response{Body: body}, nil
	})
}

func roleOf(row InvitationCreate) auth.Role {
	if row.Role == nil {
		return auth.Member
	}
	return *row.Role
}

func teamsOf(row InvitationCreate) []uuid.UUID {
	if row.TeamIds == nil {
		return []uuid.UUID{}
	}
	teams := slices.Clone(*row.TeamIds)
	slices.SortFunc(teams, func(a, b uuid.UUID) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(teams)
}

// decideInvitations says what is to become of each row, and ends what is overdue of those addresses.
func decideInvitations(ctx context.Context, q *db.Queries, a actor, rows []InvitationCreate) ([]InvitationResult, error) {
	emails, teams := make([]string, len(rows)), []uuid.UUID{}
	for n, row := range rows {
		emails[n] = strings.ToLower(strings.TrimSpace(row.Email))
		teams = append(teams, teamsOf(row)...)
	}
	usable, err := usableTeams(ctx, q, a, teams)
	if err != nil {
		return nil, err
	}
	there, overdue, err := invitees(ctx, q, a, emails)
	if err != nil {
		return nil, err
	}
	if err := q.RevokeOverdueInvitations(ctx, db.RevokeOverdueInvitationsParams{OrganizationID: a.OrganizationID, ActorID: a.UserID, IDs: overdue}); err != nil {
		return nil, err
	}
	results := make([]InvitationResult, len(rows))
	for n, row := range rows {
		invitee := there[emails[n]]
		result := InvitationResult{Email: emails[n], Outcome: InvitationOutcomeInvited, InvitationID: nullable.NewNullNullable[uuid.UUID]()}
		switch {
		case mail.CheckAddress(emails[n]) != nil:
			result.Outcome = InvitationOutcomeInvalidAddress
		case slices.Contains(emails[:n], emails[n]):
			result.Outcome = InvitationOutcomeRepeated
		case !a.Role.AtLeast(roleOf(row)):
			result.Outcome = InvitationOutcomeRoleAboveOwn
		case slices.ContainsFunc(teamsOf(row), func(team uuid.UUID) bool { return !usable[team] }):
			result.Outcome = InvitationOutcomeUnknownTeam
		case invitee.UserID != nil && invitee.SuspendedAt != nil:
			result.Outcome = InvitationOutcomeSuspendedMember
		case invitee.UserID != nil:
			result.Outcome = InvitationOutcomeAlreadyMember
		case invitee.InvitationID != nil && !invitee.Overdue:
			result.Outcome, result.InvitationID = InvitationOutcomeAlreadyInvited, nullable.NewNullableWithValue(*invitee.InvitationID)
		}
		results[n] = result
	}
	return results, nil
}

// usableTeams are those of these teams that somebody can join, a bounded number at a time.
func usableTeams(ctx context.Context, q *db.Queries, a actor, teams []uuid.UUID) (map[uuid.UUID]bool, error) {
	usable := map[uuid.UUID]bool{}
	for some := range slices.Chunk(teams, 1000) {
		ids, err := q.ListUsableTeams(ctx, db.ListUsableTeamsParams{OrganizationID: a.OrganizationID, IDs: some})
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			usable[id] = true
		}
	}
	return usable, nil
}

// invitees are what is there of e-mail addresses, by the address, and the invitations among it whose time is over.
func invitees(ctx context.Context, q *db.Queries, a actor, emails []string) (there map[string]db.ListInviteesRow, overdue []uuid.UUID, err error) {
	distinct := slices.Clone(emails)
	slices.Sort(distinct)
	rows, err := q.ListInvitees(ctx, db.ListInviteesParams{OrganizationID: a.OrganizationID, Emails: slices.Compact(distinct)})
	there, overdue = map[string]db.ListInviteesRow{}, []uuid.UUID{}
	for _, row := range rows {
		there[row.Email] = row
		if row.Overdue {
			overdue = append(overdue, *row.InvitationID)
		}
	}
	return there, overdue, err
}

// invite makes an invitation and has its mail sent; the nil UUID if there is one by now.
func (s *Server) invite(ctx context.Context, q *db.Queries, a actor, email string, role auth.Role, teams []uuid.UUID, days int) (uuid.UUID, error) {
	id := db.NewID()
	made, err := q.CreateInvitation(ctx, db.CreateInvitationParams{OrganizationID: a.OrganizationID, ID: id, Email: email, Role: string(role), TeamIDs: teams,
		Days: int32(days), TokenHash: s.invitationHash(a.OrganizationID, id, 1), MailID: db.NewID(), EventID: db.NewID(), ActorID: a.UserID}) //nolint:gosec // at most 30
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, nil
	}
	if err != nil {
		return uuid.Nil, err
	}
	return made, record(ctx, q, a, event{action: "invitation.created", targetKind: "invitation", target: made, detail: map[string]any{"role": role, "team_ids": teams}})
}

// invitationHash is what the database knows the link by that is sent for the nth time.
func (s *Server) invitationHash(organization, id uuid.UUID, n int16) []byte {
	_, _, hash, _ := mail.ReadInvitation(s.links.Invitation(organization, id, n))
	return hash
}

// ResendInvitation sends an invitation again. What was sent before is worth nothing from then on.
func (s *Server) ResendInvitation(ctx context.Context, request ResendInvitationRequestObject) (ResendInvitationResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ResendInvitationResponseObject, error) {
		present, err := invitationToChange(ctx, q, a, request.InvitationID)
		if err != nil {
			return nil, err
		}
		i, n := present.Invitation, present.Invitation.Sendings
		_, err = q.ResendInvitation(ctx, db.ResendInvitationParams{OrganizationID: a.OrganizationID, ID: i.ID, Sendings: n, TokenHash: s.invitationHash(a.OrganizationID, i.ID, n+1),
			MailID: db.NewID(), EventID: db.NewID()})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, cannotResend(present)
		}
		if err != nil {
			return nil, err
		}
		if err := record(ctx, q, a, event{action: "invitation.resent", targetKind: "invitation", target: i.ID}); err != nil {
			return nil, err
		}
		now, err := q.GetInvitation(ctx, db.GetInvitationParams{OrganizationID: a.OrganizationID, ID: i.ID})
		return ResendInvitation200Response{Body: invitationView(now)}, err
	})
}

// cannotResend says why an invitation that the transaction holds was not sent again.
func cannotResend(present db.GetInvitationRow) error {
	i := present.Invitation
	switch {
	case i.AcceptedAt != nil || i.RevokedAt != nil:
		return wrongState("The invitation is "+string(invitationState(i, present.Overdue))+".", invitationView(present))
	case i.Sendings >= invitationSendings:
		return wrongState("It was sent five times. Revoke it, and make sure of the address before you invite anew.", invitationView(present))
	}
	return tooMany(invitationPause)
}

// RevokeInvitation takes an invitation back.
func (s *Server) RevokeInvitation(ctx context.Context, request RevokeInvitationRequestObject) (RevokeInvitationResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (RevokeInvitationResponseObject, error) {
		present, err := invitationToChange(ctx, q, a, request.InvitationID)
		if err != nil {
			return nil, err
		}
		_, err = q.RevokeInvitation(ctx, db.RevokeInvitationParams{OrganizationID: a.OrganizationID, ID: request.InvitationID, ActorID: a.UserID})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, wrongState("The invitation is "+string(invitationState(present.Invitation, present.Overdue))+".", invitationView(present))
		}
		if err != nil {
			return nil, err
		}
		if err := record(ctx, q, a, event{action: "invitation.revoked", targetKind: "invitation", target: request.InvitationID}); err != nil {
			return nil, err
		}
		now, err := q.GetInvitation(ctx, db.GetInvitationParams{OrganizationID: a.OrganizationID, ID: request.InvitationID})
		return RevokeInvitation200Response{Body: invitationView(now)}, err
	})
}

// invitationToChange holds and reads an invitation for whoever may change it. Nobody does so with one to a role above their own.
func invitationToChange(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (db.GetInvitationRow, error) {
	if !a.administers() {
		return db.GetInvitationRow{}, errNotAllowed
	}
	if err := a.claim(ctx, q); err != nil {
		return db.GetInvitationRow{}, err
	}
	key := db.GetInvitationParams{OrganizationID: a.OrganizationID, ID: id}
	if _, err := q.LockInvitation(ctx, db.LockInvitationParams(key)); err != nil {
		return db.GetInvitationRow{}, err
	}
	row, err := q.GetInvitation(ctx, key)
	if err == nil && !a.Role.AtLeast(row.Invitation.Role) {
		return row, errNotAllowed
	}
	return row, err
}

// readInvitation reads a link, and counts that somebody came with it, before any row is read.
func (s *Server) readInvitation(ctx context.Context, token string) (key db.GetInvitationByTokenParams, err error) {
	if wait := s.limits.address.take(exchangeOf(ctx).address); wait > 0 {
		return key, tooMany(wait)
	}
	var ok bool
	if key.OrganizationID, key.ID, key.TokenHash, ok = mail.ReadInvitation(strings.TrimSpace(token)); !ok {
		return key, errNotFound
	}
	if wait := s.limits.invitation.take(key.ID); wait > 0 {
		return key, tooMany(wait)
	}
	return key, nil
}

// byLink reads what an invitation's link leads to, in a transaction of its organisation. A link that is wrong, and one that has been replaced, lead nowhere alike.
func byLink(ctx context.Context, key db.GetInvitationByTokenParams, transaction func(context.Context, db.Scope, db.Work) error,
	work func(ctx context.Context, q *db.Queries, row db.GetInvitationByTokenRow) error,
) error {
	return transaction(ctx, db.Scope{Organization: key.OrganizationID}, func(ctx context.Context, q *db.Queries) error {
		row, err := q.GetInvitationByToken(ctx, key)
		if err != nil {
			return err
		}
		if err := invitationOver(row); err != nil {
			return err
		}
		return work(ctx, q, row)
	})
}

// invitationOver says why a link that was right leads nowhere any more; nil if it does. An invitation is worth what whoever made it may still give.
func invitationOver(row db.GetInvitationByTokenRow) error {
	over := func(kind, title string) error { return &problem{status: http.StatusGone, kind: kind, title: title} }
	switch may := row.InviterRole.AtLeast(auth.Admin) && row.InviterRole.AtLeast(row.Invitation.Role) && row.InviterSuspendedAt == nil; {
	case row.Invitation.AcceptedAt != nil:
		return over("invitation-accepted", "This invitation was accepted before")
	case row.Invitation.RevokedAt != nil || !may:
		return over("invitation-revoked", "This invitation was taken back")
	case row.Overdue:
		return over("invitation-expired", "This invitation has expired")
	}
	return nil
}

// LookUpInvitation tells whoever has a link what it is about.
func (s *Server) LookUpInvitation(ctx context.Context, request LookUpInvitationRequestObject) (LookUpInvitationResponseObject, error) {
	key, err := s.readInvitation(ctx, request.Body.Token)
	if err != nil {
		return nil, err
	}
	var view InvitationView
	err = byLink(ctx, key, s.store.Read, func(ctx context.Context, q *db.Queries, row db.GetInvitationByTokenRow) error {
		invitee, err := findInvitee(ctx, q, row.Invitation)
		view = InvitationView{Organization: row.OrganizationName, Inviter: row.Inviter, Email: row.Invitation.Email, Role: row.Invitation.Role,
			ExpiresAt: row.Invitation.ExpiresAt, HasAccount: invitee != nil, Locale: Locale(row.Locale), TimeZone: row.TimeZone}
		return err
	})
	return LookUpInvitation200Response{Body: view}, err
}

// findInvitee is the person with an invitation's e-mail address; nil if there is none.
func findInvitee(ctx context.Context, q *db.Queries, i db.Invitation) (*db.FindInviteeRow, error) {
	row, err := q.FindInvitee(ctx, db.FindInviteeParams{OrganizationID: i.OrganizationID, Email: i.Email})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // nobody is an answer
	}
	return &row, err
}

// AcceptInvitation has somebody join. Having the link proves that the address is theirs, which is enough to be given a membership, and not to be signed in. Whether there is an account is read
// first, because a password is hashed without a connection, and once more in the transaction that decides.
func (s *Server) AcceptInvitation(ctx context.Context, request AcceptInvitationRequestObject) (AcceptInvitationResponseObject, error) {
	key, err := s.readInvitation(ctx, request.Body.Token)
	if err != nil {
		return nil, err
	}
	var person db.CreateUserParams
	known := false
	err = byLink(ctx, key, s.store.Read, func(ctx context.Context, q *db.Queries, row db.GetInvitationByTokenRow) error {
		invitee, err := findInvitee(ctx, q, row.Invitation)
		if err != nil || invitee != nil {
			known = invitee != nil
			return err
		}
		person, err = newPerson(request.Body, row)
		return err
	})
	if err != nil {
		return nil, err
	}
	if !known {
		hash, err := s.passwords.Hash(ctx, *request.Body.Password)
		if err != nil {
			return nil, err
		}
		person.PasswordHash = &hash
	}
	var body InvitationAccepted
	err = byLink(ctx, key, s.store.Write, func(ctx context.Context, q *db.Queries, row db.GetInvitationByTokenRow) error {
		user, err := s.accept(ctx, q, row, person)
		body = InvitationAccepted{OrganizationID: row.Invitation.OrganizationID, Organization: row.OrganizationName, Email: row.Invitation.Email, NewAccount: user == person.ID && !known}
		return err
	})
	return AcceptInvitation201Response{Body: body}, err
}

// newPerson is a new account as somebody asks for it.
func newPerson(body *AcceptInvitationJSONRequestBody, row db.GetInvitationByTokenRow) (db.CreateUserParams, error) {
	p := db.CreateUserParams{ID: db.NewID(), Email: row.Invitation.Email, Locale: row.Locale, TimeZone: row.TimeZone}
	var refused []FieldProblem
	if body.Name == nil {
		refused = append(refused, FieldProblem{Pointer: "/name", Code: "required", Detail: "A new account needs a name."})
	} else {
		p.Name = *body.Name
		refused = append(refused, checkPersonName(p.Name)...)
	}
	if body.Password == nil {
		refused = append(refused, FieldProblem{Pointer: "/password", Code: "required", Detail: "A new account needs a password."})
	} else {
		refused = append(refused, checkNewPassword("/password", *body.Password)...)
	}
	if body.Locale != nil {
		p.Locale = string(*body.Locale)
	}
	if body.TimeZone != nil {
		p.TimeZone = *body.TimeZone
		refused = append(refused, checkZone(p.TimeZone)...)
	}
	if len(refused) > 0 {
		return p, invalid(refused...)
	}
	return p, nil
}

func checkPersonName(name string) []FieldProblem {
	if strings.TrimSpace(name) == "" {
		return []FieldProblem{{Pointer: "/name", Code: "required", Detail: "A name has something in it."}}
	}
	return nil
}

func checkZone(zone string) []FieldProblem {
	if _, err := meeting.LoadZone(zone); err != nil {
		return []FieldProblem{{Pointer: "/time_zone", Code: "unknown-zone", Detail: "Send an IANA name, such as Asia/Tokyo."}}
	}
	return nil
}

func checkNewPassword(pointer, password string) []FieldProblem {
	switch err := auth.CheckPassword(password); {
	case err == nil:
		return nil
	case errors.Is(err, auth.ErrPasswordTooShort):
		return []FieldProblem{{Pointer: pointer, Code: "too-short", Detail: "A password has at least 10 characters."}}
	case errors.Is(err, auth.ErrPasswordTooLong):
		return []FieldProblem{{Pointer: pointer, Code: "too-long", Detail: "A password has at most 200 characters."}}
	}
	return []FieldProblem{{Pointer: pointer, Code: "too-simple", Detail: "A password is more than one character repeated."}}
}

// accept makes whoever is invited a member, in the transaction that ends the invitation. It returns who that is.
func (s *Server) accept(ctx context.Context, q *db.Queries, row db.GetInvitationByTokenRow, person db.CreateUserParams) (uuid.UUID, error) {
	i := row.Invitation
	if _, err := q.LockInvitation(ctx, db.LockInvitationParams{OrganizationID: i.OrganizationID, ID: i.ID}); err != nil {
		return uuid.Nil, err
	}
	now, err := q.GetInvitationByToken(ctx, db.GetInvitationByTokenParams{OrganizationID: i.OrganizationID, ID: i.ID, TokenHash: i.TokenHash})
	if err != nil {
		return uuid.Nil, err
	}
	if err := invitationOver(now); err != nil {
		return uuid.Nil, err
	}
	invitee, err := findInvitee(ctx, q, i)
	if err != nil {
		return uuid.Nil, err
	}
	user := person.ID
	switch {
	case invitee != nil && invitee.SuspendedAt != nil:
		return uuid.Nil, wrongState("This account is suspended here. Whoever administers the organisation can let it back.", nil)
	case invitee != nil && invitee.MemberID != nil:
		return uuid.Nil, wrongState("This account belongs to the organisation already. Sign in.", nil)
	case invitee != nil:
		user = invitee.ID
	default:
		if err := q.CreateUser(ctx, person); err != nil {
			return uuid.Nil, err
		}
	}
	if err := q.CreateMembership(ctx, db.CreateMembershipParams{OrganizationID: i.OrganizationID, UserID: user, Role: string(i.Role)}); err != nil {
		return uuid.Nil, err
	}
	if err := q.JoinTeams(ctx, db.JoinTeamsParams{OrganizationID: i.OrganizationID, UserID: user, TeamIDs: i.TeamIDs}); err != nil {
		return uuid.Nil, err
	}
	if err := q.AcceptInvitation(ctx, db.AcceptInvitationParams{OrganizationID: i.OrganizationID, ID: i.ID, UserID: user}); err != nil {
		return uuid.Nil, err
	}
	who := actor{someone(i.OrganizationID, user), exchangeOf(ctx)}
	if err := record(ctx, q, who, event{action: "invitation.accepted", targetKind: "invitation", target: i.ID}); err != nil {
		return uuid.Nil, err
	}
	return user, record(ctx, q, who, event{action: "member.added", targetKind: "member", target: user,
		detail: map[string]any{"role": i.Role, "team_ids": i.TeamIDs, "invitation_id": i.ID, "invited_by": i.InvitedBy}})
}
