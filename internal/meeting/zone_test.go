package meeting_test

import (
	"testing"
	"time"
	_ "time/tzdata" // the zones of these tests do not depend on the machine

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/meeting"
)

func zone(t require.TestingT, name string) *time.Location {
	z, err := meeting.LoadZone(name)
	require.NoError(t, err, name)
	return z
}

func wall(t require.TestingT, s string) time.Time {
	at, err := meeting.ParseLocal(s)
	require.NoError(t, err, s)
	return at
}

func TestTheWallClockIsPlaced(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, wall, at string }{
		{"America/New_York", "2026-03-08T01:59", "2026-03-08T06:59:00Z"},
		{"America/New_York", "2026-03-08T02:00", "2026-03-08T07:00:00Z"}, // not on the clock: 03:00
		{"America/New_York", "2026-03-08T02:30", "2026-03-08T07:30:00Z"}, // 03:30
		{"America/New_York", "2026-03-08T03:00", "2026-03-08T07:00:00Z"},
		{"America/New_York", "2026-11-01T00:59", "2026-11-01T04:59:00Z"},
		{"America/New_York", "2026-11-01T01:30", "2026-11-01T05:30:00Z"}, // twice on the clock: the first, at -04:00
		{"America/New_York", "2026-11-01T02:00", "2026-11-01T07:00:00Z"},
		{"Europe/Berlin", "2027-03-28T02:15", "2027-03-28T01:15:00Z"}, // 03:15
		{"Europe/Berlin", "2027-10-31T02:15", "2027-10-31T00:15:00Z"}, // the first, at +02:00
		{"Europe/Berlin", "2027-10-31T03:00", "2027-10-31T02:00:00Z"},
		{"Europe/London", "2027-03-28T01:30", "2027-03-28T01:30:00Z"},       // 02:30
		{"Europe/London", "2027-10-31T01:30", "2027-10-31T00:30:00Z"},       // the first, at +01:00
		{"Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-03T15:45:00Z"}, // half an hour left out: 02:45 at +11:00
		{"Australia/Lord_Howe", "2026-10-04T02:30", "2026-10-03T15:30:00Z"},
		{"Australia/Lord_Howe", "2027-04-04T01:45", "2027-04-03T14:45:00Z"}, // the first, at +11:00
		{"Australia/Lord_Howe", "2027-04-04T02:00", "2027-04-03T15:30:00Z"},
		{"Pacific/Apia", "2011-12-29T23:59", "2011-12-30T09:59:00Z"},
		{"Pacific/Apia", "2011-12-30T09:00", "2011-12-30T19:00:00Z"}, // a day that was none: the 31st at nine
		{"Pacific/Apia", "2011-12-31T09:00", "2011-12-30T19:00:00Z"},
		{"Asia/Tokyo", "2026-11-30T09:00", "2026-11-30T00:00:00Z"},
		{"Asia/Kathmandu", "2026-11-30T09:00", "2026-11-30T03:15:00Z"},
		{"UTC", "2026-11-30T09:00", "2026-11-30T09:00:00Z"},
	} {
		assert.Equal(t, c.at, meeting.Place(wall(t, c.wall), zone(t, c.zone)).Format(time.RFC3339), "%s in %s", c.wall, c.zone)
	}
}

// Whatever the clock on the wall shows is placed where it shows it again, and what is left out of it, later by what is left out.
func TestPlacingAndReadingAgree(t *testing.T) {
	t.Parallel()
	zones := []string{"America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Tokyo", "America/Sao_Paulo", "Africa/Casablanca", "Asia/Gaza", "Antarctica/Troll", "Pacific/Kwajalein"}
	rapid.Check(t, func(t *rapid.T) {
		z := zone(t, rapid.SampledFrom(zones).Draw(t, "zone"))
		at := time.Unix(rapid.Int64Range(0, 2_500_000_000).Draw(t, "at")/60*60, 0).UTC()
		shown := meeting.Wall(at, z)
		placed := meeting.Place(shown, z)
		if !meeting.Wall(placed, z).Equal(shown) || placed.After(at) {
			t.Fatalf("%s in %s is %s, which was placed at %s", at, z, shown, placed)
		}
		again := meeting.Wall(meeting.Place(at, z), z) // at as a wall time: perhaps none
		if again.Before(at) {
			t.Fatalf("%s in %s is placed before itself, at %s", at, z, again)
		}
	})
}

func TestZonesThatAreNone(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "Local", "Asia/Tokio", "localtime", "../etc/passwd", "/etc/localtime", "right/Asia/Tokyo", "posix/Asia/Tokyo", "EST5EDT,M3.2.0", "+09:00", "asia\x00/Tokyo", "Asia/", "Asia"} {
		_, err := meeting.LoadZone(name)
		assert.ErrorIs(t, err, meeting.ErrUnknownZone, name)
	}
}

func TestLocalTimes(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"2026-11-30T09:00": "2026-11-30T09:00", "2026-11-30T09:05:00": "2026-11-30T09:05", "2026-11-30T00:00:00": "2026-11-30T00:00"} {
		assert.Equal(t, want, wall(t, s).Format(meeting.LocalFormat), s)
	}
	for _, s := range []string{"", "2026-11-30", "2026-02-30T09:00", "2026-11-30T24:00", "2026-11-30T09:00Z", "2026-11-30T09:00:01", "2026-11-30 09:00", "2026-11-30T9:00"} {
		_, err := meeting.ParseLocal(s)
		assert.Error(t, err, s)
	}
}
