package snapshot_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
	"github.com/kakeai/kakeai/internal/snapshot"
)

// Each fault is planted where only the owner of the tables can reach, and verify has to find it. What can be mended without deciding anything, maintain mends.
func TestVerifyFindsWhatIsWrongAndMaintainMendsWhatItCan(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		plant  string
		codes  []string
		mended bool
	}{
		"a stale current value": {"UPDATE key_results SET current_value = current_value + 1 WHERE id = (SELECT k.id FROM key_results AS k JOIN objectives AS o ON o.id = k.objective_id WHERE k.kind = 'metric' AND k.current_value IS NOT NULL AND k.archived_at IS NULL AND o.state = 'approved' LIMIT 1)",
			[]string{"current-differs", "roll-up-differs"}, true},
		"a check-in that was not counted": {"UPDATE key_results SET current_check_in_id = NULL, current_value = NULL, current_confidence = NULL, current_at = NULL, current_done_steps = '{}' WHERE id = (SELECT key_result_id FROM check_ins AS i JOIN key_results AS k ON k.id = i.key_result_id WHERE k.kind = 'metric' AND k.archived_at IS NULL AND i.progress > 0 ORDER BY i.id LIMIT 1)",
			[]string{"current-differs", "roll-up-differs"}, true},
		"a value without a check-in": {"UPDATE key_results SET current_confidence = 5 WHERE current_check_in_id IS NULL AND id = (SELECT id FROM key_results WHERE current_check_in_id IS NULL LIMIT 1)",
			[]string{"current-differs"}, true},
		"history that is not what there is": {"UPDATE objectives SET title = title || '?' WHERE id = (SELECT id FROM objectives WHERE state = 'draft' LIMIT 1)",
			[]string{"history-differs"}, false},
		"a key result that history does not know": {"UPDATE key_results SET weight = weight + 1 WHERE id = (SELECT k.id FROM key_results AS k JOIN objectives AS o ON o.id = k.objective_id WHERE o.state = 'draft' AND o.archived_at IS NULL AND k.archived_at IS NULL AND k.current_at IS NULL LIMIT 1)",
			[]string{"history-differs"}, false},
		"history with a hole": {"DELETE FROM objective_history WHERE revision = 2 AND objective_id = (SELECT objective_id FROM objective_history WHERE revision = 3 LIMIT 1)",
			[]string{"history-missing"}, false},
		"a revision too many": {"UPDATE objectives SET revision = revision + 1 WHERE id = (SELECT id FROM objectives AS o WHERE NOT EXISTS (SELECT FROM suggestions AS g WHERE g.objective_id = o.id AND g.state = 'open') LIMIT 1)",
			[]string{"history-missing"}, false},
		"an author who is no member": {"UPDATE teams SET changed_by = '0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77'",
			[]string{"not-a-member"}, false},
		"a loop in the alignment": {"UPDATE objectives SET parent_key_result_id = NULL, parent_objective_id = (SELECT id FROM objectives AS c WHERE c.parent_objective_id = objectives.id LIMIT 1) WHERE id = (SELECT parent_objective_id FROM objectives WHERE parent_objective_id IS NOT NULL LIMIT 1)",
			[]string{"alignment-loop", "history-differs"}, false},
		"no owner who can act": {"UPDATE memberships SET suspended_at = now() WHERE role = 'owner'",
			[]string{"owner-missing"}, false},
		"a job that nobody works on": {`INSERT INTO ai_jobs (organization_id, id, kind, objective_id, dialogue_id, requested_by, state, attempt, lease_number, lease_expires_at)
			SELECT d.organization_id, '0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77', 'draft', d.objective_id, d.id, d.created_by, 'running', 1, 1, now() - interval '1 hour' FROM dialogues AS d LIMIT 1`,
			[]string{"job-orphaned"}, true},
		"a suggestion for an earlier revision": {"UPDATE suggestions SET objective_revision = objective_revision - 1 WHERE state = 'open' AND objective_revision > 1",
			[]string{"suggestion-stale"}, true},
		"a dialogue about something else": {"UPDATE dialogues SET objective_id = (SELECT o.id FROM objectives AS o WHERE o.organization_id = dialogues.organization_id ORDER BY o.id DESC LIMIT 1) WHERE id = (SELECT dialogue_id FROM suggestions LIMIT 1)",
			[]string{"misplaced"}, false},
		"a key result without sense": {"UPDATE milestone_steps SET weight = 0",
			[]string{"weights-all-zero"}, false},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.exec(c.plant)
			report, err := b.whole.Verify(t.Context(), b.minato)
			require.NoError(t, err)
			found := codesOf(report.Faults)
			assert.Subset(t, found, c.codes, "%v", report.Faults)

			repairs, left, err := b.whole.Maintain(t.Context(), b.minato)
			require.NoError(t, err)
			if !c.mended {
				assert.Empty(t, repairs)
				assert.Equal(t, found, codesOf(left), "it is told what is left")
				assert.Equal(t, int64(1), value[int64](b, "SELECT revision FROM organizations WHERE id = $1", b.minato))
				return
			}
			assert.NotEmpty(t, repairs)
			assert.Empty(t, left)
			assert.Equal(t, int64(2), value[int64](b, "SELECT revision FROM organizations WHERE id = $1", b.minato))
			assert.Equal(t, 1, value[int](b, "SELECT count(*) FROM audit_events WHERE action = 'organization.maintained' AND actor_id IS NULL"))
			again, _, err := b.whole.Maintain(t.Context(), b.minato)
			require.NoError(t, err)
			assert.Empty(t, again, "once is enough")
		})
	}
}

