package api_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
)

func (p *person) checkIn(keyResult uuid.UUID, v string) api.CheckIn {
	p.t.Helper()
	return into[api.CheckIn](p.send(http.MethodPost, checkIns(keyResult), fields{"value": v, "confidence": 5}).is(http.StatusCreated))
}

func (p *person) correct(keyResult, wrong uuid.UUID, v string) answer {
	p.t.Helper()
	return p.send(http.MethodPost, checkIns(keyResult), fields{"value": v, "confidence": 5, "corrects_id": wrong})
}

func (b *bundle) current(o api.Objective) string {
	b.t.Helper()
	return get[api.Objective](b.viewer, objective(o.ID)).KeyResults[0].CurrentValue.String()
}

func TestACorrectionStandsAtTheTimeOfWhatItCorrects(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.approved()
	k := o.KeyResults[0].ID
	first, second := b.author.checkIn(k, "10"), b.author.checkIn(k, "20")
	assert.Equal(t, "20", b.current(o))

	third := into[api.CheckIn](b.author.correct(k, first.ID, "11").is(http.StatusCreated))
	assert.Equal(t, first.CheckedAt, third.CheckedAt)
	assert.Equal(t, "20", b.current(o), "an older one was put right")
	fourth := into[api.CheckIn](b.author.correct(k, third.ID, "12").is(http.StatusCreated))
	assert.Equal(t, first.CheckedAt, fourth.CheckedAt, "a chain stands where it began")
	into[api.CheckIn](b.author.correct(k, second.ID, "21").is(http.StatusCreated))
	assert.Equal(t, "21", b.current(o))

	for _, wrong := range []uuid.UUID{first.ID, second.ID, third.ID} {
		a := b.author.correct(k, wrong, "99")
		a.refused(http.StatusConflict, "in-the-way", "/corrects_id")
		a.code("/corrects_id", "corrected-already")
	}
	other := b.author.approved()
	b.author.correct(other.KeyResults[0].ID, fourth.ID, "1").refused(http.StatusUnprocessableEntity, "invalid", "/corrects_id")
	b.author.correct(k, uuid.New(), "1").refused(http.StatusUnprocessableEntity, "invalid", "/corrects_id")

	listed := get[api.CheckInPage](b.viewer, checkIns(k)).Items
	require.Len(t, listed, 5)
	var values []string
	for _, i := range listed {
		values = append(values, i.Value.String())
	}
	assert.Equal(t, []string{"21", "20", "12", "11", "10"}, values, "by the time they stand at, then by when they were written")
	assert.Equal(t, &third.ID, listed[4].CorrectedByID)
	assert.Nil(t, listed[2].CorrectedByID)
}

func TestOfTwoCorrectionsAtOnceOneCounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	k := b.author.approved().KeyResults[0].ID
	wrong := b.author.checkIn(k, "10")
	statuses := map[int]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			a, err := b.author.try(http.MethodPost, checkIns(k), fields{"value": "11", "confidence": 5, "corrects_id": wrong.ID})
			assert.NoError(t, err)
			mu.Lock()
			defer mu.Unlock()
			statuses[a.status]++
		})
	}
	all.Wait()
	assert.Equal(t, map[int]int{http.StatusCreated: 1, http.StatusConflict: 4}, statuses)
}

