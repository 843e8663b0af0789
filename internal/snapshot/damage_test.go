package snapshot_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
	"github.com/kakeai/kakeai/internal/snapshot"
)

// signed gives an edited file the digest of what it says now.
func signed(file string) string {
	at := strings.LastIndex(file, `"sha256"`)
	sum := sha256.Sum256([]byte(file[:at]))
	return file[:at] + `"sha256":"` + hex.EncodeToString(sum[:]) + "\"}\n"
}

// empty is a database with nothing in it but what a test puts there.
func (b bundle) empty() bundle {
	b.Helper()
	b.exec("TRUNCATE organizations, users CASCADE") // and so everything that refers to them
	return b
}

func TestEveryDamagedByteIsNoticed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := b.export(b.harbor)
	for at := 0; at < len(file); at += 61 {
		flipped := []byte(file)
		flipped[at] ^= 1
		_, err := snapshot.Read(bytes.NewReader(flipped), false)
		assert.NotEmpty(t, codes(t, err), "byte %d", at)
	}
	for at := 0; at < len(file)-2; at += 101 { // without its last newline it is whole
		_, err := snapshot.Read(iotest.OneByteReader(strings.NewReader(file[:at])), false)
		assert.NotEmpty(t, codes(t, err), "cut at %d", at)
	}
}

func TestAFileThatIsNoExportIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := b.export(b.minato)
	other := b.export(b.harbor)
	b.empty()
	before := b.content()
	// line takes the first line that begins with a prefix.
	line := func(prefix string) string {
		for l := range strings.Lines(file) {
			if strings.HasPrefix(l, prefix) {
				return l
			}
		}
		t.Fatalf("no line begins with %s", prefix)
		return ""
	}
	replace := func(there, instead string) string {
		require.Contains(t, file, there)
		return signed(strings.Replace(file, there, instead, 1))
	}
	for what, c := range map[string]struct {
		file string
		code string
	}{
		"empty":               {"", "required"},
		"no JSON":             {"名前,メール\n", "syntax"},
		"a list":              {"[]", "type"},
		"another object":      {`{"hello":1}`, "unknown-field"},
		"nothing in it":       {"{}", "required"},
		"truncated":           {file[:len(file)/2], "syntax"},
		"without its end":     {strings.TrimSuffix(file, "}\n"), "syntax"},
		"without its digest":  {file[:strings.LastIndex(file, `"sha256"`)-2] + "}\n", "required"},
		"another's digest":    {file[:strings.LastIndex(file, `"sha256"`)] + other[strings.LastIndex(other, `"sha256"`):], "digest-differs"},
		"edited":              {strings.Replace(file, "みなと", "よこはま", 1), "digest-differs"},
		"digest first":        {`{"sha256":"` + strings.Repeat("0", 64) + `"}`, "digest-differs"},
		"something behind":    {file + "{}", "syntax"},
		"another format":      {replace(`"format":"kakeai organization"`, `"format":"kakeai objective"`), "format-unknown"},
		"a newer version":     {replace(`"version":2`, `"version":3`), "version-unknown"},
		"a newer schema":      {replace(`"schema":"`+db.MigrationsHash(), `"schema":"0123456789abcdef`), "schema-differs"},
		"a newer migration":   {replace(`"migration":"2026`, `"migration":"2126`), "schema-differs"},
		"a list left out":     {replace(`"comments":[`, `"remarks":[`), "unknown-field"},
		"a list twice":        {replace(`"jobs":[`, `"comments":[],"jobs":[`), "duplicate-name"},
		"an unknown field":    {replace(`{"id":"`, `{"motto":"","id":"`), "unknown-field"},
		"a field left out":    {replace(`"locale":"ja",`, ``), "form"},
		"a field twice":       {replace(`"locale":"ja",`, `"locale":"ja","locale":"en",`), "duplicate-name"},
		"a text for a number": {replace(`"grace_days":7`, `"grace_days":"7"`), "type"},
		"too large a number":  {replace(`"grace_days":7`, `"grace_days":99999999999`), "type"},
		"a padded number":     {replace(`"weight":"1"`, `"weight":"1.0"`), "form"},
		"an exponent":         {replace(`"weight":"1"`, `"weight":"1e999999999"`), "type"},
		"a time with a zone":  {replace(`"created_at":"2026-05-01T00:00:00Z"`, `"created_at":"2026-05-01T09:00:00+09:00"`), "form"},
		"a day with a time":   {replace(`"starts_on":"2026-07-01"`, `"starts_on":"2026-07-01T00:00:00Z"`), "type"},
		"an id in braces":     {replace(`"id":"`+b.minato.String()+`"`, `"id":"{`+b.minato.String()+`}"`), "form"},
		"a NUL":               {replace(`"locale":"ja"`, `"locale":"\u0000"`), "nul"},
		"half a character":    {replace(`"locale":"ja"`, `"locale":"\ud800"`), "invalid-text"},
		"not UTF-8":           {replace(`"locale":"ja"`, "\"locale\":\"\xff\""), "invalid-text"},
		"a line for another":  {replace(line(`{"id"`), line(`{"organization_id"`)), "unknown-field"},
	} {
		t.Run(what, func(t *testing.T) {
			_, err := b.whole.Import(t.Context(), strings.NewReader(c.file))
			assert.Contains(t, codes(t, err), c.code, "%v", err)
		})
	}
	assert.Equal(t, before, b.content(), "nothing was written")
}

func TestAnOrganizationThatCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := b.export(b.minato)
	b.empty()
	before := b.content()
	stranger := uuid.MustParse("0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77")
	number := func(text string) *decimal.Decimal { d := decimal.RequireFromString(text); return &d }
	keyResult := func(s *snapshot.Snapshot, kind okr.KeyResultKind) *snapshot.KeyResult {
		for i := range s.Objectives {
			for j := range s.Objectives[i].KeyResults {
				if k := &s.Objectives[i].KeyResults[j]; k.Kind == kind && k.ArchivedAt == nil {
					return k
				}
			}
		}
		t.Fatalf("no %s", kind)
		return nil
	}
	for what, c := range map[string]struct {
		damage func(s *snapshot.Snapshot)
		code   string
	}{
		"no owner": {func(s *snapshot.Snapshot) {
			for i := range s.Memberships {
				s.Memberships[i].Role = "member"
			}
		}, "owner-missing"},
		"a person twice":      {func(s *snapshot.Snapshot) { s.Users = append(s.Users, s.Users[0]) }, "twice"},
		"an address twice":    {func(s *snapshot.Snapshot) { s.Users[0].Email = s.Users[1].Email }, "twice"},
		"a member without me": {func(s *snapshot.Snapshot) { s.Users = s.Users[1:] }, "not-there"},
		"a person outside":    {func(s *snapshot.Snapshot) { s.Memberships = s.Memberships[:len(s.Memberships)-1] }, "not-a-member"},
		"a foreign cycle":     {func(s *snapshot.Snapshot) { s.Cycles[0].OrganizationID = b.harbor }, "of-another-organization"},
		"a foreign step": {func(s *snapshot.Snapshot) {
			keyResult(s, okr.Milestone).Steps[0].OrganizationID = b.harbor
		}, "of-another-organization"},
		"a foreign message":  {func(s *snapshot.Snapshot) { s.Messages[0].OrganizationID = b.harbor }, "of-another-organization"},
		"a foreign owner":    {func(s *snapshot.Snapshot) { s.Objectives[0].OwnerID = stranger }, "not-a-member"},
		"a foreign author":   {func(s *snapshot.Snapshot) { s.Comments[0].AuthorID = stranger }, "not-a-member"},
		"a foreign actor":    {func(s *snapshot.Snapshot) { s.AuditEvents[0].ActorID = &stranger }, "not-a-member"},
		"a team name twice":  {func(s *snapshot.Snapshot) { s.Teams[0].Name = s.Teams[1].Name }, "name-taken"},
		"a cycle left out":   {func(s *snapshot.Snapshot) { s.Cycles = s.Cycles[1:] }, "not-there"},
		"a team left out":    {func(s *snapshot.Snapshot) { s.Teams = s.Teams[1:] }, "not-there"},
		"a job left out":     {func(s *snapshot.Snapshot) { s.Jobs = s.Jobs[1:] }, "not-there"},
		"a message left out": {func(s *snapshot.Snapshot) { s.Messages = nil }, "not-there"},
		"a dialogue elsewhere": {func(s *snapshot.Snapshot) {
			s.Dialogues[0].ObjectiveID = s.Objectives[len(s.Objectives)-1].ID
		}, "misplaced"},
		"an objective left out": {func(s *snapshot.Snapshot) { s.Objectives = s.Objectives[1:] }, "not-there"},
		"an objective twice":    {func(s *snapshot.Snapshot) { s.Objectives = append(s.Objectives, s.Objectives[0]) }, "twice"},
		"a check-in twice":      {func(s *snapshot.Snapshot) { s.CheckIns = append(s.CheckIns, s.CheckIns[0]) }, "twice"},
		"a parent of its own": {func(s *snapshot.Snapshot) {
			s.Objectives[0].ParentObjectiveID = &s.Objectives[0].ID
		}, "alignment-loop"},
		"parents in a circle": {func(s *snapshot.Snapshot) {
			for i := range 3 {
				s.Objectives[i].ParentObjectiveID, s.Objectives[i].ParentKeyResultID = &s.Objectives[(i+1)%3].ID, nil
			}
		}, "alignment-loop"},
		"another's key result above": {func(s *snapshot.Snapshot) {
			s.Objectives[0].ParentObjectiveID, s.Objectives[0].ParentKeyResultID = &s.Objectives[1].ID, &s.Objectives[0].KeyResults[0].ID
		}, "not-there"},
		"a key result elsewhere": {func(s *snapshot.Snapshot) { s.Objectives[0].KeyResults[0].ObjectiveID = s.Objectives[1].ID }, "misplaced"},
		"a metric that stands still": {func(s *snapshot.Snapshot) {
			k := keyResult(s, okr.Metric)
			k.Target, k.Stretch = k.Baseline, nil
		}, "baseline-equals-target"},
		"a stretch on the way": {func(s *snapshot.Snapshot) {
			k := keyResult(s, okr.Metric)
			k.Stretch = k.Baseline
		}, "stretch-not-beyond-target"},
		"a threshold without a limit": {func(s *snapshot.Snapshot) {
			k := keyResult(s, okr.Threshold)
			k.AtLeast, k.AtMost = nil, nil
		}, "band-empty"},
		"a milestone without steps": {func(s *snapshot.Snapshot) { keyResult(s, okr.Milestone).Steps = []snapshot.MilestoneStep{} }, "required"},
		"weights that are all zero": {func(s *snapshot.Snapshot) {
			for i := range s.Objectives[0].KeyResults {
				s.Objectives[0].KeyResults[i].Weight = decimal.Zero
			}
		}, "weights-all-zero"},
		"a number too large":       {func(s *snapshot.Snapshot) { keyResult(s, okr.Metric).Target = number("1234567890123456") }, "number-out-of-range"},
		"a number too fine":        {func(s *snapshot.Snapshot) { keyResult(s, okr.Metric).Target = number("0.1234567") }, "number-out-of-range"},
		"a score while it is open": {func(s *snapshot.Snapshot) { s.Objectives[len(s.Objectives)-1].Score = number("0.5") }, "state-impossible"},
		"a correction of nothing":  {func(s *snapshot.Snapshot) { s.CheckIns[0].CorrectsID = &stranger }, "not-there"},
		"a current value that nobody measured": {func(s *snapshot.Snapshot) {
			keyResult(s, okr.Metric).CurrentValue = number("12345")
		}, "current-differs"},
		"a history with a gap":     {func(s *snapshot.Snapshot) { s.History = slices.Delete(s.History, 1, 2) }, "history-missing"},
		"a history of another":     {func(s *snapshot.Snapshot) { s.Objectives[0].Title += "?" }, "history-differs"},
		"a suggestion for before":  {func(s *snapshot.Snapshot) { s.Suggestions[slices.IndexFunc(s.Suggestions, open)].ObjectiveRevision-- }, "suggestion-stale"},
		"a job that is running":    {func(s *snapshot.Snapshot) { s.Jobs[0].State = "queued" }, "job-live"},
		"too long a title":         {func(s *snapshot.Snapshot) { s.Dialogues[0].Title = strings.Repeat("字", 301) }, "schema-rule"},
		"a state there is not":     {func(s *snapshot.Snapshot) { s.Cycles[0].State = "paused" }, "schema-rule"},
		"a time zone there is not": {func(s *snapshot.Snapshot) { s.Organization.TimeZone = "Asia/Atlantis" }, "not-there"},
		"a time too fine":          {func(s *snapshot.Snapshot) { s.Organization.CreatedAt = s.Organization.CreatedAt.Add(time.Nanosecond) }, "form"},
	} {
		t.Run(what, func(t *testing.T) {
			s, err := snapshot.Read(strings.NewReader(file), false)
			require.NoError(t, err)
			c.damage(s)
			var damaged bytes.Buffer
			require.NoError(t, s.Write(&damaged))
			_, err = b.whole.Import(t.Context(), &damaged)
			assert.Contains(t, codes(t, err), c.code, "%v", err)
		})
	}
	assert.Equal(t, before, b.content(), "nothing was written")
	_, err := b.whole.Import(t.Context(), strings.NewReader(file))
	require.NoError(t, err, "what was not damaged")
}