func TestMaintainRestoresWhatTheCheckInsSay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := b.export(b.minato)
	b.exec("UPDATE key_results SET current_value = 0, current_done_steps = '{}' WHERE current_check_in_id IS NOT NULL")
	_, _, err := b.whole.Maintain(t.Context(), b.minato)
	require.NoError(t, err)
	lines := func(s string) (objectives []string) {
		for line := range strings.Lines(s) {
			if strings.Contains(line, `"key_results":`) && strings.HasPrefix(line, `{"organization_id"`) {
				objectives = append(objectives, strings.TrimSuffix(strings.TrimSpace(line), ","))
			}
		}
		return objectives
	}
	require.NotEmpty(t, lines(file))
	assert.Equal(t, lines(file), lines(b.export(b.minato)))
}

func newcomers(email string) snapshot.Bootstrap {
	return snapshot.Bootstrap{Name: "はじめ製作所", Locale: "ja", TimeZone: "Asia/Tokyo", OwnerEmail: email, OwnerName: "佐藤 葵", PasswordHash: "hash"}
}

func TestAnInstallationGetsItsFirstOrganization(t *testing.T) {
	t.Parallel()
	b := setup(t).empty()
	made, err := b.whole.Bootstrap(t.Context(), newcomers("aoi@example.com"))
	require.NoError(t, err)
	assert.False(t, made.OwnerKnown)
	report, err := b.whole.Verify(t.Context(), made.Organization)
	require.NoError(t, err)
	assert.Empty(t, report.Faults)
	assert.Equal(t, "owner hash", value[string](b, "SELECT m.role || ' ' || u.password_hash FROM users AS u JOIN memberships AS m ON m.user_id = u.id WHERE u.id = $1", made.Owner))
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM audit_events"))

	second, err := b.whole.Bootstrap(t.Context(), newcomers("aoi@example.com"))
	require.NoError(t, err)
	assert.True(t, second.OwnerKnown)
	assert.Equal(t, made.Owner, second.Owner)
	assert.NotEqual(t, made.Organization, second.Organization)

	for name, id := range map[string]uuid.UUID{made.Organization.String(): made.Organization, second.Organization.String(): second.Organization} {
		found, err := b.whole.Find(t.Context(), name)
		require.NoError(t, err)
		assert.Equal(t, id, found)
	}
	_, err = b.whole.Find(t.Context(), "はじめ製作所")
	require.ErrorIs(t, err, snapshot.ErrNotThere, "two have this name")
	b.exec("UPDATE organizations SET name = 'つぎ製作所' WHERE id = $1", second.Organization)
	found, err := b.whole.Find(t.Context(), "つぎ製作所")
	require.NoError(t, err)
	assert.Equal(t, second.Organization, found)
	_, err = b.whole.Find(t.Context(), "x")
	require.ErrorContains(t, err, "つぎ製作所")
}

func TestABootstrapThatCannotBeIsRefusedByName(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before := b.content()
	for field, spoil := range map[string]func(*snapshot.Bootstrap){
		"/name":        func(n *snapshot.Bootstrap) { n.Name = "" },
		"/owner_name":  func(n *snapshot.Bootstrap) { n.OwnerName = strings.Repeat("字", 201) },
		"/owner_email": func(n *snapshot.Bootstrap) { n.OwnerEmail = "Aoi <aoi@example.com>" },
		"/locale":      func(n *snapshot.Bootstrap) { n.Locale = "fr" },
		"/time_zone":   func(n *snapshot.Bootstrap) { n.TimeZone = "Asia/Atlantis" },
		"/people":      func(n *snapshot.Bootstrap) { n.People = -1 },
	} {
		n := newcomers("aoi@example.com")
		spoil(&n)
		_, err := b.whole.Bootstrap(t.Context(), n)
		var refused *snapshot.RefusedError
		require.ErrorAs(t, err, &refused, field)
		assert.Equal(t, field, refused.Faults[0].Pointer)
	}
	assert.Equal(t, before, b.content())
}