func TestACheckInFitsItsKind(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.approved(fields{"key_results": []fields{metric("一"), threshold("二"), milestone("三", "設計", "実施", "移行")}})
	m, s, l := o.KeyResults[0].ID, o.KeyResults[1].ID, o.KeyResults[2].ID
	steps := *o.KeyResults[2].Steps
	for _, c := range []struct {
		keyResult uuid.UUID
		body      fields
		pointers  []string
	}{
		{m, fields{"confidence": 5}, []string{"/value"}},
		{s, fields{"confidence": 5}, []string{"/value"}},
		{m, fields{"value": "1", "done_step_ids": []uuid.UUID{steps[0].ID}, "confidence": 5}, []string{"/done_step_ids"}},
		{l, fields{"value": "1", "confidence": 5}, []string{"/value"}},
		{l, fields{"done_step_ids": []uuid.UUID{steps[0].ID, uuid.New()}, "confidence": 5}, []string{"/done_step_ids/1"}},
		{m, fields{"confidence": 11, "value": "1"}, []string{"/confidence"}},
	} {
		b.author.send(http.MethodPost, checkIns(c.keyResult), c.body).refused(http.StatusUnprocessableEntity, "invalid", c.pointers...)
	}
	for _, c := range []struct {
		done    []uuid.UUID
		percent int
	}{{[]uuid.UUID{}, 0}, {[]uuid.UUID{steps[0].ID}, 33}, {[]uuid.UUID{steps[0].ID, steps[0].ID}, 33}, {[]uuid.UUID{steps[2].ID, steps[0].ID, steps[1].ID}, 100}} {
		made := into[api.CheckIn](b.author.send(http.MethodPost, checkIns(l), fields{"done_step_ids": c.done, "confidence": 5}).is(http.StatusCreated))
		assert.Equal(t, c.percent, made.Percent, "%v", c.done)
	}
	assert.ElementsMatch(t, []uuid.UUID{steps[0].ID, steps[1].ID, steps[2].ID}, get[api.Objective](b.viewer, objective(o.ID)).KeyResults[2].DoneStepIds)
	assert.EqualValues(t, 1, get[api.Objective](b.viewer, objective(o.ID)).Revision, "a check-in is no edit")
}

func TestCheckInsAreForApprovedObjectives(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for state, status := range map[string]int{"draft": 409, "submitted": 409, "approved": 201, "closed": 409} {
		o := b.author.draft()
		b.put(o.ID, state)
		a := b.author.send(http.MethodPost, checkIns(o.KeyResults[0].ID), fields{"value": "1", "confidence": 5})
		assert.Equal(t, status, a.status, "%s: %s", state, a.body)
	}
	o := b.lead.approved(fields{"key_results": []fields{metric("一"), metric("二")}})
	b.lead.rewrite(o, with(metric("二"), "id", o.KeyResults[1].ID)).is(http.StatusOK)
	b.lead.send(http.MethodPost, checkIns(o.KeyResults[0].ID), fields{"value": "1", "confidence": 5}).refused(http.StatusConflict, "wrong-state")
	b.exec("UPDATE objectives SET archived_at = now() WHERE id = $1", o.ID)
	b.lead.send(http.MethodPost, checkIns(o.KeyResults[1].ID), fields{"value": "1", "confidence": 5}).refused(http.StatusConflict, "wrong-state")
}

func TestWhoeverOwnsAKeyResultChecksIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.approved(fields{"key_results": []fields{with(metric("一"), "owner_id", b.member.id), with(metric("二"), "owner_id", b.viewer.id)}})
	b.member.checkIn(o.KeyResults[0].ID, "1")
	b.author.checkIn(o.KeyResults[0].ID, "2")
	b.member.send(http.MethodPost, checkIns(o.KeyResults[1].ID), fields{"value": "1", "confidence": 5}).refused(http.StatusForbidden, "not-allowed")
	b.viewer.send(http.MethodPost, checkIns(o.KeyResults[1].ID), fields{"value": "1", "confidence": 5}).refused(http.StatusForbidden, "not-allowed")
}