func open(g snapshot.Suggestion) bool { return g.State == "open" }

func TestAnImportTakesNothingFromAnybody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := b.export(b.harbor)
	_, err := b.whole.Import(t.Context(), strings.NewReader(file))
	require.ErrorIs(t, err, snapshot.ErrExists)

	elsewhere := setup(t)
	elsewhere.empty()
	var somebody snapshot.User
	s, err := snapshot.Read(strings.NewReader(file), false)
	require.NoError(t, err)
	somebody = s.Users[0]
	for what, c := range map[string]struct {
		id    uuid.UUID
		email string
		code  string
	}{
		"the id is another's":      {somebody.ID, "somebody.else@example.com", "person-differs"},
		"the address is another's": {db.NewID(), somebody.Email, "email-taken"},
	} {
		elsewhere.exec("INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, 'here before', 'secret')", c.id, c.email)
		before := elsewhere.content()
		_, err := elsewhere.whole.Import(t.Context(), strings.NewReader(file))
		assert.Equal(t, []string{c.code}, codes(t, err), what)
		assert.Equal(t, before, elsewhere.content(), what)
		elsewhere.exec("DELETE FROM users")
	}
	elsewhere.exec("INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, 'here before', 'secret')", somebody.ID, somebody.Email)
	_, err = elsewhere.whole.Import(t.Context(), strings.NewReader(file))
	require.NoError(t, err)
	assert.Equal(t, "here before secret", value[string](elsewhere, "SELECT name || ' ' || password_hash FROM users WHERE id = $1", somebody.ID), "a member now, and as they were")
	assert.Equal(t, 1, value[int](elsewhere, "SELECT count(*) FROM memberships WHERE user_id = $1", somebody.ID))
}

