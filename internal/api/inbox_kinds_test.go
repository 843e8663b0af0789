package api_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/notify"
)

func TestTheInboxOfSomeKinds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := map[notify.Kind]uuid.UUID{}
	for _, kind := range []notify.Kind{notify.BroadcastReceived, notify.MeetingInvited, notify.TeamJoined} {
		made[kind] = db.NewID()
		b.tell(notify.Notification{User: b.viewer.id, Kind: kind, SubjectKind: "member", Subject: made[kind], Title: "題", Path: "/"})
	}
	kinds := func(query string) (found []notify.Kind) {
		for _, n := range get[api.NotificationPage](b.viewer, "/notifications?"+query).Items {
			found = append(found, n.Kind)
		}
		return found
	}
	assert.Equal(t, []notify.Kind{notify.TeamJoined, notify.MeetingInvited, notify.BroadcastReceived}, kinds(""))
	assert.Equal(t, []notify.Kind{notify.TeamJoined, notify.BroadcastReceived}, kinds("kind=broadcast,team-joined"))
	assert.Equal(t, []notify.Kind{notify.MeetingInvited}, kinds("kind=meeting-invited&unread=true"))
	assert.Empty(t, kinds("kind=mentioned"))
	b.viewer.send(http.MethodGet, "/notifications?kind=broadcast,broadcast", nil).is(http.StatusBadRequest)

	page := get[api.NotificationPage](b.viewer, "/notifications?kind=broadcast,team-joined&limit=1")
	b.viewer.send(http.MethodGet, "/notifications?kind=broadcast&limit=1&cursor="+*page.NextCursor, nil).refused(http.StatusBadRequest, "bad-request", "/query/cursor")
	next := get[api.NotificationPage](b.viewer, "/notifications?kind=team-joined,broadcast&limit=1&cursor="+*page.NextCursor)
	assert.Equal(t, notify.BroadcastReceived, next.Items[0].Kind, "the order of the kinds does not matter")
}
