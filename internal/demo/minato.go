package demo

import (
	"fmt"
	"slices"

	"github.com/kakeai/kakeai/internal/auth"
)

// minatoWorks makes small pumps for factories, and Minato Link, a service that listens to them and tells when one is about to fail.
func minatoWorks() organization {
	return organization{
		number:   1,
		title:    "みなと製作所 / Minato Works",
		locale:   "ja",
		timeZone: "Asia/Tokyo",
		members: []member{
			{misaki, auth.Owner},
			{kenichi, auth.Admin},
			{aya, auth.Member},
			{shota, auth.Member},
			{lan, auth.Member},
			{emily, auth.Member},
			{rajesh, auth.Member},
			{daisuke, auth.Member},
			{makoto, auth.Member},
			{chinatsu, auth.Member},
			{yoko, auth.Viewer},
			{grace, auth.Viewer},
		},
		teams:     []team{customerSuccess, platform, quality},
		organizer: kenichi,
		cycles:    []cycle{lastCycle, presentCycle},
		cycleTitle: func(q quarter) string {
			return fmt.Sprintf("%d年 Q%d（%d〜%d月）", q.startsOn.Year(), q.number(), q.startsOn.Month(), q.endsOn.Month())
		},
		objectives: slices.Concat(minatoLastQuarter(), minatoCompany(), minatoCustomerSuccess(), minatoPlatform(), minatoQuality(), minatoNews()),
		dialogues:  minatoDialogues(),
		meetings:   append(minatoMeetings(), minatoManagers()),
		broadcasts: minatoBroadcasts(),
	}
}

//nolint:gochecknoglobals // Go has no constant structs, and nothing assigns to these
var (
	customerSuccess = team{
		number:      1,
		title:       "カスタマーサクセス",
		description: "導入から日々の相談まで、工場の現場でみなとリンクを使う人に向き合うチームです。",
		lead:        aya,
		others:      []person{shota, lan},
	}
	platform = team{
		number:      2,
		title:       "Platform Engineering",
		description: "Everything between a sensor on a pump and the screen in the morning meeting: firmware, gateway, cloud, alerts.",
		lead:        emily,
		others:      []person{rajesh, daisuke},
	}
	quality = team{
		number:      3,
		title:       "製造品質",
		description: "ポンプの組立と検査の品質を受け持ちます。工場ITの小林さんは Platform と兼務です。",
		lead:        makoto,
		others:      []person{chinatsu, daisuke},
	}
)
