package demo

import (
	"time"

	"github.com/kakeai/kakeai/internal/okr"
)

// minatoCompany is what the whole company is after this quarter; the teams contribute to it.
func minatoCompany() []objective {
	return []objective{
		{
			name:        "daily-tool",
			owner:       misaki,
			title:       "みなとリンクを、現場が毎日開く道具にする",
			description: "月末に報告書を作るときだけ開く画面から、朝礼の前に誰かが必ず見る画面へ。売上より先に、使われ方を変えます。",
			kind:        okr.Aspirational,
			keyResults: []keyResult{
				{
					title: "週に5日以上使う工場", kind: okr.Metric, unit: "工場", baseline: "118", target: "180", stretch: "200", weight: "2",
					track: track{
						day: time.Monday, clock: "09:10",
						values:     "120 124 129 133 139 144 148 153 158 163 169 174",
						confidence: "6 6 6 7 7 7 7 7 7 8 8 8",
						notes: map[int]string{
							2: "増えたのは先月までに導入した工場が中心です。古いお客様の動きはまだ鈍いです。",
							5: "朝礼用の一枚画面を出してから伸びが変わりました。現場の方の声から生まれた画面です。",
							8: "静岡の3工場が全ラインで使い始めました。",
						},
					},
				},
				{
					title: "解約率（月次）", kind: okr.Metric, unit: "%", baseline: "1.5", target: "1.0", owner: aya,
					track: track{
						day: time.Monday, clock: "11:30",
						values:     "1.5 1.5 1.4 1.4 1.4 1.3 1.3 1.3 1.2 1.2 1.1 1.1",
						confidence: "6 6 6 6 5 6 6 5 5 6 6 6",
						notes: map[int]string{
							5: "解約の申し出が2件ありましたが、うち1件は訪問後に撤回していただけました。",
							8: "数字は横ばいです。予兆をつかむのが遅い、というのが担当者の共通の感想です。",
						},
					},
				},
				{
					title: "NPS（推奨度）", description: "四半期の途中でも毎週50社ずつ尋ね、直近4週の平均を使います。",
					kind: okr.Threshold, unit: "点", atLeast: "40", tolerance: "20",
					track: track{
						day: time.Monday, clock: "11:40", quiet: 8,
						values:     "31 33 34 36 36 38 39 41 40 42 42 43",
						confidence: "6 6 6 6 7 7 7 8 8 8 8 8",
						notes:      map[int]string{8: "初めて40を超えました。「アラートが早くなった」という声が目立ちます。"},
					},
				},
			},
			life: []act{
				drafted(start(-32, "10:05")),
				edited(start(-27, "14:30"), proposal{description: "月末に報告書を作るときだけ開く画面から、朝礼の前に誰かが必ず見る画面へ。売上より先に、使われ方を変えます。\n\n新しい機能の数は追いません。いまある画面が開かれない理由を、一つずつなくしていきます。"}),
				submitted(start(-25, "17:40")), approved(kenichi, start(-23, "10:20")),
			},
			comments: []comment{
				{start(-24, "18:20"), kenichi, "「毎日」を週5日と置いたのは良いと思います。週末に動かさない工場が不利にならないので。"},
				{start(-22, "09:05"), aya, "カスタマーサクセスはこの一つ目のKRに全員で寄せます。導入後30日が分かれ目だと見ています。"},
				{start(36, "12:15"), emily, "The one-page morning screen now loads in under a second on the old tablets. That was half of the complaints."},
				{start(36, "13:02"), misaki, "ありがとうございます！ 静岡の工場長さんが「もう紙の日報に戻れない」とおっしゃっていました。"},
			},
		},
		{
			name:        "healthy-margin",
			owner:       kenichi,
			title:       "事業が自分の足で立てる利益率にする",
			description: "お客様が増えるほど赤字が増える、という状態を終わらせます。値上げの前に、まず自分たちの費用を知ることから始めます。",
			kind:        okr.Committed,
			keyResults: []keyResult{
				{
					title: "みなとリンクの粗利率", kind: okr.Threshold, unit: "%", atLeast: "58", tolerance: "8",
					track: track{
						day: time.Tuesday, clock: "18:05",
						values:     "53 53.5 54 54.5 55 55.2 55.9 56.3 56.8 57.2 57.5 58.1",
						confidence: "6 6 6 6 6 6 6 6 6 7 7 8",
						notes:      map[int]string{6: "通信回線の契約をまとめた効果が出始めました。"},
					},
				},
				{
					title: "製品ごとの原価が毎月見えるようにする", kind: okr.Milestone,
					steps: []step{
						{"製品別の原価表をそろえる", "2"},
						{"月次の配賦を自動にする", "3"},
						{"経営会議で確認する", "1"},
						{"値付けの見直し案をつくる", "2"},
					},
					track: track{
						day: time.Tuesday, clock: "18:15",
						values:     "0 1 1 1 1 1 2 2 2 3 3 4",
						confidence: "7 7 7 6 6 6 7 7 7 8 8 9",
						notes: map[int]string{
							4: "在庫評価の考え方が工場ごとに違い、そろえるのに時間がかかっています。",
							7: "先月分から自動で出せるようになりました。手作業は月に20分ほどです。",
						},
					},
				},
				{
					title: "売上に対するクラウド費用", kind: okr.Metric, unit: "%", baseline: "14", target: "10", owner: emily,
					track: track{
						day: time.Tuesday, clock: "18:20",
						values:     "14 13.9 13.8 13.6 13.5 13.5 13.3 13.2 13.1 13.0 12.9 12.7",
						confidence: "5 5 5 5 4 4 4 3 3 3 3 3",
						notes: map[int]string{
							3: "We switched off what nobody admitted to owning. That was the easy part.",
							5: "Storage of raw vibration data is 41 % of the bill. Deleting it needs a decision that is not mine.",
							8: "No decision yet on how long we keep raw data. Without it this will end near 12.7.",
						},
					},
				},
			},
			life: []act{
				drafted(start(-30, "16:10")), submitted(start(-24, "11:00")), approved(misaki, start(-22, "09:30")),
			},
			comments: []comment{
				{start(38, "19:10"), emily, "健一さん, who decides how long raw vibration data is kept? Legal says it is not theirs, Quality says never delete anything."},
				{start(39, "08:45"), makoto, "品質としては、不具合が出た個体の分だけは10年残したいです。それ以外は90日でも困りません。"},
				{start(39, "09:20"), kenichi, "その線で案をまとめます。来週の経営会議に出しますので、Emilyさん、90日にしたときの金額だけ教えてください。"},
				{start(40, "11:02"), emily, "Back of the envelope: 90 days saves about 2.8 points, so we would end just above 10. I will bring the real sheet."},
			},
		},
	}
}
