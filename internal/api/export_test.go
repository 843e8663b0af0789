package api

import (
	"context"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
)

// DashboardOf reads what whoever has a token is shown as the dashboard, in a transaction that the test owns.
func DashboardOf(ctx context.Context, q *db.Queries, token auth.Token) (Dashboard, error) {
	a, err := actorForRead(ctx, q, &exchange{token: token, signedIn: true})
	if err != nil {
		return Dashboard{}, err
	}
	return dashboard(ctx, q, a, nil)
}

// TeamOverviewOf is DashboardOf for a team's page.
func TeamOverviewOf(ctx context.Context, q *db.Queries, token auth.Token, team uuid.UUID) (TeamOverview, error) {
	a, err := actorForRead(ctx, q, &exchange{token: token, signedIn: true})
	if err != nil {
		return TeamOverview{}, err
	}
	return teamOverview(ctx, q, a, team, nil)
}
