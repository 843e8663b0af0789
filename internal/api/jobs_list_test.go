package api_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/okr"
)

func TestListOrganizationJobs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"title": "解約を減らす", "visibility": okr.VisiblePrivate})
	dialogue := b.author.dialogue(o.ID)
	first := b.author.job(dialogue)
	b.author.send(http.MethodPost, "/jobs/"+first.ID.String()+"/cancel", nil).is(http.StatusOK)
	second := b.author.job(dialogue)
	ids := func(items []api.JobOverview) (all []uuid.UUID) {
		for _, j := range items {
			all = append(all, j.Job.ID)
		}
		return all
	}

	all := get[api.JobOverviewPage](b.admin, "/jobs").Items
	require.Equal(t, []uuid.UUID{second.ID, first.ID}, ids(all))
	assert.Equal(t, "解約を減らす", all[0].ObjectiveTitle)
	assert.Equal(t, b.author.id, all[0].RequestedBy.ID)
	assert.Equal(t, api.JobStateQueued, all[0].Job.State)
	assert.NotNil(t, all[0].NextAttemptAt)
	assert.Nil(t, all[1].NextAttemptAt)
	assert.Positive(t, all[0].MaxAttempts)

	assert.Equal(t, []uuid.UUID{first.ID}, ids(get[api.JobOverviewPage](b.admin, "/jobs?state=cancelled").Items))
	assert.Equal(t, []uuid.UUID{second.ID}, ids(get[api.JobOverviewPage](b.admin, "/jobs?state=queued").Items))
	assert.Empty(t, get[api.JobOverviewPage](b.admin, "/jobs?state=failed").Items)
	assert.Empty(t, get[api.JobOverviewPage](b.elsewhere, "/jobs").Items, "another organisation's")
	b.author.send(http.MethodGet, "/jobs", nil).refused(http.StatusForbidden, "not-allowed")
	b.admin.send(http.MethodPost, "/jobs/"+second.ID.String()+"/cancel", nil).is(http.StatusOK)
	assert.Len(t, get[api.JobOverviewPage](b.admin, "/jobs?state=cancelled").Items, 2)
}
