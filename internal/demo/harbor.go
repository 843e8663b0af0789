package demo

import (
	"fmt"
	"time"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/okr"
)

// harborLabs has nothing to do with Minato Works, but Emily is in both.
func harborLabs() organization {
	return organization{
		number:     2,
		title:      "Harbor Labs",
		locale:     "en",
		timeZone:   "America/New_York",
		members:    []member{{noah, auth.Owner}, {emily, auth.Member}},
		organizer:  noah,
		cycles:     []cycle{presentCycle},
		cycleTitle: func(q quarter) string { return fmt.Sprintf("Q%d %d", q.number(), q.startsOn.Year()) },
		objectives: []objective{
			{
				name:        "first-pilots",
				owner:       emily,
				title:       "Three marinas rely on our tide sensors",
				description: "Rely means: somebody looks at the reading before moving a boat, and calls us when it is missing.",
				kind:        okr.Aspirational,
				keyResults: []keyResult{
					{
						title: "Marinas that check the reading every day", kind: okr.Metric, unit: "marinas", baseline: "0", target: "3",
						track: track{
							day: time.Wednesday, clock: "09:40",
							values:     "0 0 0 1 1 1 1 2 2 2 2 3",
							confidence: "5 5 5 6 6 6 6 7 7 7 7 9",
							notes:      map[int]string{4: "Portsmouth is live. The harbour master calls it “the stick”."},
						},
					},
					{
						title: "Readings that arrive", kind: okr.Threshold, unit: "%", atLeast: "99", tolerance: "4", owner: noah,
						track: track{
							day: time.Wednesday, clock: "09:50",
							values:     "96 96.5 97.2 98 98.4 98.1 98.8 99.1 99.2 99.3 99.2 99.4",
							confidence: "6 6 6 7 7 6 7 8 8 8 8 8",
						},
					},
				},
				life: []act{drafted(start(-14, "10:15")), submitted(start(-12, "16:30")), approved(noah, start(-9, "09:05"))},
				comments: []comment{
					{start(32, "11:20"), noah, "Gloucester asked whether it works under ice. Does it?"},
					{start(32, "12:05"), emily, "It floats, so it works on ice. Under is another product."},
				},
			},
		},
	}
}
