package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/api"
)

// finds is what a person is answered who looks for something.
func (p *person) finds(q string, more ...string) api.SearchResult {
	p.t.Helper()
	return get[api.SearchResult](p, "/search?q="+url.QueryEscape(q)+strings.Join(more, ""))
}

func (p *person) findsObjectives(q string, more ...string) (ids []uuid.UUID) {
	p.t.Helper()
	for _, o := range p.finds(q, append(more, "&kind=objective&limit=50")...).Objectives.Items {
		ids = append(ids, o.ID)
	}
	return ids
}

func TestWordsAreFoundInJapaneseAndEnglish(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sales := b.author.leaf(fields{"title": "売上を２０％伸ばす"})
	nps := b.author.draft(fields{"title": "お客さまに選ばれ続ける", "key_results": []fields{metric("ＮＰＳを 40 にする"), metric("ｶｽﾀﾏｰｻｸｾｽの定着率")}})
	launch := b.author.leaf(fields{"title": "Launch the Café app, worldwide (Q3)"})
	for q, want := range map[string][]uuid.UUID{
		"売上": {sales.ID}, "売": {sales.ID}, "す": {sales.ID, nps.ID}, "上を": {sales.ID}, "伸ばす": {sales.ID}, "売上 伸ばす": {sales.ID}, "売上 解約": nil, "上売": nil,
		"20": {sales.ID}, "２０％": {sales.ID}, "nps": {nps.ID}, "NP": {nps.ID}, "ps": nil,
		"カスタマー": {nps.ID}, "かすたまー": {nps.ID}, "ｶｽﾀﾏ": {nps.ID}, "定着率": {nps.ID}, "さまに選": {nps.ID}, "お客 nps": {nps.ID},
		"launch": {launch.ID}, "LAU": {launch.ID}, "unch": nil, "cafe": {launch.ID}, "CAFÉ app": {launch.ID}, "world": {launch.ID}, "q3 launch": {launch.ID}, "launch sales": nil,
		"()": nil, "　": nil, "%": nil, "'": nil, `\`: nil, "app%": {launch.ID}, "_": nil,
	} {
		assert.Equal(t, want, b.viewer.findsObjectives(q), q)
	}
	hit := b.viewer.finds("定着").Objectives.Items[0]
	assert.Equal(t, "ｶｽﾀﾏｰｻｸｾｽの定着率", hit.KeyResult.Title, "what was found is shown as it was written")
	assert.Nil(t, b.viewer.finds("お客").Objectives.Items[0].KeyResult)
	assert.Empty(t, b.viewer.findsObjectives("売上", "&cycle_id="+b.newCycle("active", 0, 1).String()))
	assert.Empty(t, b.viewer.findsObjectives("売上", "&without_id="+sales.ID.String()))
	b.exec("UPDATE objectives SET archived_at = now() WHERE id = $1", sales.ID)
	assert.Empty(t, b.viewer.findsObjectives("売上"))
}

func TestTheBestComesFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	inKeyResult := b.author.draft(fields{"title": "別のこと", "key_results": []fields{metric("採用")}})
	within := b.author.leaf(fields{"title": "新卒の採用"})
	begins := b.author.leaf(fields{"title": "採用を早める"})
	exact := b.author.leaf(fields{"title": "採用"})
	later := b.author.leaf(fields{"title": "採用を強める"})
	assert.Equal(t, []uuid.UUID{exact.ID, later.ID, begins.ID, within.ID, inKeyResult.ID}, b.viewer.findsObjectives("採用"))
	few := b.viewer.finds("採用", "&limit=2")
	assert.Len(t, few.Objectives.Items, 2)
	assert.True(t, few.Objectives.More)
	assert.False(t, b.viewer.finds("採用").Objectives.More)
}

func TestPeopleAndTeamsAreFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec("UPDATE users SET name = '佐藤 葵' WHERE id = $1", b.author.id)
	b.exec("UPDATE users SET name = 'Aoi Santos' WHERE id = $1", b.member.id)
	for q, want := range map[string][]uuid.UUID{"佐藤": {b.author.id}, "葵": {b.author.id}, "santos": {b.member.id}, "aoi san": {b.member.id}, "stranger": {}, "suspended": {}} {
		ids := []uuid.UUID{}
		for _, p := range b.viewer.finds(q, "&kind=person").People.Items {
			ids = append(ids, p.ID)
		}
		assert.Equal(t, want, ids, q)
	}
	assert.Equal(t, b.author.id, b.viewer.finds(b.author.email, "&kind=person").People.Items[0].ID, "by address")
	assert.Equal(t, b.team, b.viewer.finds("サクセス").Teams.Items[0].ID)
	b.exec("UPDATE teams SET name = '顧客支援' WHERE id = $1", b.team)
	assert.Empty(t, b.viewer.finds("サクセス").Teams.Items)
	assert.Equal(t, b.team, b.viewer.finds("支援").Teams.Items[0].ID)
	b.exec("UPDATE teams SET archived_at = now() WHERE id = $1", b.team)
	assert.Empty(t, b.viewer.finds("支援").Teams.Items)
	only := b.viewer.finds("支援", "&kind=team")
	assert.Nil(t, only.Objectives)
	assert.Nil(t, only.People)
}

// Somebody who belongs to two organisations is found by their new name in both, and only there.
func TestANewNameIsFoundInEachOrganization(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec("INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')", b.otherOrganization, b.author.id)
	b.exec("UPDATE users SET name = 'Xanthippe' WHERE id = $1", b.author.id)
	for _, p := range []*person{b.viewer, b.elsewhere} {
		assert.Len(t, p.finds("xanth").People.Items, 1, p.name)
	}
	b.exec("UPDATE users SET name = 'Yolanda' WHERE id = $1", b.author.id)
	for _, p := range []*person{b.viewer, b.elsewhere} {
		assert.Empty(t, p.finds("xanth").People.Items, p.name)
		assert.Len(t, p.finds("yolanda").People.Items, 1, p.name)
	}
	assert.Zero(t, value[int](b, "SELECT count(*) FROM name_terms WHERE target_id = $1 AND organization_id NOT IN ($2, $3)", b.author.id, b.id, b.otherOrganization))
}

// A word that thousands have is answered too: the newest of them, and that there are more.
func TestACommonWordIsFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec(`INSERT INTO objectives (organization_id, id, cycle_id, owner_id, title, created_by, changed_by)
		SELECT $1, ('0193f0a1-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, $2, $3, 'sale' || CASE WHEN i % 2 = 0 THEN 's' ELSE '' END || ' 売上 ' || i, $3, $3 FROM generate_series(1, 3000) AS i`, b.id, b.cycle, b.author.id)
	newest := uuid.MustParse("0193f0a1-0000-7000-8000-000000000bb8")
	for _, q := range []string{"売上", "売", "sales", "sale", "sales 売上"} {
		found := b.viewer.finds(q, "&kind=objective").Objectives
		assert.Len(t, found.Items, 10, q)
		assert.True(t, found.More, q)
	}
	assert.Equal(t, newest, b.viewer.findsObjectives("売上")[0])
	assert.Equal(t, []uuid.UUID{newest}, b.viewer.findsObjectives("売上 3000"), "a rare word beside it is enough")
	assert.Len(t, get[api.ObjectivePage](b.viewer, "/objectives?text=sales+売上").Items, 50)
	assert.Len(t, get[api.ObjectivePage](b.viewer, "/objectives?order=newest&text=3000").Items, 1)
}

// termsAsWritten compares what the search is made from with what would be made of everything anew.
func (b *bundle) termsAsWritten() {
	b.t.Helper()
	for _, query := range []string{
		`SELECT count(*) FROM (
			(SELECT x.organization_id, t.term, x.id FROM (
				SELECT organization_id, id, title FROM objectives UNION ALL SELECT organization_id, objective_id, title FROM key_results WHERE archived_at IS NULL) AS x, search_terms(x.title) AS t
			EXCEPT SELECT organization_id, term, objective_id FROM objective_terms)
			UNION ALL
			(SELECT organization_id, term, objective_id FROM objective_terms EXCEPT
			SELECT x.organization_id, t.term, x.id FROM (
				SELECT organization_id, id, title FROM objectives UNION ALL SELECT organization_id, objective_id, title FROM key_results WHERE archived_at IS NULL) AS x, search_terms(x.title) AS t)) AS wrong`,
		`SELECT count(*) FROM (
			(SELECT m.organization_id, 'member', t.term, m.user_id FROM memberships AS m JOIN users AS u ON u.id = m.user_id, search_terms(u.name || ' ' || u.email) AS t
			UNION SELECT organization_id, 'team', t.term, id FROM teams, search_terms(name) AS t
			EXCEPT SELECT organization_id, kind, term, target_id FROM name_terms)
			UNION ALL
			(SELECT organization_id, kind, term, target_id FROM name_terms EXCEPT
			(SELECT m.organization_id, 'member', t.term, m.user_id FROM memberships AS m JOIN users AS u ON u.id = m.user_id, search_terms(u.name || ' ' || u.email) AS t
			UNION SELECT organization_id, 'team', t.term, id FROM teams, search_terms(name) AS t))) AS wrong`,
	} {
		assert.Zero(b.t, value[int](b, query))
	}
}

// However objectives and key results are written, changed, archived, brought back and deleted, the terms are those of what is there.
func TestTermsFollowWhatIsWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"title": "売上を伸ばす", "key_results": []fields{metric("売上 120"), metric("解約率")}})
	b.exec("SET jit = off") // the planner takes the words of a text for a thousand
	b.termsAsWritten()
	edit := func(revision int, change fields) api.Objective {
		change["revision"] = revision
		o := into[api.Objective](b.author.send(http.MethodPatch, objective(o.ID), change).is(http.StatusOK))
		b.termsAsWritten()
		return o
	}
	edit(1, fields{"title": "利益を伸ばす"})
	assert.Equal(t, []uuid.UUID{o.ID}, b.viewer.findsObjectives("売上"), "a key result has it still")
	edit(2, fields{"key_results": []fields{with(metric("解約率 改善"), "id", o.KeyResults[1].ID)}}) // the other one is archived
	assert.Empty(t, b.viewer.findsObjectives("売上"))
	assert.Empty(t, b.viewer.findsObjectives("120"))
	edit(3, fields{"key_results": []fields{with(metric("売上 120"), "id", o.KeyResults[0].ID)}}) // and comes back
	assert.Equal(t, []uuid.UUID{o.ID}, b.viewer.findsObjectives("売上 120"))
	b.exec("UPDATE users SET email = 'n@example.com', name = 'なまえ' WHERE id = $1", b.member.id)
	b.exec("DELETE FROM sessions WHERE user_id = $1", b.viewer.id)
	b.exec("DELETE FROM memberships WHERE user_id = $1", b.viewer.id)
	b.termsAsWritten()
	b.exec("DELETE FROM objective_history")
	b.exec("DELETE FROM suggestions")
	b.exec("DELETE FROM key_results")
	b.termsAsWritten()
	b.exec("DELETE FROM objectives")
	b.exec("DELETE FROM teams WHERE id = $1", b.otherTeam)
	b.termsAsWritten()
	assert.Zero(t, value[int](b, "SELECT count(*) FROM objective_terms"))
}

