package api_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"

	"github.com/kakeai/kakeai/internal/api"
)

// supportsAll has one objective support others.
func (p *person) supportsAll(id uuid.UUID, others ...uuid.UUID) {
	p.t.Helper()
	for _, other := range others {
		p.send(http.MethodPut, supports(id, other), nil).is(http.StatusNoContent)
	}
}

// linksIn are the links between objectives, and beside each whether it follows what it leads to, told by titles and, of copies, a mark.
func (b *bundle) linksIn() map[string]bool {
	b.t.Helper()
	type link struct {
		Name    string `json:"name"`
		Flagged bool   `json:"flagged"`
	}
	all := map[string]bool{}
	for _, l := range value[[]link](b, `SELECT coalesce(jsonb_agg(jsonb_build_object('name',
			one.title || CASE WHEN one.carried_from_id IS NULL THEN '' ELSE '2' END || ' > ' || other.title || CASE WHEN other.carried_from_id IS NULL THEN '' ELSE '2' END, 'flagged', l.flagged)), '[]')
		FROM objective_links AS l JOIN objectives AS one ON one.id = l.objective_id JOIN objectives AS other ON other.id = l.supported_id`) {
		all[l.Name] = l.Flagged
	}
	return all
}

func linksOf(items []api.CarryOverItem) map[string]string {
	all := map[string]string{}
	for _, item := range items {
		if item.Copy == nil {
			continue
		}
		if item.Copy.Supports != nil {
			for _, l := range *item.Copy.Supports {
				all[*item.Title+" > "+l.Title] = string(l.LeadsTo)
			}
		}
		if item.Copy.Supporters != nil {
			for _, l := range *item.Copy.Supporters {
				all[l.Title+" > "+*item.Title] = "follows"
			}
		}
	}
	return all
}

// A supports B, and both it and C support what is carried over with neither: an objective of a whole year, and one of a colleague.
func TestLinksAreCarriedOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := b.newCycle("preparation", 61, 150)
	year := b.newCycle("active", -100, 260)
	one, other := b.author.draft(fields{"title": "A"}), b.author.draft(fields{"title": "B"})
	annual := b.lead.draft(fields{"title": "年", "cycle_id": year})
	theirs := b.teammate.draft(fields{"title": "C"})
	there := b.lead.draft(fields{"title": "次", "cycle_id": target})
	secret := b.lead.draft(fields{"title": "秘密"})
	b.author.supportsAll(one.ID, other.ID, annual.ID, theirs.ID, there.ID, secret.ID)
	b.author.supportsAll(other.ID, one.ID) // nothing forbids it
	b.teammate.supportsAll(theirs.ID, one.ID)
	b.exec("UPDATE objectives SET visibility = 'private', team_id = NULL WHERE id = $1", secret.ID)
	before := b.linksIn()

	want := map[string]string{"A > B": "copy", "B > A": "copy", "A > 年": "original", "A > C": "original", "A > 次": "original"}
	for _, dryRun := range []bool{true, false} {
		a := b.author.send(http.MethodPost, carryOverOf(b.cycle), fields{"target_cycle_id": target, "dry_run": dryRun, "scope": "mine"}).is(http.StatusOK)
		assert.Equal(t, want, linksOf(into[api.CarryOverResult](a).Items))
		assert.NotContains(t, string(a.body), secret.ID.String(), "what one does not see is carried along and not told")
		if dryRun {
			assert.Equal(t, before, b.linksIn())
		}
	}
	after := map[string]bool{"A2 > B2": false, "B2 > A2": false, "A2 > 年": true, "A2 > C": true, "A2 > 次": false, "A2 > 秘密": true}
	for name := range before {
		after[name] = false
	}
	assert.Equal(t, after, b.linksIn(), "the originals keep theirs")
	assert.Equal(t, 6, value[int](b, "SELECT count(*) FROM audit_events AS e JOIN objectives AS o ON o.id = e.target_id WHERE e.action = 'objective.linked' AND o.cycle_id = $1", target))
	b.author.carriesOver(target, false, fields{"scope": "mine"})
	assert.Equal(t, after, b.linksIn(), "twice makes nothing new")
}

