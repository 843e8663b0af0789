package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/pgdev/pgtest"
)

// operator types org commands against one database.
type operator struct {
	*pgtest.Database
	t *testing.T
}

func (o operator) try(in string, arguments ...string) (said string, err error) {
	o.t.Helper()
	var out bytes.Buffer
	err = org(o.t.Context(), arguments, config.Config{DatabaseOwnerURL: o.OwnerURL}, terminal{in: strings.NewReader(in), out: &out})
	return out.String(), err
}

func (o operator) do(in string, arguments ...string) string {
	o.t.Helper()
	said, err := o.try(in, arguments...)
	require.NoError(o.t, err, "%q", arguments)
	return said
}

// signsIn reports whether a password opens an account.
func (o operator) signsIn(email, password string) bool {
	o.t.Helper()
	var hash string
	require.NoError(o.t, o.Owner.QueryRow(o.t.Context(), "SELECT password_hash FROM users WHERE email = $1", email).Scan(&hash))
	matches, err := auth.NewPasswords(1, auth.PasswordPatience).Matches(o.t.Context(), password, hash)
	require.NoError(o.t, err)
	return matches
}

func TestAnOperatorGetsFromNothingToASecondInstallation(t *testing.T) {
	t.Parallel()
	o := operator{pgtest.New(t), t}
	_, err := o.try("", "verify", "みなと製作所")
	require.ErrorContains(t, err, "kakeai org bootstrap makes one")

	said := o.do("", "bootstrap", "--name", "みなと製作所", "--owner-email", "aoi@example.com", "--owner-name", "佐藤 葵", "--locale", "ja", "--time-zone", "Asia/Tokyo", "--people", "25", "--objectives", "40")
	password := regexp.MustCompile(`(?m)^    ([a-z2-7]{5}(?:-[a-z2-7]{5}){3})$`).FindStringSubmatch(said)
	require.Len(t, password, 2, said)
	assert.NoError(t, auth.CheckPassword(password[1]))
	assert.True(t, o.signsIn("aoi@example.com", password[1]))

	said = o.do("", "bootstrap", "--name", "Harbor Labs", "--owner-email", "aoi@example.com")
	assert.Contains(t, said, "signs in as before")
	assert.True(t, o.signsIn("aoi@example.com", password[1]))
	said = o.do("a password of one's own\nand no more", "bootstrap", "--name", "Own", "--owner-email", "ren@example.com", "--password-stdin")
	assert.NotContains(t, said, "a password of one's own")
	assert.True(t, o.signsIn("ren@example.com", "a password of one's own"))
	_, err = o.try("short", "bootstrap", "--name", "Short", "--owner-email", "mei@example.com", "--password-stdin")
	require.ErrorIs(t, err, auth.ErrPasswordTooShort)

	assert.Regexp(t, `^みなと製作所 is sound: 26 members, 3 teams, 2 cycles, 40 objectives, 120 key results, \d+ check-ins\.\n$`, o.do("", "verify", "みなと製作所"))
	assert.Equal(t, "0 put right, nothing left.\n", o.do("", "maintain", "みなと製作所"))

	file := o.do("", "export", "みなと製作所")
	assert.NotContains(t, file, "argon2")
	secret := o.do("", "export", "--with-password-hashes", "みなと製作所")
	assert.Equal(t, secret, o.do("", "export", "みなと製作所", "--with-password-hashes"), "flags stand where people put them")
	path := filepath.Join(t.TempDir(), "minato.json")
	require.NoError(t, os.WriteFile(path, []byte(secret), 0o600))

	second := operator{pgtest.New(t), t}
	assert.Regexp(t, `^みなと製作所 is there, as [0-9a-f-]{36}: 26 members`, second.do("", "import", path))
	assert.True(t, second.signsIn("aoi@example.com", password[1]))
	assert.Equal(t, file, second.do("", "export", "みなと製作所"))
	_, err = second.try(file, "import")
	require.ErrorContains(t, err, "is there already")
	_, err = second.try(file[:1000], "import", "-")
	require.ErrorContains(t, err, "breaks off")
	_, err = second.try("", "import", path+".none")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestVerifyFailsWhereSomethingIsWrong(t *testing.T) {
	t.Parallel()
	o := operator{pgtest.New(t), t}
	o.do("", "bootstrap", "--name", "x", "--owner-email", "aoi@example.com", "--objectives", "10")
	_, err := o.Owner.Exec(t.Context(), "UPDATE key_results SET current_value = 0 WHERE id = (SELECT id FROM key_results WHERE current_value > 0 LIMIT 1)")
	require.NoError(t, err)
	said, err := o.try("", "verify", "x")
	require.ErrorContains(t, err, "faults in 1 members")
	assert.Contains(t, said, "(current-differs)")
	assert.Contains(t, o.do("", "maintain", "x"), "stands at its latest check-in again")
	o.do("", "verify", "x")

	_, err = o.Owner.Exec(t.Context(), "UPDATE memberships SET suspended_at = now()")
	require.NoError(t, err)
	said, err = o.try("", "maintain", "x")
	require.ErrorContains(t, err, "0 put right, 1 left for people")
	assert.Contains(t, said, "owner-missing")
}

func TestOrgRefusesWhatItDoesNotUnderstand(t *testing.T) {
	t.Parallel()
	for _, arguments := range [][]string{
		{}, {"destroy"}, {"export"}, {"export", "a", "b"}, {"export", "--everything", "a"}, {"import", "a", "b"}, {"verify"}, {"maintain"},
		{"bootstrap"}, {"bootstrap", "--name", "x"}, {"bootstrap", "--owner-email", "aoi@example.com"}, {"bootstrap", "--name", "x", "--owner-email", "Aoi"},
		{"bootstrap", "--name", "x", "--owner-email", "aoi@example.com", "--people", "-1"}, {"bootstrap", "--name", "x", "--owner-email", "aoi@example.com", "y"},
		{"bootstrap", "--name", "x", "--owner-email", "aoi@example.com", "--time-zone", "Mars"}, {"bootstrap", "--name", "x", "--owner-email", "aoi@example.com", "--locale", "fr"},
	} {
		var m misuse
		err := org(t.Context(), arguments, config.Config{DatabaseOwnerURL: "postgres://nobody@127.0.0.1:1/none"}, terminal{strings.NewReader(""), io.Discard})
		assert.ErrorAs(t, err, &m, "%q", arguments)
	}
	assert.ErrorIs(t, org(t.Context(), []string{"verify", "x"}, config.Config{}, terminal{strings.NewReader(""), io.Discard}), errNoOwner)
}

// A server in production does not hold the login that could replace an organisation, whatever its environment names.
func TestProductionHoldsNoOwnersLogin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		environment, owner string
		holds              bool
	}{
		{"", "postgres://owner@db/kakeai", false}, {config.Production, "postgres://owner@db/kakeai", false},
		{config.Development, "", false}, {config.Development, "postgres://owner@db/kakeai", true},
	} {
		assert.Equal(t, c.holds, organizations(config.Config{Environment: c.environment, DatabaseOwnerURL: c.owner}) != nil, "%q", c)
	}
}
