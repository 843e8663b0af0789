package api

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

const (
	termsAtMost = 500 // how many things one term may lead to and all of them are looked at
	foundAtOnce = 10  // of each kind, unless more are asked for
	kindPerson  = "member"
	kindTeam    = "team"
	lastRune    = "\U0010ffff" // behind whatever else a term may go on with
	behindAll   = "\x01"       // a term with it behind is the next one after that term: no text has it
)

// Search finds objectives that the actor may see, people and teams by a few words.
func (s *Server) Search(ctx context.Context, request SearchRequestObject) (SearchResponseObject, error) {
	p := request.Params
	limit := foundAtOnce
	if p.Limit != nil {
		limit = *p.Limit
	}
	if err := storable("/query/q", p.Q); err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (SearchResponseObject, error) {
		wanted, err := searchFor(ctx, q, p.Q)
		if err != nil {
			return nil, err
		}
		var result SearchResult
		if p.Kind == nil || *p.Kind == SearchKindObjective {
			if result.Objectives, err = wanted.objectives(ctx, q, a, p, limit); err != nil {
				return nil, err
			}
		}
		if p.Kind == nil || *p.Kind == SearchKindPerson {
			if result.People, err = wanted.people(ctx, q, a, p.WithoutID, limit); err != nil {
				return nil, err
			}
		}
		if p.Kind == nil || *p.Kind == SearchKindTeam {
			if result.Teams, err = wanted.teams(ctx, q, a, p.WithoutID, limit); err != nil {
				return nil, err
			}
		}
		return Search200Response{Body: result}, nil
	})
}

// storable refuses what PostgreSQL does not take for a text.
func storable(pointer, written string) error {
	if !utf8.ValidString(written) || strings.ContainsRune(written, 0) {
		return badRequest(FieldProblem{Pointer: pointer, Code: "invalid-utf8", Detail: "This is not UTF-8 without NUL."})
	}
	return nil
}

// wanted is what somebody looks for.
type wanted struct {
	words []string // folded, as search_text gives them
	terms []term

	proven bool // whatever has the one term has all that is looked for
}

// term is what an index is asked: everything from low to below high. One term exactly, or whatever begins with it.
type term struct {
	low, high string
	prefix    bool
}

// searchFor splits what somebody looks for as the terms were split.
func searchFor(ctx context.Context, q *db.Queries, written string) (wanted, error) {
	rows, err := q.SplitSearch(ctx, db.SplitSearchParams{Written: written})
	if err != nil {
		return wanted{}, err
	}
	var w wanted
	for _, r := range rows {
		if slices.Contains(w.words, r.Word) {
			continue
		}
		w.words = append(w.words, r.Word)
		w.terms = append(w.terms, termsOf(r.Word, r.Dense)...)
	}
	w.proven = len(w.terms) == 1 && w.terms[0].low == w.words[0]
	if len(w.terms) > 64 {
		w.terms = w.terms[:64] // enough to find a rare one; the words are all compared
	}
	return w, nil
}

func termsOf(word string, dense bool) []term {
	runes := []rune(word)
	if !dense {
		word = string(runes[:min(len(runes), 40)])
		return []term{{word, word + lastRune, true}}
	}
	if len(runes) == 1 {
		return []term{{word, word + lastRune, true}}
	}
	var pairs []term
	for i := range len(runes) - 1 {
		pair := string(runes[i : i+2])
		pairs = append(pairs, term{pair, pair + behindAll, false})
	}
	return pairs
}

// whole is what was looked for as search_text would fold a title that is the same.
func (w wanted) whole() string {
	whole := " "
	for _, word := range w.words {
		whole += word + " "
	}
	return whole
}

// index is a table of terms.
type index interface {
	count(ctx context.Context, lows, highs []string, places []int32) (map[int32]int32, error)
	ids(ctx context.Context, t term) ([]uuid.UUID, error)
	newest(ctx context.Context, term string) ([]uuid.UUID, error)
}

