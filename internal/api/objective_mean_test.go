package api_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
)

// settle has the folds take over what happened, and what they ask for themselves, until there is nothing more.
func (b *bundle) settle() {
	b.t.Helper()
	for len(b.events()) > 0 {
		b.deliver()
	}
}

// below is an approved objective that contributes to another and stands at a value of 0 to 100.
func (p *person) below(parent uuid.UUID, value string, more ...fields) api.Objective {
	p.t.Helper()
	o := p.approved(append([]fields{{"parent_objective_id": parent}}, more...)...)
	p.checkIn(o.KeyResults[0].ID, value)
	return o
}

var withoutKeyResults = fields{"key_results": []fields{}}

func TestAnObjectiveWithoutKeyResultsTakesTheMeanOfWhatContributes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	top := b.author.draft(withoutKeyResults)
	parent := b.author.approved(withoutKeyResults, fields{"parent_objective_id": top.ID})
	before := get[api.Objective](b.author, objective(parent.ID)).Progress
	assert.True(t, before.Empty)
	assert.Nil(t, before.Children)

	first, second := b.author.below(parent.ID, "30"), b.author.below(parent.ID, "60")
	b.author.draft(fields{"parent_objective_id": parent.ID}) // drafts do not count
	b.settle()
	shows := func(id uuid.UUID, value string, children int32) {
		t.Helper()
		o := get[api.Objective](b.author, objective(id))
		assert.Equal(t, value, o.Progress.Value.String())
		require.NotNil(t, o.Progress.Children)
		assert.Equal(t, children, *o.Progress.Children)
		assert.False(t, o.Progress.Empty)
		assert.Nil(t, o.Progress.Withheld)
		assert.NotEqual(t, "pending", string(o.Health))
	}
	shows(parent.ID, "0.45", 2)
	shows(top.ID, "0.45", 1) // a draft, too, and a step further up
	assert.Equal(t, get[api.Objective](b.author, objective(parent.ID)).Progress, get[api.ObjectivePage](b.author, "/objectives?parent_objective_id="+top.ID.String()).Items[0].Progress, "lists say the same")
	figures := get[api.Dashboard](b.author, "/dashboard").Organization
	assert.Equal(t, "0.45", figures.Progress.Value.String(), "of three: 0.30, 0.60, and their mean")

	b.author.checkIn(first.KeyResults[0].ID, "50")
	b.settle()
	shows(parent.ID, "0.55", 2)

	b.lead.aligned(second.ID, top.ID).is(http.StatusOK) // away, and to the one above
	b.settle()
	shows(parent.ID, "0.5", 1)
	shows(top.ID, "0.55", 2)

	b.lead.move(get[api.Objective](b.lead, objective(first.ID)), "archive", nil)
	b.settle()
	assert.True(t, get[api.Objective](b.author, objective(parent.ID)).Progress.Empty)
	shows(top.ID, "0.3", 2)

	b.lead.move(get[api.Objective](b.lead, objective(first.ID)), "restore", nil)
	b.settle()
	shows(parent.ID, "0.5", 1)
	b.lead.rewrite(get[api.Objective](b.lead, objective(parent.ID)), metric("自分の指標")).is(http.StatusOK)
	b.settle()
	own := get[api.Objective](b.author, objective(parent.ID)).Progress
	assert.True(t, own.Pending, "its own key result counts, and nothing else")
	assert.True(t, own.Value.IsZero())
	assert.Nil(t, own.Children)
	shows(top.ID, "0.3", 2)
}

// The mean of one or two would give away one that its reader may not see.
func TestAMeanThatWouldGiveAChildAwayIsWithheld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	parent := b.author.approved(withoutKeyResults)
	b.author.below(parent.ID, "20")
	b.author.below(parent.ID, "80", fields{"visibility": "private"})
	b.settle()

	open := get[api.Objective](b.author, objective(parent.ID))
	assert.Equal(t, "0.5", open.Progress.Value.String())
	assert.EqualValues(t, 2, *open.Progress.Children)
	for _, reader := range []*person{b.member, b.teammate, b.viewer} {
		o := get[api.Objective](reader, objective(parent.ID))
		assert.Equal(t, api.Progress{Withheld: new(true), Value: o.Progress.Value, Overshoot: o.Progress.Overshoot}, o.Progress)
		assert.True(t, o.Progress.Value.IsZero())
		assert.Equal(t, "pending", string(o.Health))
	}
	assert.Equal(t, open.Progress, get[api.Objective](b.lead, objective(parent.ID)).Progress, "the team's lead sees both")
	assert.Zero(t, value[int](b, "SELECT progress_rank FROM objective_figures WHERE objective_id = $1", parent.ID), "nor does its place in a list by progress tell")

	b.author.below(parent.ID, "50")
	b.settle()
	assert.Equal(t, "0.5", get[api.Objective](b.member, objective(parent.ID)).Progress.Value.String())
	assert.Equal(t, 5000, value[int](b, "SELECT progress_rank FROM objective_figures WHERE objective_id = $1", parent.ID))
}
