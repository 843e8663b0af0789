package api

import (
	"context"
	"errors"
	"net/url"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

func memberView(m db.GetMemberRow, icons icons) Member {
	return Member{ID: m.UserID, Name: m.Name, Email: m.Email, Role: m.Role, Suspended: m.SuspendedAt != nil, IconURL: icons.of(m.UserID), Revision: m.Revision, CreatedAt: m.CreatedAt}
}

// ListMembers lists the organisation's members.
func (s *Server) ListMembers(ctx context.Context, request ListMembersRequestObject) (ListMembersResponseObject, error) {
	filters := url.Values{}
	if team := request.Params.TeamID; team != nil {
		filters.Set("team_id", team.String())
	}
	if text := request.Params.Text; text != nil {
		filters.Set("text", *text)
	}
	if ids := request.Params.Ids; ids != nil {
		filters.Set("ids", joined(*ids))
	}
	l, err := s.newList(exchangeOf(ctx), "/members", request.Params.Limit, request.Params.Cursor, filters)
	if err != nil {
		return nil, err
	}
	if text := request.Params.Text; text != nil {
		if err := storable("/query/text", *text); err != nil {
			return nil, err
		}
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListMembersResponseObject, error) {
		rows, err := listMembers(ctx, q, a, request.Params, l)
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(r db.ListMembersAfterRow) position { return position{id: r.UserID} })
		ids := make([]uuid.UUID, 0, len(rows))
		for _, r := range rows {
			ids = append(ids, r.UserID)
		}
		icons, err := iconsOf(ctx, q, a.OrganizationID, ids...)
		if err != nil {
			return nil, err
		}
		items := make([]Member, 0, len(rows))
		for _, r := range rows {
			items = append(items, memberView(db.GetMemberRow(r), icons))
		}
		return ListMembers200Response{Body: MemberPage{Items: items, NextCursor: next}, Headers: ListMembers200ResponseHeaders{Link: link}}, nil
	})
}

func listMembers(ctx context.Context, q *db.Queries, a actor, p ListMembersParams, l list) ([]db.ListMembersAfterRow, error) {
	switch {
	case p.Ids != nil && (p.Text != nil || p.TeamID != nil):
		return nil, badRequest(FieldProblem{Pointer: "/query/ids", Code: "one-of-two", Detail: "Name members, look for words, or list a team."})
	case p.Ids != nil:
		return membersWith(ctx, q, a, *p.Ids, nil, l)
	case p.Text != nil:
		return membersWithWords(ctx, q, a, p, l)
	case p.TeamID == nil:
		return q.ListMembersAfter(ctx, db.ListMembersAfterParams{OrganizationID: a.OrganizationID, AfterID: l.from.id, PageSize: l.pageSize()})
	}
	rows, err := q.ListMembersOfTeamAfter(ctx, db.ListMembersOfTeamAfterParams{OrganizationID: a.OrganizationID, TeamID: *p.TeamID, AfterID: l.from.id, PageSize: l.pageSize()})
	return converted(rows, func(r db.ListMembersOfTeamAfterRow) db.ListMembersAfterRow { return db.ListMembersAfterRow(r) }), err
}

// membersWithWords looks at those few that the index of names leads to, as Search does, suspended ones too.
func membersWithWords(ctx context.Context, q *db.Queries, a actor, p ListMembersParams, l list) ([]db.ListMembersAfterRow, error) {
	if p.TeamID != nil {
		return nil, badRequest(FieldProblem{Pointer: "/query/text", Code: "one-of-two", Detail: "Look for words, or list a team."})
	}
	wanted, err := searchFor(ctx, q, *p.Text)
	if err != nil {
		return nil, err
	}
	ids, _, err := wanted.candidates(ctx, nameTerms{q, a.OrganizationID, kindPerson})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return membersWith(ctx, q, a, ids, wanted.words, l)
}

func membersWith(ctx context.Context, q *db.Queries, a actor, ids []uuid.UUID, words []string, l list) ([]db.ListMembersAfterRow, error) {
	rows, err := q.ListMatchingMembersAfter(ctx, db.ListMatchingMembersAfterParams{OrganizationID: a.OrganizationID, IDs: ids, Words: words, AfterID: l.from.id, PageSize: l.pageSize()})
	return converted(rows, func(r db.ListMatchingMembersAfterRow) db.ListMembersAfterRow { return db.ListMembersAfterRow(r) }), err
}