// Foreign keys are checked for each row that is loaded: by plans that were made for an empty table, each check would go through all of an organisation.
func TestAPopulationIsCheckedByKeysAlone(t *testing.T) {
	t.Parallel()
	database := pgtest.New(t)
	b := bundle{T: t, Database: database, whole: snapshot.New(database.OwnerURL, snapshot.Options{})}
	n := newcomers("aoi@example.com")
	n.People, n.Objectives = 20, 1500
	_, err := b.whole.Bootstrap(t.Context(), n)
	require.NoError(t, err)
	scans := func(primary bool) int {
		return value[int](b, `SELECT coalesce(sum(s.idx_scan), 0)::int FROM pg_stat_user_indexes AS s JOIN pg_index AS i USING (indexrelid)
			WHERE s.relname IN ('objectives', 'key_results') AND i.indisprimary = $1`, primary)
	}
	require.Eventually(t, func() bool { return scans(true) > 15_000 }, time.Minute, 50*time.Millisecond, "a connection that has ended tells of its last scans a little later")
	assert.Less(t, scans(false), 3_000, "what is made at once, and what reads lists")
}

func TestAMadeUpPopulationIsSound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, locale := range []string{"ja", "en"} {
		n := newcomers(locale + "@example.com")
		n.Locale, n.People, n.Objectives = locale, 120, 300 // more than are made at once
		made, err := b.whole.Bootstrap(t.Context(), n)
		require.NoError(t, err)
		report, err := b.whole.Verify(t.Context(), made.Organization)
		require.NoError(t, err)
		assert.Empty(t, report.Faults)
		assert.Len(t, report.Snapshot.Memberships, 121)
		assert.Len(t, report.Snapshot.Objectives, 300)
		titles, beneath, languages := map[string]bool{}, map[uuid.UUID]int{}, map[bool]bool{}
		for _, o := range report.Snapshot.Objectives {
			titles[o.Title], languages[strings.ContainsFunc(o.Title, func(r rune) bool { return r > unicode.MaxLatin1 })] = true, true
			if o.ParentObjectiveID != nil {
				beneath[*o.ParentObjectiveID]++
			}
		}
		assert.Greater(t, len(titles), 280, "titles that differ")
		assert.Len(t, languages, 2)
		assert.Greater(t, slices.Max(slices.Collect(maps.Values(beneath))), 8, "one with very many beneath it")
		assert.Greater(t, len(report.Snapshot.Comments), 100)
		for _, seed := range []uint64{0, 1} {
			n.Seed, n.OwnerEmail = seed, fmt.Sprintf("%s.%d@example.com", locale, seed)
			again, err := b.whole.Bootstrap(t.Context(), n)
			require.NoError(t, err)
			same := 0
			for title := range titles {
				same += value[int](b, "SELECT count(*) FROM objectives WHERE organization_id = $1 AND title = $2", again.Organization, title)
			}
			assert.Equal(t, seed == 0, same == 300, "seed %d: %d titles are the same", seed, same)
		}

		var file bytes.Buffer
		require.NoError(t, b.whole.Export(t.Context(), made.Organization, &file, snapshot.ExportOptions{}))
		elsewhere := setup(t).empty()
		_, err = elsewhere.whole.Import(t.Context(), strings.NewReader(file.String()))
		require.NoError(t, err)
		assert.Equal(t, file.String(), elsewhere.export(made.Organization))
	}
}

// A check-in that comes between reading and mending is not overwritten with what was read.
func TestMaintainDoesNotOverwriteWhatComesMeanwhile(t *testing.T) {
	t.Parallel()
	b := setup(t, snapshot.Options{LockTimeout: patience})
	store := b.openStore()
	keyResult := value[uuid.UUID](b, "SELECT id FROM key_results WHERE organization_id = $1 AND kind = 'metric' AND current_check_in_id IS NOT NULL ORDER BY id LIMIT 1", b.minato)
	b.exec("UPDATE key_results SET current_value = 0 WHERE id = $1", keyResult)
	ended := make(chan error, 1)
	b.write(store, func(ctx context.Context, q *db.Queries) error {
		if _, err := q.LockKeyResult(ctx, db.LockKeyResultParams{OrganizationID: b.minato, ID: keyResult}); err != nil {
			return err
		}
		go func() {
			_, _, err := b.whole.Maintain(context.WithoutCancel(t.Context()), b.minato)
			ended <- err
		}()
		require.Eventually(t, func() bool {
			return value[int](b, "SELECT count(*) FROM pg_locks WHERE NOT granted") > 0
		}, patience, 5*time.Millisecond)
		_, err := q.SetCurrentCheckIn(ctx, db.SetCurrentCheckInParams{OrganizationID: b.minato, KeyResultID: keyResult})
		return err
	})
	var moved *snapshot.MovedError
	require.ErrorAs(t, <-ended, &moved)
}