// What several texts of an objective have in common stays as long as one of them has it: words that begin alike, words cut off at forty characters, kana and kanji in and at the end of a stretch.
func TestTermsOfWhateverIsChanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.author.draft(fields{"title": "一", "key_results": []fields{metric("二"), metric("三")}})
	long := strings.Repeat("long", 10)
	parts := []string{"a", "ab", "売上", "売", "上", "上売", "カ", "が", "한", "Ж", "7", long, long + "er", long + "est", " ", "・", "-"}
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.Map(rapid.SliceOfN(rapid.SampledFrom(parts), 1, 6), func(some []string) string { return strings.Join(some, "") }), 3, 3).Draw(t, "texts")
		b.exec("UPDATE objectives SET title = $2 WHERE id = $1", o.ID, texts[0])
		archived := rapid.Bool().Draw(t, "archived")
		b.exec(`UPDATE key_results AS k SET title = w.title, archived_at = CASE WHEN w.archived THEN now() END
			FROM (VALUES ($1::uuid, $2, false), ($3::uuid, $4, $5::bool)) AS w (id, title, archived) WHERE k.id = w.id`, o.KeyResults[0].ID, texts[1], o.KeyResults[1].ID, texts[2], archived)
		if archived {
			texts = texts[:2]
		}
		want := value[[]string](b, "SELECT coalesce(array_agg(DISTINCT t.term COLLATE \"C\"), '{}') FROM unnest($1::text[]) AS x, search_terms(x) AS t", texts)
		require.Equal(t, want, value[[]string](b, "SELECT coalesce(array_agg(term ORDER BY term), '{}') FROM objective_terms WHERE objective_id = $1", o.ID))
	})
}

