package exchange

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Field is what a column of a file means.
type Field string

// The fields. A row may speak of an objective, of one of its key results and of a check-in to that; the item fields are for files in which each row is an objective or a key
// result, and item_type says which.
const (
	ObjectiveID          Field = "objective_id"
	Objective            Field = "objective"
	ObjectiveDescription Field = "objective_description"
	Kind                 Field = "kind"
	Visibility           Field = "visibility"
	State                Field = "state"
	Score                Field = "score"
	Archived             Field = "archived"
	Owner                Field = "owner"
	Team                 Field = "team"
	Cycle                Field = "cycle"
	ParentObjective      Field = "parent_objective"
	ParentKeyResult      Field = "parent_key_result"

	KeyResultID          Field = "key_result_id"
	KeyResult            Field = "key_result"
	KeyResultDescription Field = "key_result_description"
	KeyResultOwner       Field = "key_result_owner"
	KeyResultKind        Field = "key_result_kind"
	Unit                 Field = "unit"
	Baseline             Field = "baseline"
	Target               Field = "target"
	Stretch              Field = "stretch"
	AtLeast              Field = "at_least"
	AtMost               Field = "at_most"
	Tolerance            Field = "tolerance"
	Weight               Field = "weight"
	Steps                Field = "steps"

	CheckInID  Field = "check_in_id"
	Value      Field = "value"
	DoneSteps  Field = "done_steps"
	Confidence Field = "confidence"
	Note       Field = "note"
	CheckedAt  Field = "checked_at"
	CheckedBy  Field = "checked_by"

	ItemType        Field = "item_type"
	ItemID          Field = "item_id"
	Item            Field = "item"
	ItemDescription Field = "item_description"
	ItemOwner       Field = "item_owner"
	ItemParent      Field = "item_parent"
	Progress        Field = "progress" // in percent of the way from 0 to 100
)

// Exported are the columns of an export, in their order.
func Exported() []Field {
	return []Field{ObjectiveID, Objective, ObjectiveDescription, Kind, Visibility, State, Score, Archived, Owner, Team, Cycle, ParentObjective, ParentKeyResult,
		KeyResultID, KeyResult, KeyResultDescription, KeyResultOwner, KeyResultKind, Unit, Baseline, Target, Stretch, AtLeast, AtMost, Tolerance, Weight, Steps,
		CheckInID, Value, DoneSteps, Confidence, Note, CheckedAt, CheckedBy}
}

// Fields are all that a column can mean.
func Fields() []Field {
	return append(Exported(), ItemType, ItemID, Item, ItemDescription, ItemOwner, ItemParent, Progress)
}

// Valid reports whether f is one of Fields, or none.
func (f Field) Valid() bool { return f == "" || slices.Contains(Fields(), f) }

// words are what people call the fields in headers that no layout knows, as folded writes them; the fields' own names need no mention.
func words() map[Field][]string {
	return map[Field][]string{
		ObjectiveID:          {"objectivekey", "okrid", "目標id", "目標番号"},
		Objective:            {"objectivetitle", "objectivename", "goal", "goaltitle", "goalname", "o", "目標", "目標名", "オブジェクティブ"},
		ObjectiveDescription: {"description", "whyitmatters", "なぜ大切か", "objectivenotes", "details", "説明", "目標の説明", "詳細"},
		Kind:                 {"commitment", "objectivekind", "種別", "区分"},
		Visibility:           {"privacy", "公開範囲"},
		State:                {"objectivestate", "状態"},
		Score:                {"finalscore", "スコア", "評価"},
		Owner:                {"owneremail", "objectiveowner", "objectiveowneremail", "assignee", "責任者", "担当者", "担当", "オーナー", "メール", "メールアドレス"},
		Team:                 {"department", "teamname", "group", "チーム", "部署", "部門"},
		Cycle:                {"timeperiod", "period", "quarter", "session", "timeframe", "cyclename", "期間", "サイクル", "四半期"},
		ParentObjective:      {"parent", "parentgoal", "parentokr", "alignedto", "alignment", "上位目標", "親目標"},
		KeyResultID:          {"krid", "keyresultkey"},
		KeyResult:            {"keyresulttitle", "keyresultname", "kr", "主要な成果", "主要な結果", "主要成果", "成果指標", "キーリザルト", "キーリザルト名"},
		KeyResultDescription: {"krdescription", "成果指標の説明"},
		KeyResultOwner:       {"krowner", "keyresultowneremail", "kr担当者"},
		KeyResultKind:        {"krtype", "keyresulttype", "metrictype"},
		Unit:                 {"metricunit", "units", "currency", "単位"},
		Baseline:             {"start", "startvalue", "startingvalue", "initialvalue", "initial", "from", "開始値", "基準値", "初期値"},
		Target:               {"targetvalue", "goalvalue", "to", "目標値"},
		Stretch:              {"stretchtarget", "ストレッチ"},
		AtLeast:              {"min", "minimum", "下限"},
		AtMost:               {"max", "maximum", "上限"},
		Tolerance:            {"許容幅"},
		Weight:               {"weighting", "重み", "ウェイト"},
		Steps:                {"milestones", "tasks", "マイルストーン", "ステップ"},
		Value:                {"current", "currentvalue", "valuenow", "現在の値", "actual", "実績", "実績値", "現在値"},
		Confidence:           {"confidencelevel", "自信度", "確度"},
		Note:                 {"comment", "checkinnote", "noteofthecheckin", "チェックインのコメント", "update", "コメント", "メモ"},
		CheckedAt:            {"checkindate", "lastupdated", "updatedon", "チェックイン日", "チェックインの日時", "更新日"},
		CheckedBy:            {"checkinby", "updatedby", "更新者", "チェックインした人"},
		Progress:             {"progresspercent", "completion", "進捗", "進捗率"},
	}
}

// folded is a header as it is compared: letters and digits alone, in lower case, narrow.
func folded(header string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(norm.NFKC.String(header)) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == 'ー' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Guess says which layout headers are of, and what each column means; a column that means nothing has no field. No field has two columns: the first one that fits gets it.
func Guess(headers []string) (Layout, []Field) {
	columns := make([]string, len(headers))
	for i, h := range headers {
		columns[i] = folded(h)
	}
	layout := layoutOf(columns)
	mapping := make([]Field, len(headers))
	taken := map[Field]bool{}
	give := func(known map[string]Field) {
		for i, c := range columns {
			if f, ok := known[c]; ok && mapping[i] == "" && !taken[f] {
				mapping[i], taken[f] = f, true
			}
		}
	}
	documented := map[string]Field{}
	for header, f := range layout.Columns {
		documented[folded(header)] = f
	}
	give(documented)
	own, usual := map[string]Field{}, map[string]Field{}
	for _, f := range Fields() {
		own[folded(string(f))] = f
	}
	give(own)
	if layout.Name != Own {
		for f, all := range words() {
			for _, w := range all {
				usual[w] = f
			}
		}
		give(usual)
	}
	return layout, mapping
}
