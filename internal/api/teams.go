package api

import (
	"context"
	"errors"
	"net/url"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

func teamView(t db.Team) Team {
	return Team{ID: t.ID, Name: t.Name, Description: t.Description, Archived: t.ArchivedAt != nil, Revision: t.Revision, CreatedAt: t.CreatedAt, ChangedAt: t.ChangedAt}
}

// ListTeams lists the organisation's teams.
func (s *Server) ListTeams(ctx context.Context, request ListTeamsRequestObject) (ListTeamsResponseObject, error) {
	p := request.Params
	filters := url.Values{}
	if p.Ids != nil {
		filters.Set("ids", joined(*p.Ids))
	}
	if p.Text != nil {
		filters.Set("text", *p.Text)
	}
	if p.Archived != nil {
		filters.Set("archived", strconv.FormatBool(*p.Archived))
	}
	l, err := s.newList(exchangeOf(ctx), "/teams", p.Limit, p.Cursor, filters)
	if err != nil {
		return nil, err
	}
	if p.Text != nil {
		if err := storable("/query/text", *p.Text); err != nil {
			return nil, err
		}
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListTeamsResponseObject, error) {
		rows, err := listTeams(ctx, q, a, p, l)
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(t db.Team) position { return position{id: t.ID} })
		items := make([]Team, 0, len(rows))
		for _, t := range rows {
			items = append(items, teamView(t))
		}
		return ListTeams200Response{Body: TeamPage{Items: items, NextCursor: next}, Headers: ListTeams200ResponseHeaders{Link: link}}, nil
	})
}

func listTeams(ctx context.Context, q *db.Queries, a actor, p ListTeamsParams, l list) ([]db.Team, error) {
	switch {
	case p.Ids != nil && p.Text != nil:
		return nil, badRequest(FieldProblem{Pointer: "/query/ids", Code: "one-of-two", Detail: "Name teams, or look for words."})
	case p.Ids != nil:
		return teamsWith(ctx, q, a, *p.Ids, nil, p.Archived, l)
	case p.Text != nil:
		wanted, err := searchFor(ctx, q, *p.Text)
		if err != nil {
			return nil, err
		}
		ids, _, err := wanted.candidates(ctx, nameTerms{q, a.OrganizationID, kindTeam})
		if err != nil || len(ids) == 0 {
			return nil, err
		}
		return teamsWith(ctx, q, a, ids, wanted.words, p.Archived, l)
	case p.Archived != nil:
		return q.ListTeamsOfStateAfter(ctx, db.ListTeamsOfStateAfterParams{OrganizationID: a.OrganizationID, Archived: *p.Archived, AfterID: l.from.id, PageSize: l.pageSize()})
	}
	return q.ListTeamsAfter(ctx, db.ListTeamsAfterParams{OrganizationID: a.OrganizationID, AfterID: l.from.id, PageSize: l.pageSize()})
}

func teamsWith(ctx context.Context, q *db.Queries, a actor, ids []uuid.UUID, words []string, archived *bool, l list) ([]db.Team, error) {
	return q.ListMatchingTeamsAfter(ctx, db.ListMatchingTeamsAfterParams{OrganizationID: a.OrganizationID, IDs: ids, Words: words, Archived: archived, AfterID: l.from.id, PageSize: l.pageSize()})
}

// CreateTeam makes a team without members.
func (s *Server) CreateTeam(ctx context.Context, request CreateTeamRequestObject) (CreateTeamResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CreateTeamResponseObject, error) {
		if !a.administers() {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		t, err := q.CreateTeam(ctx, db.CreateTeamParams{OrganizationID: a.OrganizationID, ID: db.NewID(), Name: request.Body.Name,
			Description: request.Body.Description, ActorID: a.UserID})
		if err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "team.created", targetKind: "team", target: t.ID, targetRevision: &t.Revision})
		return CreateTeam201Response{Body: teamView(t), Headers: CreateTeam201ResponseHeaders{ETag: etag(t.Revision), Location: location("teams", t.ID)}}, err
	})
}

func location(collection string, id uuid.UUID) string {
	return basePath + "/" + collection + "/" + id.String()
}

// GetTeam shows one team.
func (s *Server) GetTeam(ctx context.Context, request GetTeamRequestObject) (GetTeamResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetTeamResponseObject, error) {
		t, err := q.GetTeam(ctx, db.GetTeamParams{OrganizationID: a.OrganizationID, ID: request.TeamID})
		if err != nil {
			return nil, err
		}
		return GetTeam200Response{Body: teamView(t), Headers: GetTeam200ResponseHeaders{ETag: etag(t.Revision)}}, nil
	})
}

// UpdateTeam changes a team that is still at the revision the client read.
func (s *Server) UpdateTeam(ctx context.Context, request UpdateTeamRequestObject) (UpdateTeamResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (UpdateTeamResponseObject, error) {
		key := db.GetTeamParams{OrganizationID: a.OrganizationID, ID: request.TeamID}
		before, err := q.GetTeam(ctx, key)
		if err != nil {
			return nil, err
		}
		if !a.administers() && (!a.leads(&request.TeamID) || !a.writes() || request.Body.Archived != nil) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		changed, err := q.UpdateTeamIfRevision(ctx, teamChange(a, request, from))
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, staleTeam(ctx, q, a, key, from)
		}
		if err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "team.updated", targetKind: "team", target: changed.ID, targetRevision: &changed.Revision, detail: map[string]any{"changes": changesOf(
			fieldChange{"name", before.Name, changed.Name}, fieldChange{"description", orNull(before.Description), orNull(changed.Description)}, fieldChange{"archived", before.ArchivedAt != nil, changed.ArchivedAt != nil})}})
		return UpdateTeam200Response{Body: teamView(changed), Headers: UpdateTeam200ResponseHeaders{ETag: etag(changed.Revision)}}, err
	})
}

