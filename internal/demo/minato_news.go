package demo

import (
	"time"

	"github.com/kakeai/kakeai/internal/okr"
)

// newsAge is how young an event has to be to be news: the worker delivers it, so that inboxes, feed and mails have something in them. Of what is older everybody knows.
const newsAge = 72 * time.Hour

// minatoNews is what waits for whoever signs in: a review that only the owner can give.
func minatoNews() []objective {
	return []objective{
		{
			name:        "pricing-by-use",
			owner:       kenichi,
			title:       "使われた分だけいただく料金を、3社と試す",
			description: "台数で決まる料金は、使われなくても同じ額です。使われ方が変わったことを、料金でも確かめたいと思います。",
			kind:        okr.Aspirational,
			parent:      "healthy-margin",
			keyResults: []keyResult{
				{title: "試してくださるお客様", kind: okr.Metric, unit: "社", baseline: "0", target: "3", weight: "2"},
				{title: "試算と請求の差", kind: okr.Threshold, unit: "%", atMost: "5", tolerance: "5"},
			},
			life: []act{drafted(ago(6, "17:10")), submitted(ago(1, "16:45"))},
			comments: []comment{
				{ago(1, "16:52"), kenichi, mentioning(misaki) + " 来週の役員会の前に、一度見ていただけますか。粗利への影響は説明に足します。"},
			},
		},
	}
}

// mentioning calls somebody in a text, as the page writes it.
func mentioning(p person) string { return "@[" + p.name + "](member:" + p.id().String() + ")" }

// managers meet at a time that is always less than a day away, so that their survey is open.
func minatoManagers() gathering {
	return gathering{
		title: "経営会議", team: customerSuccess, organizer: kenichi, others: []person{misaki, aya}, soon: true, duration: 60, place: "会議室 1",
		description: "全社の目標の進みと、来週までに決めることを確かめます。",
		agenda:      []string{"全社の目標の進み", "決めること", "その他"},
		questions: []question{
			{kind: "scale", title: "今期の目標に届く手ごたえは？（1〜10）", required: true},
			{kind: "text", title: "この場で決めたいことは？"},
		},
		minutes: []minutes{
			{text: "来期の料金の考え方を、使われ方に合わせて見直す。", decisions: []string{"3社と試す案を健一さんが目標にする"}},
		},
	}
}
