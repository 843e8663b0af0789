package demo

import (
	"time"

	"github.com/kakeai/kakeai/internal/okr"
)

func minatoPlatform() []objective {
	return []objective{
		{
			name:        "quiet-deployments",
			team:        platform,
			owner:       emily,
			title:       "Factories never notice our deployments",
			description: "A screen that goes blank for ten seconds during the morning meeting is a screen nobody trusts. We deploy when we like, and nobody can tell.",
			kind:        okr.Committed,
			parent:      "daily-tool",
			keyResults: []keyResult{
				{
					title: "Availability in production hours", kind: okr.Threshold, unit: "%", atLeast: "99.95", tolerance: "0.15",
					track: track{
						day: time.Thursday, clock: "16:30",
						values:     "99.90 99.91 99.93 99.96 99.95 99.97 99.96 99.97 99.98 99.97 99.98 99.98",
						confidence: "6 6 7 8 8 8 8 9 9 9 9 9",
						notes: map[int]string{
							1: "Two deployments at 8:25. We moved them, but that is not the point of this objective.",
							4: "First week in which nobody could have noticed anything.",
						},
					},
				},
				{
					title: "Deployments rolled back", kind: okr.Metric, unit: "per month", baseline: "5", target: "1",
					track: track{
						day: time.Thursday, clock: "16:35",
						values:     "5 5 4 4 3 3 3 2 2 2 1 1",
						confidence: "6 6 6 6 7 7 7 8 8 8 9 9",
						notes:      map[int]string{5: "Both of this month's came from the same service. It gets its tests before it gets another feature."},
					},
				},
				{
					title: "Blue-green deployment for every service", kind: okr.Milestone, owner: rajesh,
					steps: []step{
						{"Ingest", "2"},
						{"API", "2"},
						{"Dashboards", "1"},
						{"Alerting", "2"},
						{"Runbook and one drill", "1"},
					},
					track: track{
						day: time.Thursday, clock: "16:50",
						values:     "1 1 1 2 2 2 3 3 4 4 4 5",
						confidence: "7 7 7 7 7 7 7 7 8 8 8 9",
					},
				},
			},
			life: []act{
				drafted(start(-22, "13:50")), submitted(start(-15, "17:25")), approved(misaki, start(-13, "09:15")),
			},
			comments: []comment{
				{start(31, "10:40"), aya, "先週の更新、お客様から一件も連絡がありませんでした。更新があったことに私たちも気づきませんでした。"},
				{start(31, "10:58"), emily, "That is the nicest thing anybody has said about our work all year."},
			},
		},
		{
			name:        "tell-before-they-hear",
			team:        platform,
			owner:       rajesh,
			title:       "Tell the line before the line hears it",
			description: "An experienced operator hears a failing bearing about a minute before it shows. We want to be earlier than the best pair of ears, and wrong less often.",
			kind:        okr.Aspirational,
			parent:      "daily-tool", parentKeyResult: 3,
			keyResults: []keyResult{
				{
					title: "From reading to alert, 95th percentile", kind: okr.Metric, unit: "s", baseline: "95", target: "20", stretch: "10",
					track: track{
						day: time.Tuesday, clock: "15:20",
						values:     "95 88 80 74 66 61 52 45 38 32 27 24",
						confidence: "6 6 6 7 7 7 7 8 8 8 8 8",
						notes: map[int]string{
							2: "Batching in the gateway was 30 s of it. It is now 5.",
							7: "Moved the threshold check in front of the archive write. Obvious in hindsight.",
						},
						slip: &slip{4, "7.4", "I typed 7.4. It is 74; we are good, but not that good."},
					},
				},
				{
					title: "Alerts that turn out to be nothing", kind: okr.Metric, unit: "%", baseline: "18", target: "8",
					track: track{
						day: time.Tuesday, clock: "15:30",
						values:     "18 17.5 17 17 16 15.5 14 13 12 11 10 9.5",
						confidence: "5 5 5 5 5 6 6 6 6 6 7 7",
						notes: map[int]string{
							4: "Faster alerts were noisier for two days until the median filter followed.",
							8: "Chinatsu and her inspectors labelled 400 old alerts for us. Best training data we ever had.",
						},
					},
				},
			},
			life: []act{
				drafted(start(-21, "12:30")), submitted(start(-11, "15:45")), approved(emily, start(-9, "09:20")),
			},
			comments: []comment{
				{start(29, "16:20"), chinatsu, "現場で一番耳のいい石井さんが、この前のアラートには負けたと言っていました。少し悔しそうでした。"},
				{start(30, "10:10"), rajesh, "Please tell Ishii-san he is our benchmark. I mean it, he is in the dashboard as “best pair of ears”."},
			},
		},
		{
			name:        "updates-without-stopping",
			team:        platform,
			owner:       daisuke,
			title:       "ラインを止めずにファームウェアを更新する",
			description: "更新のたびに5分ほど計測が止まるため、お客様は休日の立ち会いを求められています。",
			kind:        okr.Committed,
			parent:      "quiet-deployments", parentKeyResult: 3,
			keyResults: []keyResult{
				{
					title: "止めずに更新できる機種", kind: okr.Metric, unit: "機種", baseline: "0", target: "12",
					track: track{
						day: time.Friday, clock: "14:10",
						values:     "0 0 1 1 1 1 2 2 2 2 3 3",
						confidence: "6 6 6 5 5 4 3 3 2 2 2 2",
						notes: map[int]string{
							3: "PX-20で動きました。同じ基板の機種には広げられそうです。",
							6: "古い基板はブートローダーが書き換えられず、メーカーの回答を待っています。",
							7: "回答が来ました。部品を替えない限り無理だそうです。対象から外すか、目標を変えるか、相談させてください。",
						},
					},
				},
				{
					title: "更新中に欠ける計測", kind: okr.Metric, unit: "分/台", baseline: "14", target: "2",
					track: track{
						day: time.Friday, clock: "14:20",
						values:     "14 14 13.5 13 13 12.8 12.5 12 11.8 11.5 11 10.5",
						confidence: "6 6 6 5 5 4 4 3 3 3 3 3",
					},
				},
			},
			life: []act{
				drafted(start(-17, "16:55")), submitted(start(-11, "17:50")), approved(emily, start(-9, "09:35")),
			},
			comments: []comment{
				{start(50, "15:05"), emily, "大輔さん, thank you for writing this down so clearly. Let us not pretend: seven of the twelve cannot be done this quarter."},
				{start(50, "15:40"), daisuke, "残りの5機種は必ずやります。7機種は、次の基板の設計に「止めずに更新できること」を要件として入れてもらえるよう品質と話します。"},
				{start(51, "08:55"), makoto, "要件の件、承知しました。来週の設計審査に小林さんも出てください。"},
			},
		},
		{
			name:        "two-engineers",
			team:        platform,
			owner:       emily,
			title:       "Hire two backend engineers without lowering the bar",
			description: "Private while salaries are being discussed.",
			kind:        okr.Committed,
			visibility:  okr.VisiblePrivate,
			parent:      "quiet-deployments",
			keyResults: []keyResult{
				{
					title: "Offers accepted", kind: okr.Metric, baseline: "0", target: "2",
					track: track{
						day: time.Monday, clock: "17:15",
						values:     "0 0 0 0 0 1 1 1 1 1 2 2",
						confidence: "6 6 5 5 5 7 7 7 7 7 9 9",
						notes:      map[int]string{6: "The first one said yes on Friday evening. She starts in two months."},
					},
				},
				{
					title: "Days from application to a clear answer", kind: okr.Threshold, unit: "days", atMost: "7", tolerance: "5",
					track: track{
						day: time.Monday, clock: "17:20",
						values:     "9 8 8 7 7 6 6 6 7 6 6 6",
						confidence: "6 6 6 7 7 8 8 8 8 8 8 8",
					},
				},
			},
			life: []act{
				drafted(start(-16, "19:05")), submitted(start(-12, "12:15")), approved(misaki, start(-10, "13:30")),
			},
		},
		{
			name:        "cloud-bill",
			team:        platform,
			owner:       rajesh,
			title:       "Understand our cloud bill",
			description: "It surprises us every month.",
			kind:        okr.Committed,
			parent:      "healthy-margin", parentKeyResult: 3,
			keyResults: []keyResult{
				{
					title: "Tag everything", kind: okr.Milestone,
					steps: []step{{"Agree on the tags", "1"}, {"Tag what runs", "2"}, {"Refuse what is not tagged", "1"}},
				},
			},
			life: []act{
				drafted(ago(20, "12:40")),
				edited(ago(9, "16:10"), proposal{description: "It surprises us every month, and each time we find out by searching through invoices. We want to see what a customer costs us on the day it happens."}),
			},
			comments: []comment{
				{ago(7, "10:15"), kenichi, "「顧客ごと」まで見えるなら、値付けの見直しにそのまま使えます。原価の表と科目をそろえたいので、提出前に一度話しませんか。"},
				{ago(6, "13:45"), rajesh, "Yes please. Thursday after lunch?"},
			},
		},
	}
}