func TestALinkFollowsWhatIsCarriedOverLater(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := b.newCycle("preparation", 61, 150)
	one := b.author.draft(fields{"title": "A"})
	settled, ended, kept := b.lead.draft(fields{"title": "決めた"}), b.lead.draft(fields{"title": "やめた"}), b.lead.draft(fields{"title": "B"})
	both := b.lead.draft(fields{"title": "両方"})
	b.author.supportsAll(one.ID, settled.ID, ended.ID, kept.ID, both.ID)
	items := b.author.carriesOver(target, false, fields{"scope": "mine"})
	assert.Equal(t, map[string]string{"A > 決めた": "original", "A > やめた": "original", "A > B": "original", "A > 両方": "original"}, linksOf(items))
	made := *items[0].CopyID
	b.author.supportsAll(made, settled.ID) // whoever says so has looked
	b.author.send(http.MethodDelete, supports(made, ended.ID), nil).is(http.StatusNoContent)

	ids := []uuid.UUID{settled.ID, ended.ID, kept.ID, both.ID}
	dry := b.lead.carriesOver(target, true, fields{"scope": "selection", "objective_ids": ids})
	assert.Equal(t, map[string]string{"A > B": "follows", "A > 両方": "follows"}, linksOf(dry))
	b.lead.carriesOver(target, false, fields{"scope": "selection", "objective_ids": ids[:3]})
	copyOf := func(id uuid.UUID) uuid.UUID {
		return value[uuid.UUID](b, "SELECT id FROM objectives WHERE carried_from_id = $1", id)
	}
	// Somebody has the copy support the other copy by hand before that link follows it, in the way of what two requests that meet leave.
	b.lead.carriesOver(target, false, fields{"scope": "selection", "objective_ids": ids[3:]})
	want := map[string]bool{"A > 決めた": false, "A > やめた": false, "A > B": false, "A > 両方": false, "A2 > 決めた": false, "A2 > B2": false, "A2 > 両方2": false}
	assert.Equal(t, want, b.linksIn())
	assert.Equal(t, copyOf(kept.ID).String(), value[string](b, "SELECT detail->>'supported_id' FROM audit_events WHERE detail->>'instead_of_id' = $1", kept.ID.String()))
	assert.EqualValues(t, 1, get[api.Objective](b.author, objective(made)).Revision, "it is no edit")

	// A link that was left behind follows when what it leads to is asked for again, and is made once though it is there already.
	b.exec("INSERT INTO objective_links (organization_id, objective_id, supported_id, flagged, created_by) VALUES ($1, $2, $3, true, $4)", b.id, made, both.ID, b.author.id)
	again := b.lead.carriesOver(target, false, fields{"scope": "selection", "objective_ids": ids})
	for _, item := range again {
		assert.EqualValues(t, "exists", item.Outcome)
	}
	assert.Equal(t, want, b.linksIn())

	// What a closed copy supports stays as it is.
	next := b.newCycle("preparation", 200, 300)
	closed := *b.author.carriesOver(next, false, fields{"scope": "mine"})[0].CopyID
	b.put(closed, "closed")
	b.lead.carriesOver(next, false, fields{"scope": "selection", "objective_ids": []any{kept.ID}})
	assert.Equal(t, 4, value[int](b, "SELECT count(*) FROM objective_links WHERE objective_id = $1 AND flagged", closed))
}