// Days are the organisation's: where it is already tomorrow, or still yesterday, a cycle ends with its own day.
func TestCheckInsEndWithTheDaysOfGrace(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"Pacific/Kiritimati", "Etc/GMT+12", "Asia/Kathmandu"} {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.exec("UPDATE organizations SET time_zone = $2, grace_days = 3 WHERE id = $1", b.id, zone)
			for _, c := range []struct {
				state  string
				ends   int // days from the organisation's today
				status int
			}{
				{"active", 30, 201}, {"active", 0, 201}, {"active", -1, 201}, {"active", -3, 201}, {"active", -4, 409},
				{"closed", 30, 409}, {"closed", -1, 409}, {"preparation", 30, 409},
			} {
				cycle := b.newCycle("active", -40, c.ends)
				o := b.author.approved(fields{"cycle_id": cycle})
				b.exec("UPDATE cycles SET state = $2 WHERE id = $1", cycle, c.state)
				a := b.author.send(http.MethodPost, checkIns(o.KeyResults[0].ID), fields{"value": "1", "confidence": 5})
				assert.Equal(t, c.status, a.status, "a cycle that is %s and ends in %d days: %s", c.state, c.ends, a.body)
			}
		})
	}
}

// One key result is held by somebody; a check-in to another of the same objective goes through meanwhile, and one to the same waits.
func TestCheckInsToOneKeyResultWaitForEachOtherAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.approved(fields{"key_results": []fields{metric("一"), metric("二")}})
	_, release := b.holds("SELECT FROM key_results WHERE id = $1 FOR UPDATE", o.KeyResults[0].ID)
	waiting := make(chan answer, 2)
	for range 2 {
		go func() {
			a, err := b.author.try(http.MethodPost, checkIns(o.KeyResults[0].ID), fields{"value": "1", "confidence": 5})
			assert.NoError(t, err)
			waiting <- a
		}()
	}
	b.awaitBlocked(2)
	b.author.checkIn(o.KeyResults[1].ID, "2")
	assert.Empty(t, waiting)
	released := value[time.Time](b, "SELECT clock_timestamp()")
	release()
	one, other := into[api.CheckIn]((<-waiting).is(http.StatusCreated)), into[api.CheckIn]((<-waiting).is(http.StatusCreated))
	for _, made := range []api.CheckIn{one, other} {
		assert.True(t, made.CheckedAt.After(released), "its time is taken when its turn has come")
	}
	latest := one
	if other.CheckedAt.After(one.CheckedAt) {
		latest = other
	}
	assert.Equal(t, latest.ID, value[uuid.UUID](b, "SELECT current_check_in_id FROM key_results WHERE id = $1", o.KeyResults[0].ID))
}

func TestManyCheckInsAtOnceAllCount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.approved(fields{"key_results": []fields{metric("一"), metric("二")}})
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			a, err := b.author.try(http.MethodPost, checkIns(o.KeyResults[i%2].ID), fields{"value": "1", "confidence": 5})
			if assert.NoError(t, err) {
				assert.Equal(t, http.StatusCreated, a.status, "%s", a.body)
			}
		})
	}
	all.Wait()
	assert.Equal(t, 20, value[int](b, "SELECT count(*) FROM check_ins"))
	assert.Equal(t, 2, value[int](b, `SELECT count(*) FROM key_results AS k WHERE current_check_in_id =
		(SELECT id FROM check_ins AS i WHERE i.key_result_id = k.id ORDER BY checked_at DESC, id DESC LIMIT 1)`), "the latest is current")
}

// The key result is archived while the check-in waits for the objective.
func TestACheckInThatComesTooLateIsToldSo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.approved()
	tx, release := b.holds("UPDATE objectives SET revision = 2 WHERE id = $1", o.ID)
	late := make(chan answer)
	go func() {
		a, err := b.author.try(http.MethodPost, checkIns(o.KeyResults[0].ID), fields{"value": "1", "confidence": 5})
		assert.NoError(t, err)
		late <- a
	}()
	b.awaitBlocked(1)
	_, err := tx.Exec(t.Context(), "UPDATE key_results SET archived_at = now() WHERE objective_id = $1", o.ID)
	require.NoError(t, err)
	release()
	(<-late).refused(http.StatusConflict, "wrong-state")
	assert.Zero(t, value[int](b, "SELECT count(*) FROM check_ins"))
}
