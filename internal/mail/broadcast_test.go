package mail

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/outbox"
)

// broadcasts makes a broadcast in a state and a mail that has no more of it than the id.
func (b *bundle) broadcasts(title, body, state string) (uuid.UUID, outbox.Event) {
	b.Helper()
	id := db.NewID()
	b.exec(`INSERT INTO broadcasts (organization_id, id, title, body, audience, state, sent_at, created_by, changed_by)
		VALUES ($1, $2, $3, $4, 'organization', $5, CASE WHEN $5 = 'sent' THEN now() END, $6, $6)`, b.organization, id, title, body, state, b.user)
	e := b.enqueue(Broadcast{ID: id}, true)
	b.exec("INSERT INTO broadcast_deliveries (organization_id, broadcast_id, user_id, mail_id) VALUES ($1, $2, $3, $4)", b.organization, id, b.user, e.Target)
	return id, e
}

// The words of a broadcast are kept once and read when its mail is written out, however it has ended meanwhile.
func TestABroadcastsWordsAreReadWhenItsMailIsSent(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"sent", "cancelled"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			s := &server{}
			b := setup(t, s)
			body := strings.Repeat("下書きは十二月十日までに書いてください。", 900) + "おわり"
			_, e := b.broadcasts("来期のOKRについて", body, state)
			var kept int
			require.NoError(t, b.Owner.QueryRow(t.Context(), "SELECT pg_column_size(detail) FROM mails WHERE id = $1", e.Target).Scan(&kept))
			assert.LessOrEqual(t, kept, 100, "a mail's row has the id and no words")
			b.send(b.sender(), e)
			b.assertState(e, stateSent, "")
			sent := s.got()
			require.Len(t, sent, 1)
			message, err := Open([]byte(sent[0].content))
			require.NoError(t, err)
			assert.Equal(t, "来期のOKRについて", message.Subject)
			assert.Contains(t, message.Text, "佐藤 葵さんからのお知らせです。")
			assert.Contains(t, strings.ReplaceAll(message.Text, "\n", ""), strings.Repeat("下書きは十二月十日までに書いてください。", 900)+"おわり")
		})
	}
}

// Mails that were written before are sent with the words they came with.
func TestABroadcastsMailThatHasItsWordsIsSentWithThem(t *testing.T) {
	t.Parallel()
	s := &server{}
	b := setup(t, s)
	id, e := b.broadcasts("新しい題", "新しい文", "sent")
	b.exec("UPDATE mails SET detail = jsonb_build_object('title', '古い題', 'body', '古い文', 'author', '高橋 美咲', 'id', $2::text) WHERE id = $1", e.Target, id.String())
	b.send(b.sender(), e)
	sent := s.got()
	require.Len(t, sent, 1)
	message, err := Open([]byte(sent[0].content))
	require.NoError(t, err)
	assert.Equal(t, "古い題", message.Subject)
	assert.Contains(t, message.Text, "古い文")
	assert.Contains(t, message.Text, "高橋 美咲さん")
	assert.NotContains(t, message.Text, "新しい文")
}

// A mail of a broadcast that is not there is given up, and no other mail's end.
func TestABroadcastThatIsGoneIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	s := &server{}
	b := setup(t, s)
	e := b.enqueue(Broadcast{ID: db.NewID()}, true)
	_, err := b.sender().Send(t.Context(), e)
	var permanent *outbox.PermanentError
	require.ErrorAs(t, err, &permanent)
	assert.Empty(t, s.got())
}
