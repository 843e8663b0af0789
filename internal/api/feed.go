package api

import (
	"context"
	"net/url"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

func feedView(f db.ListFeedOfObjectiveBeforeRow) FeedEntry {
	return FeedEntry{ID: f.ID, ObjectiveID: f.ObjectiveID, Title: f.Title, Action: f.Action, Actor: personOrNobody(f.ActorID, f.ActorName), Detail: f.Detail, HappenedAt: f.HappenedAt}
}

// feedScan is how many entries one page looks at, however few of them its reader may see.
const feedScan = 1000

// ListFeed lists what happened to objectives that the actor may see now.
func (s *Server) ListFeed(ctx context.Context, request ListFeedRequestObject) (ListFeedResponseObject, error) {
	filters := url.Values{}
	for name, id := range map[string]*uuid.UUID{"objective_id": request.Params.ObjectiveID, "team_id": request.Params.TeamID} {
		if id != nil {
			filters.Set(name, id.String())
		}
	}
	l, err := s.newList(exchangeOf(ctx), "/feed", request.Params.Limit, request.Params.Cursor, filters)
	if err != nil {
		return nil, err
	}
	before := uuid.Max
	if !l.begins {
		before = l.from.id
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListFeedResponseObject, error) {
		if request.Params.ObjectiveID != nil {
			return feedOfObjective(ctx, q, a, l, *request.Params.ObjectiveID, request.Params.TeamID, before)
		}
		rows, err := q.ListFeedBefore(ctx, db.ListFeedBeforeParams{OrganizationID: a.OrganizationID, BeforeID: before, Scan: feedScan, TeamID: request.Params.TeamID, ActorID: a.UserID,
			SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
		if err != nil {
			return nil, err
		}
		items := []FeedEntry{}
		for i, f := range rows {
			if len(items) == l.size {
				return feedPage(l, items, &rows[i-1].ID), nil
			}
			if f.Shown {
				items = append(items, feedView(db.ListFeedOfObjectiveBeforeRow{ID: f.ID, ObjectiveID: f.ObjectiveID, Title: f.Title, Action: f.Action, ActorID: f.ActorID,
					ActorName: f.ActorName, Detail: f.Detail, HappenedAt: f.HappenedAt}))
			}
		}
		if len(rows) < feedScan {
			return feedPage(l, items, nil), nil
		}
		return feedPage(l, items, &rows[len(rows)-1].ID), nil
	})
}

// feedPage is a page that leads on behind an entry, whether or not it was shown; nil where there is nothing more.
func feedPage(l list, items []FeedEntry, last *uuid.UUID) ListFeedResponseObject {
	if last == nil {
		return ListFeed200Response{Body: FeedPage{Items: items}}
	}
	next, link := l.behind(position{id: *last})
	return ListFeed200Response{Body: FeedPage{Items: items, NextCursor: &next}, Headers: ListFeed200ResponseHeaders{Link: &link}}
}

func feedOfObjective(ctx context.Context, q *db.Queries, a actor, l list, objective uuid.UUID, team *uuid.UUID, before uuid.UUID) (ListFeedResponseObject, error) {
	row, err := visibleObjective(ctx, q, a, objective)
	if err != nil {
		return nil, err
	}
	if team != nil && !sameID(row.Objective.TeamID, team) {
		return feedPage(l, []FeedEntry{}, nil), nil
	}
	rows, err := q.ListFeedOfObjectiveBefore(ctx, db.ListFeedOfObjectiveBeforeParams{OrganizationID: a.OrganizationID, ObjectiveID: objective, BeforeID: before, PageSize: l.pageSize()})
	if err != nil {
		return nil, err
	}
	rows, next, link := page(l, rows, func(f db.ListFeedOfObjectiveBeforeRow) position { return position{id: f.ID} })
	return ListFeed200Response{Body: FeedPage{Items: converted(rows, feedView), NextCursor: next}, Headers: ListFeed200ResponseHeaders{Link: link}}, nil
}
