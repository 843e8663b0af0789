package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/snapshot"
)

const replace = "/organization/snapshot"

// export is an organisation as `kakeai org export` writes it.
func (b *bundle) export(organization uuid.UUID) []byte {
	b.t.Helper()
	var file bytes.Buffer
	require.NoError(b.t, snapshot.New(b.database.OwnerURL, snapshot.Options{}).Export(b.t.Context(), organization, &file, snapshot.ExportOptions{}))
	return file.Bytes()
}

// file is an export that somebody may edit, and so without its digest.
func (b *bundle) file(organization uuid.UUID) fields {
	b.t.Helper()
	var file fields
	require.NoError(b.t, json.Unmarshal(b.export(organization), &file))
	delete(file, "sha256")
	return file
}

// find is the row of a list whose id this is.
func (b *bundle) find(file fields, list string, id uuid.UUID) fields {
	b.t.Helper()
	for _, row := range file[list].([]any) {
		if row := row.(fields); row["id"] == id.String() {
			return row
		}
	}
	require.Fail(b.t, "not in the file", "%s %s", list, id)
	return nil
}

func TestAnOrganizationBecomesWhatAFileSays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	b.member.send(http.MethodPost, objective(o.ID)+"/comments", fields{"body": "どうでしょう"}).is(http.StatusCreated)
	whole := b.export(b.id)
	a := b.owner.send(http.MethodPut, replace, whole).is(http.StatusOK)
	assert.Equal(t, api.OrganizationChange{Revision: 1, Changed: []api.ChangedThing{}}, into[api.OrganizationChange](a), "it is what it says")
	assert.Equal(t, string(whole), string(b.export(b.id)))

	file := b.file(b.id)
	row := b.find(file, "objectives", o.ID)
	row["title"] = "ファイルから"
	row["key_results"].([]any)[0].(fields)["target"] = "99.5"
	b.member.send(http.MethodPost, objective(o.ID)+"/comments", fields{"body": "間に入った"}).is(http.StatusCreated) // what people add conflicts with nobody
	a = b.owner.send(http.MethodPut, replace, file).is(http.StatusOK)
	assert.Equal(t, api.OrganizationChange{Revision: 2, Changed: []api.ChangedThing{{Kind: "objective", ID: o.ID}}}, into[api.OrganizationChange](a))
	now := get[api.Objective](b.viewer, objective(o.ID))
	assert.Equal(t, "ファイルから", now.Title)
	assert.Equal(t, "99.5", now.KeyResults[0].Target.String())
	assert.Equal(t, o.Revision+1, now.Revision)
	assert.Equal(t, b.owner.id, now.ChangedBy.ID)
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM comments WHERE objective_id = $1", o.ID))
	assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE target_id = $1 AND target_revision = $2 AND actor_id = $3 AND request_id = $4", o.ID, now.Revision, b.owner.id, a.header.Get("X-Request-Id")))
}

// The history of a change by file and of an edit are one form, so that either can be compared with and restored from the other.
func TestTheHistoryOfAFileIsThatOfAnEdit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"key_results": []fields{metric("NPS"), threshold("稼働率"), milestone("移行", "設計", "実施")}})
	b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": 1, "title": "同じ題"}).is(http.StatusOK)
	file := b.file(b.id)
	b.find(file, "objectives", o.ID)["title"] = "別の題"
	b.owner.send(http.MethodPut, replace, file).is(http.StatusOK)
	b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": 3, "title": "同じ題"}).is(http.StatusOK)
	assert.Equal(t, 1, value[int](b, "SELECT count(DISTINCT content - 'title') FROM objective_history WHERE objective_id = $1", o.ID))
	assert.Equal(t, 4, value[int](b, "SELECT count(*) FROM objective_history WHERE objective_id = $1", o.ID))
}

func TestAFileThatIsOutOfDateIsToldWhatHasMoved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, other := b.author.draft(), b.author.draft()
	file := b.file(b.id)
	for _, o := range []api.Objective{one, other} {
		b.find(file, "objectives", o.ID)["title"] = "ファイルから"
	}
	b.author.send(http.MethodPatch, objective(other.ID), fields{"revision": 1, "title": "先に"}).is(http.StatusOK)
	before := b.content("idempotency_keys")
	a := b.owner.send(http.MethodPut, replace, file, key("k"))
	p := a.refused(http.StatusConflict, "stale-revision", "/objectives/1")
	assert.Contains(t, (*p.Errors)[0].Detail, other.ID.String()+" is at revision 2; the file was made from revision 1")
	assert.Equal(t, before, b.content("idempotency_keys"), "neither of the two")
}

func TestAFileThatCannotBecomeTrueIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft()
	before := b.content()
	spoil := func(edit func(file fields)) fields {
		file := b.file(b.id)
		edit(file)
		return file
	}
	for what, c := range map[string]struct {
		file          any
		status        int
		pointer, code string
	}{
		"another's":      {b.export(b.otherOrganization), http.StatusUnprocessableEntity, "/organization/id", "of-another-organization"},
		"damaged":        {bytes.Replace(b.export(b.id), []byte("みなと"), []byte("はこね"), 1), http.StatusBadRequest, "/sha256", "digest-differs"},
		"broken off":     {b.export(b.id)[:1000], http.StatusBadRequest, "", "syntax"},
		"a wrong target": {spoil(func(file fields) { b.find(file, "objectives", o.ID)["key_results"].([]any)[0].(fields)["target"] = "0" }), http.StatusUnprocessableEntity, "/objectives/0/key_results/0/target", "baseline-equals-target"},
		"a hole":         {spoil(func(file fields) { delete(b.find(file, "objectives", o.ID), "description") }), http.StatusBadRequest, "/objectives/0/description", "form"},
		"left out":       {spoil(func(file fields) { file["objectives"] = []any{} }), http.StatusUnprocessableEntity, "", "not-deleted-here"},
		"no owner":       {spoil(func(file fields) { demoteAll(file) }), http.StatusUnprocessableEntity, "/memberships", "owner-missing"},
	} {
		a := b.owner.send(http.MethodPut, replace, c.file).is(c.status)
		a.what += ": " + what
		if c.pointer != "" {
			a.code(c.pointer, c.code)
		}
		assert.Contains(t, string(a.body), c.code, what)
	}
	assert.Equal(t, before, b.content())
}

func demoteAll(file fields) {
	for _, row := range file["memberships"].([]any) {
		if row := row.(fields); row["role"] == string(auth.Owner) {
			row["role"] = string(auth.Admin)
		}
	}
}

// counted is a body that tells whether anybody has read of it.
type counted struct{ read atomic.Int64 }

func (c *counted) Read(p []byte) (int, error) {
	c.read.Add(1)
	return 0, io.EOF
}

// unasked sends a file that the server has to ask for, and reports whether it did.
func (p *person) unasked() (a answer, asked bool) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	body := &counted{}
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, p.url+"/api/v1"+replace, body)
	require.NoError(p.t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+p.token)
	request.Header.Set("Expect", "100-continue")
	transport := &http.Transport{ExpectContinueTimeout: patience}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport}).Do(request)
	require.NoError(p.t, err)
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	require.NoError(p.t, err)
	return answer{t: p.t, what: "replace as " + p.name, status: response.StatusCode, header: response.Header, body: read}, body.read.Load() > 0
}

// In production the route ends before its handler, its body and the database: the store is closed, so that a handler, which begins by looking
// at who asks, could only fail otherwise.
func TestInProductionNoRequestReachesTheChangeOfAWholeOrganization(t *testing.T) {
	t.Parallel()
	b := setupWith(t, api.Options{Production: true})
	before := b.content()
	b.store.Close()
	a, asked := b.owner.unasked()
	a.refused(http.StatusServiceUnavailable, "not-in-production")
	assert.False(t, asked, "nobody has read of the body")
	assert.Equal(t, "3600", a.header.Get("Retry-After"))
	assert.Equal(t, before, b.content())
}

func TestWhoMayNotReplaceIsToldSoBeforeTheFileIsRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, asked := b.admin.unasked()
	a.refused(http.StatusForbidden, "not-allowed")
	assert.False(t, asked)
	a, asked = b.owner.unasked()
	a.refused(http.StatusBadRequest, "bad-request", "")
	assert.True(t, asked)
}

func TestInProductionItIsRefusedWhoeverAsks(t *testing.T) {
	t.Parallel()
	b := setupWith(t, api.Options{Production: true})
	file := b.file(b.id)
	for _, actor := range actors {
		actor.of(b).send(http.MethodPut, replace, file).refused(http.StatusServiceUnavailable, "not-in-production")
	}
	b.owner.send(http.MethodGet, "/session", nil).is(http.StatusOK)
}

// A file of a size that would never fit into an ordinary body.
func TestALargeFileIsTaken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	whole := snapshot.New(b.database.OwnerURL, snapshot.Options{})
	made, err := whole.Bootstrap(t.Context(), snapshot.Bootstrap{Name: "大きい", Locale: "ja", TimeZone: "Asia/Tokyo", OwnerEmail: "large@example.com", OwnerName: "大", PasswordHash: "x", People: 50, Objectives: 300})
	require.NoError(t, err)
	token, _ := b.session(made.Organization, made.Owner)
	owner := &person{bundle: b, id: made.Owner, name: "owner of many", token: token}
	file := b.export(made.Organization)
	require.Greater(t, len(file), 2<<20)
	began := time.Now()
	owner.send(http.MethodPut, replace, file).is(http.StatusOK)
	t.Logf("%d MiB in %s", len(file)>>20, time.Since(began))
	b.owner.send(http.MethodPost, "/teams", fields{"name": string(bytes.Repeat([]byte("x"), 2<<20))}).is(http.StatusRequestEntityTooLarge)
}
