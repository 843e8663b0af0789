package demo

import (
	"time"

	"github.com/kakeai/kakeai/internal/okr"
)

// minatoLastQuarter is over: every objective was closed with a score.
func minatoLastQuarter() []objective {
	return []objective{
		{
			name:        "stay-with-us",
			cycle:       lastCycle,
			owner:       misaki,
			title:       "既存のお客様に、安心して使い続けてもらう",
			description: "新しい契約よりも、いま使ってくださっている工場との関係を優先する四半期にします。営業の目標は据え置きです。",
			kind:        okr.Committed,
			keyResults: []keyResult{
				{
					title: "解約率（月次）を下げる", kind: okr.Metric, unit: "%", baseline: "2.1", target: "1.4",
					track: track{
						day: time.Monday, clock: "09:20",
						values:     "2.1 2.0 2.0 1.9 1.9 1.8 1.7 1.7 1.6 1.5 1.5",
						confidence: "7 7 7 7 6 7 7 6 6 5 5",
						notes: map[int]string{
							3: "解約の理由は「担当者が異動して、使い方を知る人がいなくなった」が最多でした。",
							8: "訪問した工場からの解約はまだゼロです。",
						},
					},
				},
				{
					title: "主要なお客様を訪問し、困りごとを聞く", kind: okr.Metric, unit: "社", baseline: "0", target: "40", stretch: "50",
					track: track{
						day: time.Monday, clock: "09:25",
						values:     "2 5 9 12 17 21 24 28 31 34 36",
						confidence: "8 8 8 8 8 7 7 7 6 6 5",
						notes: map[int]string{
							5: "北陸をまとめて回りました。1日3社が限度です。",
							9: "お客様の棚卸しと重なり、日程の調整に時間がかかっています。",
						},
					},
				},
			},
			life: []act{
				drafted(start(-26, "10:30")), submitted(start(-12, "17:05")), approved(kenichi, start(-8, "11:40")),
				closed(end(2, "15:30"), "0.9", "解約率は1.5%まで下がりましたが、約束した1.4%には届いていません。訪問は36社で、残る4社とは翌四半期の初めにお会いする約束をしています。"),
			},
			comments: []comment{
				{start(40, "18:12"), kenichi, "訪問の記録を読みました。「画面を見るのは月末だけ」という声が思ったより多いですね。次の四半期の主題になりそうです。"},
				{start(40, "19:03"), misaki, "同じことを考えていました。月末の報告書のための道具で終わらせたくないです。"},
			},
		},
		{
			name:        "same-day-answer",
			cycle:       lastCycle,
			team:        customerSuccess,
			owner:       aya,
			title:       "問い合わせに、その日のうちに答える",
			description: "ラインが止まっている人を翌日まで待たせない、というのがこの目標の全部です。",
			kind:        okr.Committed,
			parent:      "stay-with-us", parentKeyResult: 1,
			keyResults: []keyResult{
				{
					title: "一次回答までの時間（中央値）", kind: okr.Metric, unit: "時間", baseline: "9.5", target: "4",
					track: track{
						day: time.Friday, clock: "17:05",
						values:     "9.2 8.8 8.1 7.4 6.8 6.1 5.5 4.9 4.3 3.9 3.6",
						confidence: "6 6 7 7 7 8 8 8 9 9 10",
						notes: map[int]string{
							4:  "朝いちばんの当番制が効いています。",
							10: "目標を超えました。あとは無理なく続けられるかどうかです。",
						},
					},
				},
				{
					title: "24時間以内に解決した割合", kind: okr.Metric, unit: "%", baseline: "62", target: "80", stretch: "85", owner: shota,
					track: track{
						day: time.Friday, clock: "17:20",
						values:     "62 64 65 68 70 72 75 77 79 80 81",
						confidence: "6 6 6 6 7 7 7 8 8 9 9",
						notes:      map[int]string{5: "配線図をその場で送れるようにしてから、往復が1回減りました。"},
					},
				},
				{
					title: "回答後アンケートの満足度", kind: okr.Threshold, unit: "点", atLeast: "4.2", tolerance: "0.6",
					track: track{
						day: time.Friday, clock: "17:30",
						values:     "4.1 4.2 4.2 4.3 4.1 4.2 4.3 4.3 4.4 4.3 4.3",
						confidence: "7 7 7 7 6 7 8 8 8 8 8",
						notes:      map[int]string{5: "急いで短く答えた週は、点が下がります。速さだけを追わないようにします。"},
					},
				},
			},
			life: []act{
				drafted(start(-21, "11:10")), submitted(start(-10, "16:20")), approved(misaki, start(-6, "10:05")),
				closed(end(2, "16:10"), "1.0", "三つとも届きました。当番の負担が一部の人に寄っているので、翌四半期は働き方も目標に入れます。"),
			},
			comments: []comment{
				{start(38, "12:40"), shota, "当番の朝だけ電話を止める案、今週から試しています。いまのところ苦情はありません。"},
			},
		},
		{
			name:        "sleep-through-the-night",
			cycle:       lastCycle,
			team:        platform,
			owner:       emily,
			title:       "Let whoever is on call sleep through the night",
			description: "Most of our night pages come from the old gateway losing its connection and finding it again. We fix the cause, not the alert.",
			kind:        okr.Committed,
			parent:      "stay-with-us",
			keyResults: []keyResult{
				{
					title: "Pages between 22:00 and 06:00", kind: okr.Metric, unit: "per month", baseline: "14", target: "3",
					track: track{
						day: time.Thursday, clock: "16:40",
						values:     "14 13 13 12 11 10 9 8 7 7 6",
						confidence: "7 7 7 7 7 7 6 6 5 5 4",
						notes: map[int]string{
							2: "Half of these are one factory in Himeji. Its router restarts every night at two.",
							9: "What is left are real failures, and they are harder.",
						},
					},
				},
				{
					title: "Gateway 2.0 in every factory", kind: okr.Milestone,
					steps: []step{
						{"Runs beside the old one in our own plant", "1"},
						{"Two pilot customers", "2"},
						{"Roll-back rehearsed", "1"},
						{"All customers on the standard plan", "3"},
						{"Old gateway switched off", "1"},
					},
					track: track{
						day: time.Thursday, clock: "16:50",
						values:     "1 1 2 2 3 3 3 4 4 4 4",
						confidence: "8 8 8 8 8 7 7 7 6 6 5",
						notes:      map[int]string{8: "Everybody on the standard plan is over. Two customers with their own network are waiting for a maintenance window."},
					},
				},
				{
					title: "Ingest latency, 95th percentile", kind: okr.Threshold, unit: "ms", atMost: "800", tolerance: "400", owner: rajesh,
					track: track{
						day: time.Thursday, clock: "17:10",
						values:     "1150 1080 1010 990 930 900 880 860 850 840 840",
						confidence: "6 6 6 7 7 7 7 6 6 6 6",
					},
				},
			},
			life: []act{
				drafted(start(-20, "13:45")), submitted(start(-9, "18:10")), approved(kenichi, start(-6, "14:20")),
				closed(end(2, "17:00"), "0.8", "Night pages are down by more than half, but six is not three, and the old gateway still runs in two factories until they give us a window."),
			},
			comments: []comment{
				{start(30, "09:15"), kenichi, "先月の夜間呼び出しが一桁になったと聞きました。二人とも少し休んでください。"},
				{start(30, "10:02"), emily, "Thank you! Rajesh has slept four nights in a row and will not stop talking about it."},
			},
		},
		{
			name:        "half-the-defects",
			cycle:       lastCycle,
			team:        quality,
			owner:       makoto,
			title:       "出荷後の不具合を半分にする",
			description: "過去一年の不具合を工程ごとに分けると、軸受の圧入とシール面の検査で全体の七割を占めます。この二つに絞ります。",
			kind:        okr.Aspirational,
			parent:      "stay-with-us",
			keyResults: []keyResult{
				{
					title: "出荷後の不具合", kind: okr.Metric, unit: "件/月", baseline: "38", target: "19",
					track: track{
						day: time.Wednesday, clock: "13:10",
						values:     "38 37 37 35 34 32 31 29 28 26 25",
						confidence: "5 5 5 5 5 6 6 6 5 5 5",
						notes:      map[int]string{6: "圧入の荷重を全数記録にしてから、軸受の不具合が目に見えて減りました。"},
					},
				},
				{
					title: "工程内不良率", kind: okr.Metric, unit: "%", baseline: "1.8", target: "1.2",
					track: track{
						day: time.Wednesday, clock: "13:20",
						values:     "1.80 1.78 1.75 1.70 1.66 1.62 1.58 1.55 1.50 1.48 1.45",
						confidence: "5 5 5 5 5 5 5 5 5 4 4",
					},
				},
			},
			life: []act{
				drafted(start(-19, "08:50")), submitted(start(-10, "13:15")), approved(misaki, start(-6, "10:15")),
				closed(end(1, "14:00"), "0.6", "半分には届きませんでしたが、軸受は解決の形が見えました。残りのシール面は、人の目に頼る検査そのものを見直す必要があります。"),
			},
		},
		{
			name:   "boring-updates",
			cycle:  lastCycle,
			team:   platform,
			owner:  rajesh,
			title:  "Make firmware updates boring",
			kind:   okr.Aspirational,
			parent: "sleep-through-the-night",
			keyResults: []keyResult{
				{
					title: "Updates that need a second attempt", kind: okr.Metric, unit: "%", baseline: "11", target: "3", stretch: "1",
					track: track{
						day: time.Friday, clock: "15:30",
						values:     "11 10.5 10 9 8 9.5 7 5 4.2 3.6 3.1",
						confidence: "6 6 6 6 7 4 5 6 7 8 8",
						notes: map[int]string{
							6: "A bad image went to the Nagoya line. Our fault: the check that would have stopped it was switched off in that pipeline.",
							7: "The check is on everywhere now, and cannot be switched off without a second person.",
						},
					},
				},
				{
					title: "Devices on the latest version after two weeks", kind: okr.Metric, unit: "%", baseline: "46", target: "85",
					track: track{
						day: time.Friday, clock: "15:40",
						values:     "46 49 53 57 60 62 67 73 78 80 82",
						confidence: "6 6 6 7 7 5 6 7 7 7 7",
					},
				},
			},
			life: []act{
				drafted(start(-18, "15:20")), submitted(start(-9, "12:00")), approved(emily, start(-7, "09:40")),
				closed(end(2, "11:30"), "0.9", "The numbers say 1.0. I take one off for week six, which was anything but boring."),
			},
			comments: []comment{
				{start(46, "16:05"), emily, "Please put the Nagoya write-up where Quality can read it. They asked, and they are right to."},
			},
		},
		{
			name:       "no-paper",
			cycle:      lastCycle,
			team:       quality,
			owner:      chinatsu,
			title:      "検査記録の紙をなくす",
			kind:       okr.Committed,
			visibility: okr.VisibleToTeam,
			parent:     "half-the-defects",
			keyResults: []keyResult{
				{
					title: "全ラインで検査記録を電子化する", kind: okr.Milestone,
					steps: []step{
						{"記録項目の棚卸し", "1"},
						{"2ラインでタブレット入力を試す", "2"},
						{"全5ラインへ広げる", "3"},
						{"監査で問題がないことを確かめる", "1"},
					},
					track: track{
						day: time.Tuesday, clock: "16:10",
						values:     "1 1 1 2 2 2 3 3 3 4 4",
						confidence: "7 7 7 7 7 8 8 8 9 10 10",
						notes:      map[int]string{4: "手袋のままでも押せるよう、ボタンを大きくしてもらいました。"},
					},
				},
				{
					title: "紙に書いた記録", kind: okr.Metric, unit: "枚/週", baseline: "420", target: "0", owner: daisuke,
					track: track{
						day: time.Tuesday, clock: "16:20",
						values:     "420 400 395 300 260 240 120 60 20 0 0",
						confidence: "7 7 7 7 7 7 8 9 9 10 10",
					},
				},
			},
			life: []act{
				drafted(start(-17, "09:30")), submitted(start(-8, "15:10")), approved(makoto, start(-5, "08:40")),
				closed(end(3, "13:20"), "1.0", "最後の一枚は記念に額へ入れました。"),
			},
		},
	}
}
