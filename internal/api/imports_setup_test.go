package api_test

import (
	"log/slog"
	"net/http"
	"net/url"
	"slices"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/intake"
	"github.com/kakeai/kakeai/internal/okr"
)

func importPath(id uuid.UUID) string { return "/imports/" + id.String() }

func csvType() header { return header{"Content-Type", "text/csv"} }

// brings has a person bring a CSV file.
func (p *person) brings(file string, more ...header) api.Import {
	p.t.Helper()
	return into[api.Import](p.send(http.MethodPost, "/imports?file_name=okr.csv", file, append([]header{csvType()}, more...)...).is(http.StatusCreated))
}

// inCycle has an import's rows go to a cycle, and more.
func (p *person) inCycle(i api.Import, cycle uuid.UUID, more fields) api.Import {
	p.t.Helper()
	patch := fields{"revision": i.Revision, "cycle_id": cycle}
	for name, v := range more {
		patch[name] = v
	}
	return into[api.Import](p.send(http.MethodPatch, importPath(i.ID), patch).is(http.StatusOK))
}

// works has a file checked or run, and does the work as the outbox's workers do.
func (p *person) works(i api.Import, what string) api.Import {
	p.t.Helper()
	begun := into[api.Import](p.send(http.MethodPost, importPath(i.ID)+"/"+what, fields{"revision": i.Revision}).is(http.StatusAccepted))
	p.carryOutImport(begun.ID, -1)
	return get[api.Import](p, importPath(i.ID))
}

func (b *bundle) workOf(id uuid.UUID) uuid.UUID {
	b.t.Helper()
	return value[uuid.UUID](b, "SELECT work_id FROM imports WHERE id = $1", id)
}

// carryOutImport does so many steps of the work on a file; all of them, if steps is negative.
func (b *bundle) carryOutImport(id uuid.UUID, steps int) {
	b.t.Helper()
	worker := intake.NewWorker(b.store, slog.New(slog.DiscardHandler))
	work := b.workOf(id)
	for n := 0; n != steps; n++ {
		more, err := worker.Step(b.t.Context(), b.id, work)
		require.NoError(b.t, err)
		if !more && value[*uuid.UUID](b, "SELECT work_id FROM imports WHERE id = $1", id) == nil {
			return
		}
	}
}

// rowsOf are all rows of a file with a result.
func (p *person) rowsOf(i api.Import, result string) []api.ImportRow {
	p.t.Helper()
	return get[api.ImportRowPage](p, importPath(i.ID)+"/rows?limit=200&result="+url.QueryEscape(result)).Items
}

// reasons are the codes against the rows that are refused, by row and header.
func (p *person) reasons(i api.Import) map[int]map[string]string {
	p.t.Helper()
	all := map[int]map[string]string{}
	for _, r := range p.rowsOf(i, "refused") {
		all[r.Row] = map[string]string{}
		for _, reason := range r.Problems {
			of := ""
			if reason.Header != nil {
				of = *reason.Header
			}
			all[r.Row][of] = reason.Code
			assert.NotEmpty(p.t, reason.Detail)
		}
	}
	return all
}

// objectivesOf are the titles of the objectives that there are, in order.
func (b *bundle) objectivesOf(cycle uuid.UUID) []string {
	b.t.Helper()
	rows, err := b.database.Owner.Query(b.t.Context(), "SELECT title FROM objectives WHERE organization_id = $1 AND cycle_id = $2", b.id, cycle)
	require.NoError(b.t, err)
	titles := []string{}
	for rows.Next() {
		var title string
		require.NoError(b.t, rows.Scan(&title))
		titles = append(titles, title)
	}
	require.NoError(b.t, rows.Err())
	slices.Sort(titles)
	return titles
}

const smallFile = "Objective,Key result,Target\r\nShip it,Users,100\r\n"

// aboutImport is a call about a file of the member's own.
func aboutImport(aim func(*bundle, api.Import) call) func(*bundle, okr.Visibility) call {
	return func(b *bundle, _ okr.Visibility) call {
		i := b.member.inCycle(b.member.brings(smallFile), b.cycle, nil)
		return aimed(aim(b, i), b.member, fields{"import_id": i.ID})
	}
}
