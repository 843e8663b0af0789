package meeting_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/meeting"
)

func series(t require.TestingT, name, start, recurrence string) meeting.Series {
	s, refused := meeting.NewSeries(wall(t, start), zone(t, name), recurrence)
	require.Empty(t, refused, recurrence)
	return s
}

func shown(times []time.Time, z *time.Location) []string {
	all := []string{}
	for _, at := range times {
		all = append(all, at.In(z).Format("Mon 2006-01-02 15:04 -0700"))
	}
	return all
}

func TestSeriesKeepTheirHourWhenTheClocksChange(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		zone, start, rule string
		want              []string
	}{
		"once":                   {"Asia/Tokyo", "2026-12-01T09:00", "", []string{"Tue 2026-12-01 09:00 +0900"}},
		"weekly in New York":     {"America/New_York", "2026-03-01T09:00", "FREQ=WEEKLY;COUNT=3", []string{"Sun 2026-03-01 09:00 -0500", "Sun 2026-03-08 09:00 -0400", "Sun 2026-03-15 09:00 -0400"}},
		"into the gap":           {"America/New_York", "2026-03-07T02:30", "FREQ=DAILY;COUNT=3", []string{"Sat 2026-03-07 02:30 -0500", "Sun 2026-03-08 03:30 -0400", "Mon 2026-03-09 02:30 -0400"}},
		"into the overlap":       {"Europe/Berlin", "2026-10-24T02:30", "FREQ=DAILY;COUNT=3", []string{"Sat 2026-10-24 02:30 +0200", "Sun 2026-10-25 02:30 +0200", "Mon 2026-10-26 02:30 +0100"}},
		"half an hour of gap":    {"Australia/Lord_Howe", "2026-10-03T02:15", "FREQ=DAILY;COUNT=3", []string{"Sat 2026-10-03 02:15 +1030", "Sun 2026-10-04 02:45 +1100", "Mon 2026-10-05 02:15 +1100"}},
		"a day that was none":    {"Pacific/Apia", "2011-12-29T09:00", "FREQ=DAILY;COUNT=4", []string{"Thu 2011-12-29 09:00 -1000", "Sat 2011-12-31 09:00 +1400", "Sun 2012-01-01 09:00 +1400"}},
		"no clocks that change":  {"Asia/Tokyo", "2026-10-24T09:00", "FREQ=WEEKLY;COUNT=2", []string{"Sat 2026-10-24 09:00 +0900", "Sat 2026-10-31 09:00 +0900"}},
		"the last of each month": {"Asia/Tokyo", "2026-11-30T17:00", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3", []string{"Mon 2026-11-30 17:00 +0900", "Thu 2026-12-31 17:00 +0900", "Fri 2027-01-29 17:00 +0900"}},
		"the 31st":               {"Asia/Tokyo", "2027-01-31T17:00", "FREQ=MONTHLY;COUNT=3", []string{"Sun 2027-01-31 17:00 +0900", "Wed 2027-03-31 17:00 +0900", "Mon 2027-05-31 17:00 +0900"}},
		"leap days":              {"UTC", "2024-02-29T10:00", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=2", []string{"Thu 2024-02-29 10:00 +0000", "Tue 2028-02-29 10:00 +0000"}},
		"two in three weeks":     {"Europe/London", "2026-10-19T10:00", "FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,WE;COUNT=3", []string{"Mon 2026-10-19 10:00 +0100", "Wed 2026-10-21 10:00 +0100", "Mon 2026-11-09 10:00 +0000"}},
		"until a day":            {"Asia/Tokyo", "2026-12-01T09:00", "FREQ=WEEKLY;UNTIL=20261208", []string{"Tue 2026-12-01 09:00 +0900", "Tue 2026-12-08 09:00 +0900"}},
		"until its own moment":   {"Asia/Tokyo", "2026-12-01T09:00", "FREQ=WEEKLY;UNTIL=20261208T000000Z", []string{"Tue 2026-12-01 09:00 +0900", "Tue 2026-12-08 09:00 +0900"}},
		"until a moment before":  {"Asia/Tokyo", "2026-12-01T09:00", "FREQ=WEEKLY;UNTIL=20261207T235959Z", []string{"Tue 2026-12-01 09:00 +0900"}},
	} {
		s := series(t, c.zone, c.start, c.rule)
		far := wall(t, "2035-01-01T00:00")
		assert.Equal(t, c.want, shown(s.Between(time.Time{}, far), zone(t, c.zone)), what)
		again := series(t, c.zone, c.start, s.Recurrence())
		assert.Equal(t, c.want, shown(again.Between(time.Time{}, far), zone(t, c.zone)), "as it is kept, %s: %s", s.Recurrence(), what)
	}
}

func TestALookAheadIsBounded(t *testing.T) {
	t.Parallel()
	s := series(t, "Europe/Berlin", "2026-12-01T09:00", "FREQ=DAILY")
	all := s.Between(time.Time{}, wall(t, "9998-01-01T00:00"))
	assert.Len(t, all, meeting.MaxOccurrences)
	from, before := all[10], all[20]
	assert.Equal(t, all[10:20], s.Between(from, before), "from one on, and before another")
	assert.Empty(t, s.Between(time.Time{}, all[0]))
}

func TestRulesThatAreNone(t *testing.T) {
	t.Parallel()
	for rule, code := range map[string]string{
		"FREQ=SECONDLY": "recurrence-frequency", "FREQ=MINUTELY": "recurrence-frequency", "FREQ=HOURLY": "recurrence-frequency", "FREQ=weekly": "recurrence-frequency",
		"COUNT=3": "recurrence-frequency", "FREQ=": "recurrence-frequency", "x": "recurrence-part", ";": "recurrence-part", "FREQ=DAILY;": "recurrence-part",
		"RRULE:FREQ=DAILY": "recurrence-part", "FREQ=DAILY;BYHOUR=9": "recurrence-part", "FREQ=DAILY;BYMINUTE=1,2,3": "recurrence-part", "FREQ=YEARLY;BYYEARDAY=1": "recurrence-part",
		"FREQ=YEARLY;BYWEEKNO=1": "recurrence-part", "FREQ=YEARLY;BYEASTER=0": "recurrence-part", "FREQ=DAILY;DTSTART=20260101T000000Z": "recurrence-part",
		"FREQ=DAILY\nDTSTART=20260101T000000Z": "recurrence-frequency", "FREQ=DAILY;FREQ=WEEKLY": "recurrence-twice", "FREQ=DAILY;COUNT=0": "recurrence-count", "FREQ=DAILY;COUNT=-1": "recurrence-count",
		"FREQ=DAILY;COUNT=1001": "recurrence-count", "FREQ=DAILY;COUNT=99999999999999999999": "recurrence", "FREQ=DAILY;INTERVAL=0": "recurrence-interval", "FREQ=DAILY;INTERVAL=367": "recurrence-interval",
		"FREQ=DAILY;INTERVAL=-1": "recurrence-interval", "FREQ=DAILY;COUNT=3;UNTIL=20270101": "recurrence-end", "FREQ=DAILY;UNTIL=20261130": "recurrence-until", "FREQ=DAILY;UNTIL=tomorrow": "recurrence-until",
		"FREQ=DAILY;UNTIL=20270230": "recurrence-until", "FREQ=WEEKLY;BYDAY=XX": "recurrence", "FREQ=WEEKLY;BYDAY=2TU": "recurrence-part", "FREQ=WEEKLY;BYMONTHDAY=1": "recurrence-part",
		"FREQ=WEEKLY;BYDAY=TU;BYSETPOS=1": "recurrence-part", "FREQ=MONTHLY;BYSETPOS=1": "recurrence-part", "FREQ=MONTHLY;BYMONTHDAY=0": "recurrence-range", "FREQ=MONTHLY;BYMONTHDAY=32": "recurrence-range",
		"FREQ=YEARLY;BYMONTH=13": "recurrence-range", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30": "start-not-in-rule", "FREQ=WEEKLY;BYDAY=MO": "start-not-in-rule", "FREQ=MONTHLY;BYDAY=2TU": "start-not-in-rule",
		"FREQ=MONTHLY;BYDAY=TU;BYSETPOS=20": "recurrence", "FREQ=YEARLY;BYDAY=60TU": "recurrence-range", "FREQ=MONTHLY;BYDAY=8TU": "recurrence-range", "FREQ=YEARLY;BYMONTH=12;BYDAY=-6TU": "recurrence-range",
	} {
		_, refused := meeting.NewSeries(wall(t, "2026-12-01T09:00"), zone(t, "Asia/Tokyo"), rule)
		if assert.Len(t, refused, 1, rule) {
			assert.Equal(t, "/recurrence", refused[0].Pointer)
			assert.Equal(t, code, refused[0].Code, rule)
		}
	}
}

func TestASeriesGoesOnFromAMoment(t *testing.T) {
	t.Parallel()
	s := series(t, "Europe/Berlin", "2026-10-05T09:00", "FREQ=WEEKLY;INTERVAL=2;COUNT=6")
	far := wall(t, "2030-01-01T00:00")
	all := s.Between(time.Time{}, far)
	for i := range all {
		rest := s.From(all[i])
		assert.Equal(t, all[i:], rest.Between(time.Time{}, far))
		assert.Equal(t, all[i], rest.FirstAt())
	}
	assert.Equal(t, all, s.From(all[5].Add(time.Second)).Between(time.Time{}, far), "nothing is left, so it stays")
	once := series(t, "Europe/Berlin", "2026-10-05T09:00", "")
	assert.Equal(t, once, once.From(far))
}

// However a rule is written, it is refused or has its start first, looks ahead without end of time, and says the same when it is read again.
func FuzzRules(f *testing.F) {
	for _, rule := range []string{"FREQ=DAILY", "FREQ=WEEKLY;BYDAY=TU,TH;WKST=SU", "FREQ=MONTHLY;BYDAY=1TU", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=1", "FREQ=MONTHLY;BYMONTHDAY=-31,1", "FREQ=DAILY;INTERVAL=366;COUNT=1000",
		"FREQ=YEARLY;BYDAY=48TU", "FREQ=MONTHLY;BYDAY=TU;BYSETPOS=1,-1;UNTIL=20281231", "FREQ=DAILY;BYMONTH=12;BYMONTHDAY=1;BYDAY=TU;INTERVAL=7"} {
		f.Add(rule)
	}
	tokyo := zone(f, "Asia/Tokyo")
	start := wall(f, "2026-12-01T09:00")
	f.Fuzz(func(t *testing.T, rule string) {
		if len(rule) > 500 || !strings.HasPrefix(rule, "FREQ") {
			return
		}
		s, refused := meeting.NewSeries(start, tokyo, rule)
		if len(refused) > 0 {
			return
		}
		before := start.Add(meeting.MaxAhead)
		all := s.Between(time.Time{}, before)
		if len(all) == 0 || !all[0].Equal(s.FirstAt()) || len(all) > meeting.MaxOccurrences {
			t.Fatalf("%s: %v", rule, all)
		}
		again, refused := meeting.NewSeries(start, tokyo, s.Recurrence())
		if len(refused) > 0 || len(again.Between(time.Time{}, before)) != len(all) {
			t.Fatalf("%s is kept as %s: %v", rule, s.Recurrence(), refused)
		}
	})
}

func TestOccurrencesRise(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		z := rapid.SampledFrom([]string{"America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Gaza"}).Draw(t, "zone")
		start := wall(t, "2011-01-01T00:00").Add(time.Duration(rapid.IntRange(0, 365*24*60).Draw(t, "minutes")) * time.Minute)
		s, refused := meeting.NewSeries(start, zone(t, z), rapid.SampledFrom([]string{"FREQ=DAILY", "FREQ=WEEKLY", "FREQ=DAILY;INTERVAL=2"}).Draw(t, "rule"))
		require.Empty(t, refused)
		all := s.Between(time.Time{}, start.Add(400*24*time.Hour))
		for i := 1; i < len(all); i++ {
			if !all[i].After(all[i-1]) {
				t.Fatalf("%s is not after %s", all[i], all[i-1])
			}
		}
	})
}