// Whatever is written, each stretch of a title is found, if it is a beginning of a word or lies within kana and kanji; and two who write at once do not wait for each other.
func TestWhateverIsWrittenIsFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	alphabet := []rune("abcXYZ019 -・、売上目標カガかがぱﾊﾟーＡ１é々〇한Жя𠮷👍%_'\\")
	rapid.Check(t, func(t *rapid.T) {
		title := rapid.StringOfN(rapid.SampledFrom(alphabet), 1, 40, -1).Draw(t, "title")
		id := uuid.New()
		b.exec("INSERT INTO objectives (organization_id, id, cycle_id, owner_id, title, created_by, changed_by) VALUES ($1, $2, $3, $4, $5, $4, $4)", b.id, id, b.cycle, b.author.id, title)
		defer b.exec("DELETE FROM objectives WHERE id = $1", id)
		runes := []rune(title)
		from := rapid.IntRange(0, len(runes)-1).Draw(t, "from")
		to := rapid.IntRange(from+1, len(runes)).Draw(t, "to")
		q := string(runes[from:to])
		words := strings.Fields(value[string](b, "SELECT search_text($1)", q))
		want := len(words) > 0 && value[bool](b, "SELECT bool_and(search_contains(search_text($1), w)) FROM unnest($2::text[]) AS w", title, words)
		if from == 0 && len(words) > 0 {
			require.True(t, want || !strings.HasPrefix(title, q), "the beginning of a title is in it: %q in %q", q, title)
		}
		found := slices.Contains(b.viewer.findsObjectives(q), id)
		require.Equal(t, want, found, "%q in %q, as %q", q, title, words)
	})
}

func TestWritersOfTheSameWordsDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.author.leaf(), b.member.leaf(fields{"team_id": nil})
	_, release := b.holds("UPDATE objectives SET title = '売上を伸ばす' WHERE id = $1", first.ID)
	defer release()
	b.member.send(http.MethodPatch, objective(second.ID), fields{"revision": 1, "title": "売上を伸ばす", "key_results": []fields{metric("売上")}}).is(http.StatusOK)
	b.member.send(http.MethodPost, "/objectives", fields{"cycle_id": b.cycle, "title": "売上を伸ばす"}).is(http.StatusCreated)
	assert.Equal(t, 2, value[int](b, "SELECT count(*) FROM objective_terms WHERE term = '売上'"), fmt.Sprint(first.ID))
}
