package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/api"
)

// stream is the events of a job, as a browser's EventSource would read them.
type stream struct {
	t      *testing.T
	lines  *bufio.Scanner
	header http.Header
}

func (p *person) follow(job uuid.UUID) *stream {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	p.t.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/api/v1/jobs/"+job.String()+"/events", nil)
	require.NoError(p.t, err)
	request.Header.Set("Authorization", "Bearer "+p.token)
	response, err := p.client.Do(request)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { _ = response.Body.Close() })
	require.Equal(p.t, http.StatusOK, response.StatusCode)
	return &stream{t: p.t, lines: bufio.NewScanner(response.Body), header: response.Header}
}

// next is the next event's name and data; empty at the end.
func (s *stream) next() (name, data string) {
	s.t.Helper()
	for s.lines.Scan() {
		switch line := s.lines.Text(); {
		case strings.HasPrefix(line, "event: "):
			name = strings.TrimPrefix(line, "event: ")
		case strings.HasPrefix(line, "data: "):
			data = strings.TrimPrefix(line, "data: ")
		case line == "" && name != "":
			return name, data
		}
	}
	require.NoError(s.t, s.lines.Err())
	return "", ""
}

func (s *stream) shows(state string) {
	s.t.Helper()
	name, data := s.next()
	require.Equal(s.t, "job", name)
	var job api.Job
	require.NoError(s.t, json.Unmarshal([]byte(data), &job))
	assert.EqualValues(s.t, state, job.State)
}

func (s *stream) ends() {
	s.t.Helper()
	name, data := s.next()
	assert.Empty(s.t, name+data, "the stream goes on")
}

func TestAJobIsFollowedToItsEnd(t *testing.T) {
	t.Parallel()
	progress := ai.NewProgress()
	b := setupWith(t, api.Options{Progress: progress})
	o := b.author.draft()
	job := b.author.job(b.author.dialogue(o.ID)).ID
	s := b.viewer.follow(job)
	assert.Equal(t, "text/event-stream", s.header.Get("Content-Type"))
	assert.Equal(t, "no-store", s.header.Get("Cache-Control"))
	s.shows("queued")

	b.exec("UPDATE ai_jobs SET state = 'running', attempt = 1, lease_number = 1, lease_expires_at = now() + interval '1 minute', started_at = now() WHERE id = $1", job)
	s.shows("running")
	progress.Set(job, "解約率を\n5%から")
	name, data := s.next()
	assert.Equal(t, "text", name)
	assert.Equal(t, `"解約率を\n5%から"`, data)

	b.exec("UPDATE ai_jobs SET state = 'succeeded', lease_expires_at = NULL, finished_at = now() WHERE id = $1", job)
	s.shows("succeeded")
	s.ends()

	progress.Set(job, "") // as the worker does then
	again := b.viewer.follow(job)
	again.shows("succeeded")
	again.ends()
}

func TestAStreamEndsWithTheServerAndWithTheRightToSeeIt(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(b *bundle, o api.Objective){
		"the server stops": func(b *bundle, _ api.Objective) { b.api.EndStreams(); b.api.EndStreams() },
		"the session ends": func(b *bundle, _ api.Objective) { b.exec("DELETE FROM sessions WHERE user_id = $1", b.member.id) },
		"the objective hides": func(b *bundle, o api.Objective) {
			b.exec("UPDATE objectives SET visibility = 'private' WHERE id = $1", o.ID)
		},
		"the member is let go": func(b *bundle, _ api.Objective) {
			b.exec("UPDATE memberships SET suspended_at = now() WHERE user_id = $1", b.member.id)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			o := b.author.draft()
			s := b.member.follow(b.author.job(b.author.dialogue(o.ID)).ID)
			s.shows("queued")
			end(b, o)
			s.ends()
		})
	}
}

func TestAStreamHoldsNoConnection(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	job := b.author.job(b.author.dialogue(o.ID)).ID
	for range 30 { // three times the pool
		b.viewer.follow(job).shows("queued")
	}
	b.viewer.send(http.MethodGet, objective(o.ID), nil).is(http.StatusOK)
}
