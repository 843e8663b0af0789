package okr_test

import (
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/kakeai/kakeai/internal/okr"
)

func TestSuggestedScore(t *testing.T) {
	t.Parallel()
	for progress, want := range map[string]string{
		"-0.5":                 "0",
		"0":                    "0",
		"0.049999999999":       "0",
		"0.05":                 "0.1",
		"0.049999999999999999": "0.1",
		"0.64":                 "0.6",
		"0.65":                 "0.7",
		"0.95":                 "1",
		"1":                    "1",
		"3":                    "1",
	} {
		wantDecimal(t, "score suggested at "+progress, okr.SuggestedScore(dec(progress)), want)
	}
}

func TestSuggestedScoreIsAlwaysAccepted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := held().Draw(t, "held")
		progress := h.KeyResult.Progress(h.Value, h.Done)
		closing := okr.Closing{Commitment: okr.Aspirational, Progress: progress, Score: okr.SuggestedScore(progress)}
		if refused := closing.Validate(); refused != nil {
			t.Fatalf("at %s the score %s is refused: %v", progress, closing.Score, refused)
		}
	})
}

func TestClosing(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		closing okr.Closing
		want    []string
	}{
		"as suggested":                     {okr.Closing{okr.Aspirational, dec("0.72"), dec("0.7"), ""}, nil},
		"as suggested, written out":        {okr.Closing{okr.Aspirational, dec("0.72"), dec("0.700"), ""}, nil},
		"other than suggested":             {okr.Closing{okr.Aspirational, dec("0.72"), dec("0.8"), ""}, []string{"/note note-required"}},
		"other than suggested, why":        {okr.Closing{okr.Aspirational, dec("0.72"), dec("0.8"), "late sales"}, nil},
		"committed and reached":            {okr.Closing{okr.Committed, dec("1.2"), dec("1.0"), ""}, nil},
		"committed and not reached":        {okr.Closing{okr.Committed, dec("0.9"), dec("0.9"), ""}, []string{"/note note-required"}},
		"committed and not reached, why":   {okr.Closing{okr.Committed, dec("0.9"), dec("0.9"), "遅れた"}, nil},
		"committed, called reached":        {okr.Closing{okr.Committed, dec("0.9"), dec("1"), ""}, []string{"/note note-required"}},
		"a note of blanks":                 {okr.Closing{okr.Committed, dec("0.9"), dec("0.9"), " \n\u3000"}, []string{"/note note-required"}},
		"below the range":                  {okr.Closing{okr.Aspirational, dec("0"), dec("-0.1"), "x"}, []string{"/score score-out-of-range"}},
		"above the range":                  {okr.Closing{okr.Aspirational, dec("1"), dec("1.1"), "x"}, []string{"/score score-out-of-range"}},
		"of endless digits":                {okr.Closing{okr.Aspirational, dec("1"), dec("1e9999"), "x"}, []string{"/score score-out-of-range"}},
		"of two decimals":                  {okr.Closing{okr.Aspirational, dec("0.7"), dec("0.75"), "x"}, []string{"/score score-not-one-decimal"}},
		"lowest, and suggested":            {okr.Closing{okr.Aspirational, dec("-2"), dec("0.0"), ""}, nil},
		"aspirational, below the expected": {okr.Closing{okr.Aspirational, dec("0.3"), dec("0.3"), ""}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantRefused(t, test.closing.Validate(), test.want...)
		})
	}
}

func TestScoreColour(t *testing.T) {
	t.Parallel()
	for tenths, want := range []okr.Colour{
		okr.Red, okr.Red, okr.Red, okr.Red, okr.Yellow, okr.Yellow, okr.Yellow, okr.Green, okr.Green, okr.Green, okr.Green,
	} {
		if got := okr.ScoreColour(decimal.New(int64(tenths), -1)); got != want {
			t.Errorf("a score of %d tenths is %s, want %s", tenths, got, want)
		}
	}
}

func TestExpectedScore(t *testing.T) {
	t.Parallel()
	wantDecimal(t, "committed", okr.Committed.ExpectedScore(), "1.0")
	wantDecimal(t, "aspirational", okr.Aspirational.ExpectedScore(), "0.7")
}