// GetMember shows one member.
func (s *Server) GetMember(ctx context.Context, request GetMemberRequestObject) (GetMemberResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetMemberResponseObject, error) {
		m, err := q.GetMember(ctx, db.GetMemberParams{OrganizationID: a.OrganizationID, UserID: request.MemberID})
		if err != nil {
			return nil, err
		}
		icons, err := iconsOf(ctx, q, a.OrganizationID, m.UserID)
		return GetMember200Response{Body: memberView(m, icons), Headers: GetMember200ResponseHeaders{ETag: etag(m.Revision)}}, err
	})
}

// UpdateMember changes a member's role or suspends them. Taking an owner's power locks the owners, so that the last two cannot step down
// at once; this is one of the named places where a write waits for a row that is not its own.
func (s *Server) UpdateMember(ctx context.Context, request UpdateMemberRequestObject) (UpdateMemberResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (UpdateMemberResponseObject, error) {
		key := db.GetMemberParams{OrganizationID: a.OrganizationID, UserID: request.MemberID}
		present, err := q.GetMember(ctx, key)
		if err != nil {
			return nil, err
		}
		if !mayChangeMember(a, present, request.Body) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if present.Revision != from.revision {
			return nil, staleMember(ctx, q, a, key, from) // what was allowed, was allowed for the role and state that were read
		}
		change := db.UpdateMemberIfRevisionParams{OrganizationID: a.OrganizationID, UserID: request.MemberID, Revision: from.revision}
		if role := request.Body.Role; role != nil {
			change.SetRole, change.Role = true, string(*role)
		}
		if suspended := request.Body.Suspended; suspended != nil {
			change.SetSuspended, change.Suspended = true, *suspended
		}
		if present.Role == auth.Owner && (change.SetRole && change.Role != string(auth.Owner) || change.Suspended) {
			if err := keepAnOwner(ctx, q, a, request.MemberID); err != nil {
				return nil, err
			}
		}
		changed, err := q.UpdateMemberIfRevision(ctx, change)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, staleMember(ctx, q, a, key, from)
		}
		if err != nil {
			return nil, err
		}
		if changed.SuspendedAt != nil {
			if err := q.DeleteSessionsOfUser(ctx, db.DeleteSessionsOfUserParams(key)); err != nil {
				return nil, err
			}
		}
		changes := changesOf(fieldChange{"role", present.Role, changed.Role}, fieldChange{"suspended", present.SuspendedAt != nil, changed.SuspendedAt != nil})
		present.Role, present.SuspendedAt, present.Revision = changed.Role, changed.SuspendedAt, changed.Revision
		icons, err := iconsOf(ctx, q, a.OrganizationID, request.MemberID)
		if err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "member.updated", targetKind: "member", target: request.MemberID, targetRevision: &changed.Revision,
			detail: map[string]any{"role": changed.Role, "suspended": changed.SuspendedAt != nil, "changes": changes}})
		return UpdateMember200Response{Body: memberView(present, icons), Headers: UpdateMember200ResponseHeaders{ETag: etag(changed.Revision)}}, err
	})
}

// mayChangeMember keeps anybody from rising by their own hand: one gives no more than one has, and changes nobody above.
func mayChangeMember(a actor, present db.GetMemberRow, change *MemberPatch) bool {
	if !a.administers() || !a.Role.AtLeast(present.Role) {
		return false
	}
	if change.Role != nil && !a.Role.AtLeast(*change.Role) {
		return false
	}
	return !(change.Suspended != nil && *change.Suspended && present.UserID == a.UserID) // locking oneself out is always a mistake
}

func keepAnOwner(ctx context.Context, q *db.Queries, a actor, leaving uuid.UUID) error {
	owners, err := q.LockOwners(ctx, db.LockOwnersParams{OrganizationID: a.OrganizationID})
	if err != nil {
		return err
	}
	for _, owner := range owners {
		if owner != leaving {
			return nil
		}
	}
	return wrongState("An organisation keeps at least one owner who can sign in.", nil)
}

func staleMember(ctx context.Context, q *db.Queries, a actor, key db.GetMemberParams, from precondition) error {
	present, err := q.GetMember(ctx, key)
	if err != nil {
		return err
	}
	by, err := lastChangedBy(ctx, q, a, present.UserID)
	if err != nil {
		return err
	}
	icons, err := iconsOf(ctx, q, a.OrganizationID, present.UserID)
	if err != nil {
		return err
	}
	return from.stale(memberView(present, icons), present.Revision, by, present.ChangedAt)
}