// candidates are things that have the rarest of the terms, and the second rarest where that is rare as well. Where even the rarest is common they are not complete: the newest with exactly that term, and some of those with one that begins like it.
func (w wanted) candidates(ctx context.Context, in index) (ids []uuid.UUID, complete bool, err error) {
	if len(w.terms) == 0 {
		return nil, true, nil
	}
	var lows, highs []string
	var places []int32
	for i, t := range w.terms {
		lows, highs, places = append(lows, t.low), append(highs, t.high), append(places, int32(i))
	}
	counts, err := in.count(ctx, lows, highs, places)
	if err != nil {
		return nil, false, err
	}
	slices.SortStableFunc(places, func(x, y int32) int { return int(counts[x] - counts[y]) })
	rarest := w.terms[places[0]]
	if counts[places[0]] > termsAtMost {
		ids, err := in.newest(ctx, rarest.low)
		if err != nil || !rarest.prefix {
			return ids, false, err
		}
		others, err := in.ids(ctx, rarest)
		return unique(append(ids, others...)), false, err
	}
	if ids, err = in.ids(ctx, rarest); err != nil {
		return nil, false, err
	}
	if len(places) > 1 && counts[places[1]] <= termsAtMost {
		also, err := in.ids(ctx, w.terms[places[1]])
		if err != nil {
			return nil, false, err
		}
		ids = slices.DeleteFunc(ids, func(id uuid.UUID) bool { return !slices.Contains(also, id) })
	}
	return unique(ids), true, nil
}

func unique(ids []uuid.UUID) []uuid.UUID {
	slices.SortFunc(ids, compareUUIDs)
	return slices.Compact(ids)
}

// objectiveTerms is the index of objectives.
type objectiveTerms struct {
	q            *db.Queries
	organization uuid.UUID
}

func (x objectiveTerms) count(ctx context.Context, lows, highs []string, places []int32) (map[int32]int32, error) {
	rows, err := x.q.CountObjectivesWithTerm(ctx, db.CountObjectivesWithTermParams{OrganizationID: x.organization, Lows: lows, Highs: highs, Places: places})
	counts := make(map[int32]int32, len(rows))
	for _, r := range rows {
		counts[r.Place] = r.Found
	}
	return counts, err
}

func (x objectiveTerms) ids(ctx context.Context, t term) ([]uuid.UUID, error) {
	return x.q.ListObjectivesWithTerm(ctx, db.ListObjectivesWithTermParams{OrganizationID: x.organization, Low: t.low, High: t.high})
}

func (x objectiveTerms) newest(ctx context.Context, term string) ([]uuid.UUID, error) {
	return x.q.ListNewestObjectivesWithTerm(ctx, db.ListNewestObjectivesWithTermParams{OrganizationID: x.organization, Term: term})
}

// nameTerms is the index of people or teams.
type nameTerms struct {
	q            *db.Queries
	organization uuid.UUID
	kind         string
}

func (x nameTerms) count(ctx context.Context, lows, highs []string, places []int32) (map[int32]int32, error) {
	rows, err := x.q.CountNamesWithTerm(ctx, db.CountNamesWithTermParams{OrganizationID: x.organization, Kind: x.kind, Lows: lows, Highs: highs, Places: places})
	counts := make(map[int32]int32, len(rows))
	for _, r := range rows {
		counts[r.Place] = r.Found
	}
	return counts, err
}

func (x nameTerms) ids(ctx context.Context, t term) ([]uuid.UUID, error) {
	return x.q.ListNamesWithTerm(ctx, db.ListNamesWithTermParams{OrganizationID: x.organization, Kind: x.kind, Low: t.low, High: t.high})
}

func (x nameTerms) newest(ctx context.Context, term string) ([]uuid.UUID, error) {
	return x.q.ListNewestNamesWithTerm(ctx, db.ListNewestNamesWithTermParams{OrganizationID: x.organization, Kind: x.kind, Term: term})
}