func TestPasswordHashesGoAlongOnlyWhenAskedFor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	assert.NotContains(t, b.export(b.minato), "argon2")
	var file bytes.Buffer
	require.NoError(t, b.whole.Export(t.Context(), b.harbor, &file, snapshot.ExportOptions{PasswordHashes: true}))
	hash := value[string](b, "SELECT password_hash FROM users LIMIT 1")
	assert.Contains(t, file.String(), hash)
	b.empty()
	_, err := b.whole.Import(t.Context(), &file)
	require.NoError(t, err)
	assert.Equal(t, hash, value[string](b, "SELECT password_hash FROM users LIMIT 1"))
}

func TestLiveJobsStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	b := setup(t)
	dialogue := value[uuid.UUID](b, "SELECT id FROM dialogues WHERE organization_id = $1 ORDER BY id LIMIT 1", b.minato)
	job := db.NewID()
	file := b.export(b.minato)
	b.exec(`INSERT INTO ai_jobs (organization_id, id, kind, objective_id, dialogue_id, requested_by)
		SELECT d.organization_id, $2, 'draft', d.objective_id, d.id, d.created_by FROM dialogues AS d WHERE d.id = $1`, dialogue, job)
	assert.Equal(t, file, b.export(b.minato))
	b.exec("UPDATE ai_jobs SET state = 'cancelled', finished_at = now() WHERE id = $1", job)
	assert.Contains(t, b.export(b.minato), fmt.Sprintf(`"id":%q`, job))
}