// Of two who carry the two ends of a link over at the same time, whichever comes first, the second finds the copy that the first has made.
func TestTheEndsOfALinkAreCarriedOverAtOnce(t *testing.T) {
	t.Parallel()
	for name, supporterFirst := range map[string]bool{"the supporter first": true, "what it supports first": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			target := b.newCycle("preparation", 61, 150)
			one, other := b.author.draft(fields{"title": "A"}), b.lead.draft(fields{"title": "B"})
			b.author.supportsAll(one.ID, other.ID)
			first, second := one.ID, other.ID
			if !supporterFirst {
				first, second = second, first
			}
			b.exec(`CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(42); RETURN NEW; END $$`)
			b.exec(fmt.Sprintf("CREATE TRIGGER wait_here AFTER INSERT ON key_results FOR EACH ROW WHEN (NEW.carried_from_id = '%s') EXECUTE FUNCTION wait_here()", firstKeyResult(b, first)))
			_, release := b.holds("SELECT pg_advisory_xact_lock(42)")
			var both sync.WaitGroup
			for i, id := range []uuid.UUID{first, second} {
				both.Go(func() {
					a, err := b.lead.try(http.MethodPost, carryOverOf(b.cycle), fields{"target_cycle_id": target, "dry_run": false, "scope": "selection", "objective_ids": []uuid.UUID{id}})
					if assert.NoError(t, err) {
						assert.Equal(t, http.StatusOK, a.status, "%s", a.body)
					}
				})
				b.awaitBlocked(i + 1)
			}
			release()
			both.Wait()
			assert.Equal(t, map[string]bool{"A > B": false, "A2 > B2": false}, b.linksIn())
		})
	}
}

func firstKeyResult(b *bundle, of uuid.UUID) uuid.UUID {
	b.t.Helper()
	return value[uuid.UUID](b, "SELECT id FROM key_results WHERE objective_id = $1 ORDER BY position LIMIT 1", of)
}

func TestManyCarryOverWhatSupportsEachOther(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := b.newCycle("preparation", 61, 150)
	const objectives = 8
	ids := make([]uuid.UUID, objectives)
	for i := range ids {
		ids[i] = b.author.draft(fields{"title": fmt.Sprint(i)}).ID
	}
	for i, id := range ids {
		b.author.supportsAll(id, ids[(i+1)%objectives], ids[(i+3)%objectives])
	}
	var all sync.WaitGroup
	for i := range ids {
		for _, p := range []*person{b.author, b.lead} {
			all.Go(func() {
				some := []uuid.UUID{ids[i], ids[(i+2)%objectives], ids[(i+5)%objectives]}
				a, err := p.try(http.MethodPost, carryOverOf(b.cycle), fields{"target_cycle_id": target, "dry_run": false, "scope": "selection", "objective_ids": some})
				if assert.NoError(t, err) {
					assert.Equal(t, http.StatusOK, a.status, "%s", a.body)
				}
			})
		}
	}
	all.Wait()
	want := map[string]bool{}
	for i := range ids {
		for _, to := range []int{(i + 1) % objectives, (i + 3) % objectives} {
			want[fmt.Sprintf("%d > %d", i, to)], want[fmt.Sprintf("%d2 > %d2", i, to)] = false, false
		}
	}
	assert.Equal(t, want, b.linksIn())
}

// More objectives than a statement looks at are supported by those of one page.
func TestCarryingOverVeryManyLinks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := b.newCycle("preparation", 61, 150)
	b.exec(`INSERT INTO objectives (organization_id, id, cycle_id, owner_id, title, created_by, changed_by)
		SELECT $1, gen_random_uuid(), $2, $3, 'objective ' || i, $3, $3 FROM generate_series(1, 500) AS i`, b.id, b.cycle, b.author.id)
	b.exec(`INSERT INTO objective_links (organization_id, objective_id, supported_id, created_by)
		SELECT $1, one.id, other.id, $2 FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM objectives) AS one
		JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM objectives) AS other ON one.n <> other.n AND other.n % 50 = one.n % 50`, b.id, b.author.id)
	links := value[int](b, "SELECT count(*) FROM objective_links")
	items := b.admin.carriesOver(target, false, fields{"scope": "cycle", "limit": 50})
	assert.Len(t, items, 500)
	for _, item := range items {
		assert.Len(t, *item.Copy.Supports, 9)
		for _, l := range *item.Copy.Supports {
			assert.EqualValues(t, "copy", l.LeadsTo)
		}
	}
	assert.Equal(t, links, value[int](b, `SELECT count(*) FROM objective_links AS l JOIN objectives AS one ON one.id = l.objective_id JOIN objectives AS other ON other.id = l.supported_id
		WHERE one.cycle_id = $1 AND other.cycle_id = $1 AND NOT l.flagged`, target))
}