func (w wanted) objectives(ctx context.Context, q *db.Queries, a actor, p SearchParams, limit int) (*FoundObjectives, error) {
	ids, complete, err := w.candidates(ctx, objectiveTerms{q, a.OrganizationID})
	if err != nil {
		return nil, err
	}
	found := &FoundObjectives{Items: []FoundObjective{}, More: !complete}
	if len(ids) == 0 {
		return found, nil
	}
	rows, err := q.MatchObjectives(ctx, db.MatchObjectivesParams{OrganizationID: a.OrganizationID, IDs: ids, CycleID: p.CycleID, WithoutID: p.WithoutID, ActorID: a.UserID,
		SeesAll: a.administers(), TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs, Whole: w.whole(), Words: w.words, Proven: w.proven})
	if err != nil {
		return nil, err
	}
	if len(rows) > limit {
		rows, found.More = rows[:limit], true
	}
	var best, byKeyResult []uuid.UUID
	for _, r := range rows {
		best = append(best, r.ID)
		if r.Rank == 3 {
			byKeyResult = append(byKeyResult, r.ID)
		}
	}
	keyResults, err := w.keyResults(ctx, q, a, byKeyResult)
	if err != nil {
		return nil, err
	}
	visible, err := q.ListVisibleObjectives(ctx, db.ListVisibleObjectivesParams{OrganizationID: a.OrganizationID, IDs: best, ActorID: a.UserID, SeesAll: a.administers(),
		TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(visible, func(x, y db.ListVisibleObjectivesRow) int {
		return slices.Index(best, x.Objective.ID) - slices.Index(best, y.Objective.ID)
	})
	for _, r := range visible {
		o := r.Objective
		found.Items = append(found.Items, FoundObjective{ID: o.ID, Title: o.Title, State: o.State, Visibility: o.Visibility, Owner: Person{ID: o.OwnerID, Name: r.OwnerName},
			TeamID: o.TeamID, CycleID: o.CycleID, KeyResult: keyResults[o.ID]})
	}
	return found, nil
}

// keyResults are, of objectives that have not all the words in their titles, the first key results that have any.
func (w wanted) keyResults(ctx context.Context, q *db.Queries, a actor, ids []uuid.UUID) (map[uuid.UUID]*NamedKeyResult, error) {
	first := map[uuid.UUID]*NamedKeyResult{}
	if len(ids) == 0 {
		return first, nil
	}
	rows, err := q.ListMatchingKeyResults(ctx, db.ListMatchingKeyResultsParams{OrganizationID: a.OrganizationID, IDs: ids, ActorID: a.UserID, SeesAll: a.administers(),
		TeamIDs: a.TeamIDs, LeadTeamIDs: a.LeadTeamIDs, Words: w.words})
	for _, r := range rows {
		if first[r.ObjectiveID] == nil {
			first[r.ObjectiveID] = &NamedKeyResult{ID: r.ID, Title: r.Title}
		}
	}
	return first, err
}

func (w wanted) people(ctx context.Context, q *db.Queries, a actor, without *uuid.UUID, limit int) (*FoundPeople, error) {
	ids, complete, err := w.candidates(ctx, nameTerms{q, a.OrganizationID, kindPerson})
	if err != nil {
		return nil, err
	}
	found := &FoundPeople{Items: []FoundPerson{}, More: !complete}
	if len(ids) == 0 {
		return found, nil
	}
	rows, err := q.MatchMembers(ctx, db.MatchMembersParams{OrganizationID: a.OrganizationID, IDs: ids, WithoutID: without, Whole: w.whole(), Words: w.words})
	if err != nil {
		return nil, err
	}
	if len(rows) > limit {
		rows, found.More = rows[:limit], true
	}
	found.Items = converted(rows, func(r db.MatchMembersRow) FoundPerson { return FoundPerson{ID: r.ID, Name: r.Name, Email: r.Email} })
	return found, nil
}

func (w wanted) teams(ctx context.Context, q *db.Queries, a actor, without *uuid.UUID, limit int) (*FoundTeams, error) {
	ids, complete, err := w.candidates(ctx, nameTerms{q, a.OrganizationID, kindTeam})
	if err != nil {
		return nil, err
	}
	found := &FoundTeams{Items: []FoundTeam{}, More: !complete}
	if len(ids) == 0 {
		return found, nil
	}
	rows, err := q.MatchTeams(ctx, db.MatchTeamsParams{OrganizationID: a.OrganizationID, IDs: ids, WithoutID: without, Whole: w.whole(), Words: w.words})
	if err != nil {
		return nil, err
	}
	if len(rows) > limit {
		rows, found.More = rows[:limit], true
	}
	found.Items = converted(rows, func(r db.MatchTeamsRow) FoundTeam { return FoundTeam{ID: r.ID, Name: r.Name} })
	return found, nil
}