// What an export leaves out is left out on purpose. A new table belongs to one of the two lists.
func TestEveryTableIsExportedOrLeftOutForAReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	exported := []string{
		"organizations", "users", "memberships", "teams", "team_members", "cycles", "objectives", "key_results", "milestone_steps", "check_ins",
		"objective_history", "comments", "dialogues", "ai_jobs", "messages", "suggestions", "audit_events",
		"notification_preferences", "broadcasts", "meetings", "meeting_attendees", "meeting_agenda_items", "meeting_materials", "survey_questions",
		"meeting_occurrences", "survey_participants", "survey_answers", "follow_ups", "meeting_check_ins",
		"objective_links", "external_ids",
	}
	leftOut := map[string]string{
		"sessions":             "secrets, and of this installation",
		"idempotency_keys":     "what was answered to requests that may still be sent again, here",
		"outbox_events":        "deliveries that are under way here; elsewhere they would be made twice",
		"ai_usage":             "what models have taken here, which another installation's bound has nothing to do with",
		"organization_clocks":  "when this installation looks at the organisation next",
		"scheduled_runs":       "what this installation has done by the clock",
		"session_accesses":     "of sessions, which are left out",
		"notifications":        "made from what is exported, for people who have read them elsewhere",
		"notice_claims":        "what this installation has told people lately",
		"mails":                "deliveries that are under way here; elsewhere they would be made twice",
		"mail_settings":        "how far this installation has come with digests",
		"broadcast_deliveries": "deliveries that were made here",
		"webhooks":             "secrets, and addresses that would be told twice",
		"webhook_deliveries":   "deliveries that were made here",
		"feed_entries":         "made from the audit, which is exported",
		"objective_figures":    "computed from what is exported",
		"figure_counts":        "computed from what is exported",
		"cycle_figures":        "computed from what is exported",
		"cycle_figures_daily":  "computed from what is exported",
		"objective_terms":      "made from objectives and key results, which are exported",
		"name_terms":           "made from members and teams, which are exported",
		"identities":           "of this installation's identity providers",
		"removed_identities":   "of this installation's identity providers",
		"member_icons":         "pictures that are large, and imported again",
		"link_previews":        "fetched again",
		"calendar_feeds":       "secrets",
		"meeting_notices":      "deliveries that are under way here",
		"invitations":          "secrets, and links that lead to this installation",
		"key_fingerprints":     "belongs to the installation",
		"imports":              "files that were brought here, for as long as they are kept",
		"import_rows":          "files that were brought here, for as long as they are kept",
		"import_entities":      "files that were brought here, for as long as they are kept",
		"runtime_state":        "belongs to the installation",
		"schema_migrations":    "belongs to the installation",
	}
	rows, err := b.Owner.Query(t.Context(), "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'")
	require.NoError(t, err)
	for rows.Next() {
		var table string
		require.NoError(t, rows.Scan(&table))
		if !slices.Contains(exported, table) {
			assert.NotEmpty(t, leftOut[table], "%s is neither exported nor left out for a reason", table)
		}
	}
	require.NoError(t, rows.Err())
}
