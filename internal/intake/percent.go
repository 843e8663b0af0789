package intake

import "github.com/kakeai/kakeai/internal/db"

// shares are how much of the work each phase is, in hundredths and roughly, in their order: of a check, and of a run.
func shares(state string) []share {
	if state == Checking {
		return []share{{reading, 35}, {objectives, 30}, {alignment, 10}, {checkIns, 15}, {results, 10}}
	}
	return []share{{reading, 15}, {objectives, 15}, {alignment, 5}, {checkIns, 10}, {results, 5}, {applying, 50}}
}

type share struct {
	phase string
	of    int64
}

// Percent is how much of the work on a file is done, roughly: it is less than 100 as long as there is something to do, and falls only where the check or the writing has to begin again.
func Percent(i db.Import) int {
	before := int64(0)
	for _, s := range shares(i.State) {
		if s.phase == i.Phase {
			if i.PhaseTotal > 0 {
				before += s.of * int64(min(i.PhaseDone, i.PhaseTotal)) / int64(i.PhaseTotal)
			}
			return int(min(before, 99))
		}
		before += s.of
	}
	return 0
}