func teamChange(a actor, request UpdateTeamRequestObject, from precondition) db.UpdateTeamIfRevisionParams {
	change := db.UpdateTeamIfRevisionParams{OrganizationID: a.OrganizationID, ID: request.TeamID, Revision: from.revision, ActorID: a.UserID}
	if name := request.Body.Name; name != nil {
		change.SetName, change.Name = true, *name
	}
	change.SetDescription, change.Description = nullableField(request.Body.Description)
	if archived := request.Body.Archived; archived != nil {
		change.SetArchived, change.Archived = true, *archived
	}
	return change
}

func staleTeam(ctx context.Context, q *db.Queries, a actor, key db.GetTeamParams, from precondition) error {
	present, err := q.GetTeam(ctx, key)
	if err != nil {
		return err
	}
	names, err := namesOf(ctx, q, a, present.ChangedBy)
	if err != nil {
		return err
	}
	by := person(present.ChangedBy, names)
	return from.stale(teamView(present), present.Revision, &by, present.ChangedAt)
}

// ListTeamMembers lists who is in a team.
func (s *Server) ListTeamMembers(ctx context.Context, request ListTeamMembersRequestObject) (ListTeamMembersResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/teams/"+request.TeamID.String()+"/members", request.Params.Limit, request.Params.Cursor, url.Values{})
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListTeamMembersResponseObject, error) {
		if _, err := q.GetTeam(ctx, db.GetTeamParams{OrganizationID: a.OrganizationID, ID: request.TeamID}); err != nil {
			return nil, err
		}
		rows, err := q.ListTeamMembersAfter(ctx, db.ListTeamMembersAfterParams{OrganizationID: a.OrganizationID, TeamID: request.TeamID,
			AfterID: l.from.id, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(r db.ListTeamMembersAfterRow) position { return position{id: r.UserID} })
		items := make([]TeamMember, 0, len(rows))
		for _, r := range rows {
			items = append(items, TeamMember{Member: Person{ID: r.UserID, Name: r.Name}, Role: r.Role})
		}
		return ListTeamMembers200Response{Body: TeamMemberPage{Items: items, NextCursor: next}, Headers: ListTeamMembers200ResponseHeaders{Link: link}}, nil
	})
}

// PutTeamMember puts a member in a team, or changes what they are in it.
func (s *Server) PutTeamMember(ctx context.Context, request PutTeamMemberRequestObject) (PutTeamMemberResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (PutTeamMemberResponseObject, error) {
		team, role, err := teamPlace(ctx, q, a, request.TeamID, request.MemberID)
		if err != nil {
			return nil, err
		}
		if !mayPlace(a, request.TeamID, role == auth.TeamLead || request.Body.Role == auth.TeamLead) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if team.ArchivedAt != nil {
			return nil, wrongState("The team is archived.", nil)
		}
		member, err := q.GetMember(ctx, db.GetMemberParams{OrganizationID: a.OrganizationID, UserID: request.MemberID})
		if err != nil {
			return nil, err
		}
		err = q.PutTeamMember(ctx, db.PutTeamMemberParams{OrganizationID: a.OrganizationID, TeamID: request.TeamID, UserID: request.MemberID, Role: string(request.Body.Role)})
		if err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "team.member_put", targetKind: "team", target: request.TeamID,
			detail: map[string]any{"member_id": request.MemberID, "role": request.Body.Role}})
		return PutTeamMember200Response{Body: TeamMember{Member: Person{ID: member.UserID, Name: member.Name}, Role: request.Body.Role}}, err
	})
}

// teamPlace holds a team and returns what a member is in it: empty for nothing. A team that is not there is the error.
func teamPlace(ctx context.Context, q *db.Queries, a actor, id, member uuid.UUID) (db.Team, auth.TeamRole, error) {
	team, err := q.LockTeam(ctx, db.LockTeamParams{OrganizationID: a.OrganizationID, ID: id})
	if err != nil {
		return team, "", err
	}
	place, err := q.GetTeamMember(ctx, db.GetTeamMemberParams{OrganizationID: a.OrganizationID, TeamID: id, UserID: member})
	if errors.Is(err, pgx.ErrNoRows) {
		return team, "", nil
	}
	return team, place.Role, err
}

// mayPlace: leads choose members, admins choose leads too.
func mayPlace(a actor, team uuid.UUID, lead bool) bool {
	return a.administers() || a.writes() && a.leads(&team) && !lead
}

// RemoveTeamMember takes a member out of a team.
func (s *Server) RemoveTeamMember(ctx context.Context, request RemoveTeamMemberRequestObject) (RemoveTeamMemberResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (RemoveTeamMemberResponseObject, error) {
		_, role, err := teamPlace(ctx, q, a, request.TeamID, request.MemberID)
		if err != nil {
			return nil, err
		}
		if !mayPlace(a, request.TeamID, role == auth.TeamLead) {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if _, err := q.DeleteTeamMember(ctx, db.DeleteTeamMemberParams{OrganizationID: a.OrganizationID, TeamID: request.TeamID, UserID: request.MemberID}); err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "team.member_removed", targetKind: "team", target: request.TeamID, detail: map[string]any{"member_id": request.MemberID}})
		return RemoveTeamMember204Response{}, err
	})
}
