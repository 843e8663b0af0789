package snapshot_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
	"github.com/kakeai/kakeai/internal/snapshot"
)

// linked has the first two objectives support the third.
func (b bundle) linked() {
	b.exec(`INSERT INTO objective_links (organization_id, objective_id, supported_id, created_by)
		SELECT o.organization_id, o.id, (SELECT id FROM objectives WHERE organization_id = $1 ORDER BY id OFFSET 2 LIMIT 1), o.owner_id
		FROM objectives AS o WHERE o.organization_id = $1 ORDER BY o.id LIMIT 2`, b.minato)
}

// What is supported moves with the organisation, and what the search is made from is made anew from what was moved.
func TestLinksAndTermsMoveWithTheOrganization(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.linked()
	file := b.export(b.minato)
	elsewhere := bundle{T: t, Database: pgtest.New(t)}
	elsewhere.whole = snapshot.New(elsewhere.OwnerURL, snapshot.Options{})
	_, err := elsewhere.whole.Import(t.Context(), strings.NewReader(file))
	require.NoError(t, err)
	assert.Equal(t, file, elsewhere.export(b.minato))
	report, err := elsewhere.whole.Verify(t.Context(), b.minato)
	require.NoError(t, err)
	assert.Empty(t, report.Faults)
	assert.Equal(t, 2, value[int](elsewhere, "SELECT count(*) FROM objective_links"))
	for _, table := range []string{"objective_terms", "name_terms"} {
		terms := "SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM " + table + " AS t WHERE organization_id = $1"
		assert.Equal(t, value[string](b, terms, b.minato), value[string](elsewhere, terms, b.minato), table)
	}
}

func TestLinksThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.linked()
	file := b.export(b.minato)
	elsewhere := bundle{T: t, Database: pgtest.New(t)}
	elsewhere.whole = snapshot.New(elsewhere.OwnerURL, snapshot.Options{})
	stranger := db.NewID()
	for what, c := range map[string]struct {
		damage func(s *snapshot.Snapshot)
		code   string
	}{
		"of nothing":    {func(s *snapshot.Snapshot) { s.Links[0].ObjectiveID = stranger }, "not-there"},
		"to nothing":    {func(s *snapshot.Snapshot) { s.Links[0].SupportedID = stranger }, "not-there"},
		"to itself":     {func(s *snapshot.Snapshot) { s.Links[0].SupportedID = s.Links[0].ObjectiveID }, "alignment-loop"},
		"twice":         {func(s *snapshot.Snapshot) { s.Links = append(s.Links, s.Links[0]) }, "twice"},
		"by a stranger": {func(s *snapshot.Snapshot) { s.Links[0].CreatedBy = stranger }, "not-a-member"},
		"of another's":  {func(s *snapshot.Snapshot) { s.Links[0].OrganizationID = b.harbor }, "of-another-organization"},
	} {
		s, err := snapshot.Read(strings.NewReader(file), false)
		require.NoError(t, err)
		c.damage(s)
		var damaged bytes.Buffer
		require.NoError(t, s.Write(&damaged))
		_, err = elsewhere.whole.Import(t.Context(), &damaged)
		assert.Contains(t, codes(t, err), c.code, "%s: %v", what, err)
	}
	_, err := b.change(func(s *snapshot.Snapshot) error {
		made := s.Links[0]
		made.ObjectiveID, made.SupportedID = made.SupportedID, made.ObjectiveID
		s.Links = append(slices.Clone(s.Links), made)
		return nil
	})
	assert.Equal(t, []string{"not-added-here"}, codes(t, err))
}
