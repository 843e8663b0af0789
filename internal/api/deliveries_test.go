package api_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/outbox"
)

// Workers hear of a change without polling: of one that is recorded, and of a new revision of an objective.
func TestChangesWakeTheOutbox(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	for name, change := range map[string]func(){
		"record": func() { b.admin.send(http.MethodPost, "/teams", fields{"name": "Night shift"}).is(http.StatusCreated) },
		"objective": func() {
			b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": o.Revision, "title": "Customers come back"}).is(http.StatusOK)
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		heard, ready := make(chan struct{}, 100), make(chan struct{})
		var listening sync.WaitGroup
		listening.Go(func() {
			assert.ErrorIs(t, b.store.Listen(ctx, outbox.Channel, func() { close(ready) }, func() { heard <- struct{}{} }), context.Canceled)
		})
		<-ready
		change()
		select {
		case <-heard:
		case <-time.After(patience):
			assert.Fail(t, "nobody was woken", name)
		}
		cancel()
		listening.Wait()
	}
	require.NotZero(t, value[int](b, "SELECT count(*) FROM outbox_events WHERE state = 'waiting'"), "and nobody delivered it here")
}
