package snapshot

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

const (
	objectivesAtOnce = 250 // made and written together: what bounds the memory that a large population takes
	peoplePerTeam    = 10
	childrenEach     = 5  // objectives that contribute to one
	childrenOfFirst  = 50 // every so manieth contributes to the first one, so that there is one with very many beneath it
	timesFollowed    = 3  // check-ins of a key result, at most
	inOtherLanguage  = 8  // every so manieth objective is in the other language
	forgotten        = 12 // every so manieth objective has no check-in of the last two weeks
	day              = 24 * time.Hour
)

// population makes up an organisation of a size, for measuring. The same sizes and seed give the same people and objectives, but for ids, times, and how far the quarter has gone.
type population struct {
	Bootstrap
	made    Bootstrapped
	now     time.Time
	random  *rand.Rand
	words   vocabulary
	other   vocabulary  // of the other language
	members []uuid.UUID // the owner first
	teams   []uuid.UUID
	last    Cycle
	present Cycle
	above   []parent // the objectives that were made, which later ones may contribute to
	days    map[uuid.UUID]*days
	news    []news
	oldest  time.Time // of the news that are kept, once they are as many as are kept
}

type parent struct{ objective, keyResult uuid.UUID }

func newPopulation(b Bootstrap, made Bootstrapped, now time.Time) *population {
	return &population{Bootstrap: b, made: made, now: now, random: rand.New(rand.NewPCG(b.Seed, 2)), words: wordsOf(b.Locale), other: wordsOf(map[string]string{"ja": "en", "en": "ja"}[b.Locale]), members: []uuid.UUID{made.Owner}}
}

// foundation is everything but objectives, and the people who are new here.
func (p *population) foundation() (*Snapshot, []User, error) {
	s, err := p.base(p.made, p.now)
	if err != nil {
		return nil, nil, err
	}
	var people []User
	for i := range p.People {
		id := db.NewID()
		p.members = append(p.members, id)
		people = append(people, User{ID: id, Email: fmt.Sprintf("p%06d.%s@example.com", i+1, p.made.Organization.String()[24:]), Name: p.words.person(i),
			Locale: p.Locale, TimeZone: p.TimeZone, CreatedAt: p.now, ChangedAt: p.now})
		role := auth.Member
		if i%100 == 99 {
			role = auth.Admin
		}
		s.Memberships = append(s.Memberships, Membership{OrganizationID: p.made.Organization, UserID: id, Role: role, Revision: 1, CreatedAt: p.now, ChangedAt: p.now})
	}
	if p.People > 0 || p.Objectives > 0 {
		p.found(s)
	}
	p.days = map[uuid.UUID]*days{}
	for _, c := range s.Cycles {
		if p.days[c.ID], err = newDays(c, s.Organization, p.now); err != nil {
			return nil, nil, err
		}
	}
	return s, people, p.meetings(s)
}

// found makes teams, of whom the first member leads, and two cycles.
func (p *population) found(s *Snapshot) {
	o := p.made.Organization
	for from := 0; from < len(p.members); from += peoplePerTeam {
		team := Team{TeamRow: TeamRow{OrganizationID: o, ID: db.NewID(), Name: p.words.team(len(p.teams)), Revision: 1, CreatedAt: p.now, ChangedAt: p.now, ChangedBy: p.made.Owner}}
		for i, id := range p.members[from:min(from+peoplePerTeam, len(p.members))] {
			role := auth.TeamMember
			if i == 0 {
				role = auth.TeamLead
			}
			team.Members = append(team.Members, TeamMember{OrganizationID: o, TeamID: team.ID, UserID: id, Role: role, CreatedAt: p.now})
		}
		p.teams = append(p.teams, team.ID)
		s.Teams = append(s.Teams, team)
	}
	begin := time.Date(p.now.Year(), (p.now.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
	cycle := func(starts time.Time, state okr.CycleState) Cycle {
		name := fmt.Sprintf("%d Q%d", starts.Year(), (starts.Month()+2)/3)
		return Cycle{OrganizationID: o, ID: db.NewID(), Name: name, StartsOn: starts, EndsOn: starts.AddDate(0, 3, -1), State: state, Revision: 1, CreatedAt: p.now, ChangedAt: p.now, ChangedBy: p.made.Owner}
	}
	p.last, p.present = cycle(begin.AddDate(0, -3, 0), okr.CycleClosed), cycle(begin, okr.CycleActive)
	s.Cycles = []Cycle{p.last, p.present}
}

// objectives makes those from one number up to another.
func (p *population) objectives(from, to int) (*Snapshot, error) {
	s := &Snapshot{}
	for i := from; i < to; i++ {
		if err := p.objective(s, i); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// lives are the revisions of objectives by the state they have reached.
func lives(reached okr.ObjectiveState) []struct {
	action string
	state  okr.ObjectiveState
} {
	life := []struct {
		action string
		state  okr.ObjectiveState
	}{
		{"objective.created", okr.ObjectiveDraft}, {"objective.submitted", okr.ObjectiveSubmitted},
		{"objective.approved", okr.ObjectiveApproved}, {"objective.closed", okr.ObjectiveClosed},
	}
	for n, step := range life {
		if step.state == reached {
			return life[:n+1]
		}
	}
	return life
}

func (p *population) objective(s *Snapshot, i int) error {
	owner := p.members[i%len(p.members)]
	team := p.teams[i%len(p.members)/peoplePerTeam]
	cycle, state := p.present, okr.ObjectiveApproved
	switch i % 10 {
	case 0, 1, 2:
		cycle, state = p.last, okr.ObjectiveClosed
	case 3:
		state = okr.ObjectiveSubmitted
	case 4:
		state = okr.ObjectiveDraft
	}
	t := p.timesOf(cycle, i)
	words := p.words
	if i%inOtherLanguage == 3 {
		words = p.other
	}
	o := Objective{ObjectiveRow: ObjectiveRow{OrganizationID: p.made.Organization, ID: db.NewID(), CycleID: cycle.ID, TeamID: &team, OwnerID: owner,
		Title: words.objective(p.random.IntN(1<<20), i), Kind: okr.Committed, Visibility: okr.VisibleToOrganization, State: state, CreatedAt: t.began, CreatedBy: owner, ChangedBy: owner}}
	switch {
	case i%7 == 5:
		o.Kind = okr.Aspirational
	case i%20 == 9:
		o.Visibility = okr.VisibleToTeam
	case i%50 == 21:
		o.Visibility = okr.VisiblePrivate
	}
	if i > 0 {
		up := p.above[(i-1)/childrenEach]
		if i%childrenOfFirst == 7 {
			up = p.above[0]
		}
		o.ParentObjectiveID = &up.objective
		if i%2 == 0 {
			o.ParentKeyResultID = &up.keyResult
		}
	}
	p.keyResults(&o, words, i)
	p.comments(s, &o, words, i)
	p.above = append(p.above, parent{o.ID, o.KeyResults[0].ID})
	if state == okr.ObjectiveClosed {
		score := decimal.New(int64(p.random.IntN(11)), -1)
		o.Score = &score
	}
	if state.Counts() {
		p.days[cycle.ID].add(&o, p.checkIns(s, &o, owner, cycle, t))
	}
	if err := p.history(s, &o, owner, t); err != nil {
		return err
	}
	s.Objectives = append(s.Objectives, o)
	return nil
}

// times are when an objective came to what it is.
type times struct {
	began, approved, closed time.Time
	checkIns                []time.Time
}

// timesOf spreads what happened to an objective over its cycle: drafted in the week before it, followed up to its end or to the last few days, and closed two days after the end.
func (p *population) timesOf(cycle Cycle, i int) times {
	within := func(at, latest time.Time) time.Time {
		if at.After(latest) {
			at = latest
		}
		return at.Truncate(time.Microsecond)
	}
	var t times
	t.began = within(cycle.StartsOn.Add(-7*day+time.Duration(i*7%120)*time.Hour), p.now.Add(-4*day))
	t.approved = t.began.Add(2 * day)
	over := within(cycle.EndsOn.Add(day), p.now)
	t.closed = within(over.Add(2*day), p.now.Add(-time.Minute))
	from := within(cycle.StartsOn, over.Add(-time.Hour))
	if t.approved.After(from) {
		from = t.approved
	}
	last := over.Add(-time.Duration(1+i*37%216) * time.Hour)
	if i%forgotten == 0 {
		last = over.Add(-16 * day)
	}
	if last = within(last, t.closed.Add(-time.Minute)); !last.After(from) {
		last = from.Add(over.Sub(from) / 2)
	}
	n := 1 + i/10%timesFollowed
	for k := range n {
		t.checkIns = append(t.checkIns, from.Add(last.Sub(from)*time.Duration(k+1)/time.Duration(n)).Truncate(time.Microsecond))
	}
	return t
}

// keyResults are a rising metric, a falling one or a threshold, and a milestone.
func (p *population) keyResults(o *Objective, words vocabulary, i int) {
	number := func(n int64) *decimal.Decimal { d := decimal.NewFromInt(n); return &d }
	add := func(k KeyResultRow, steps []MilestoneStep) {
		k.OrganizationID, k.ObjectiveID, k.Position, k.CurrentDoneSteps = o.OrganizationID, o.ID, int32(len(o.KeyResults)), []uuid.UUID{} //nolint:gosec // three
		k.Title, k.OwnerID = words.keyResult(i, len(o.KeyResults)), &o.OwnerID
		o.KeyResults = append(o.KeyResults, KeyResult{KeyResultRow: k, Steps: steps})
	}
	base := int64(p.random.IntN(100))
	add(KeyResultRow{ID: db.NewID(), Kind: okr.Metric, Unit: "%", Baseline: number(base), Target: number(base + 20), Weight: decimal.NewFromInt(2)}, nil)
	if i%2 == 0 {
		add(KeyResultRow{ID: db.NewID(), Kind: okr.Metric, Unit: "h", Baseline: number(base + 40), Target: number(base), Weight: okr.DefaultWeight}, nil)
	} else {
		least, tolerance := decimal.New(995, -1), decimal.New(5, -1)
		add(KeyResultRow{ID: db.NewID(), Kind: okr.Threshold, Unit: "%", AtLeast: &least, Tolerance: &tolerance, Weight: okr.DefaultWeight}, nil)
	}
	id := db.NewID()
	var steps []MilestoneStep
	for n := range 4 {
		steps = append(steps, MilestoneStep{OrganizationID: o.OrganizationID, ID: db.NewID(), KeyResultID: id, Position: int32(n), Title: words.step(n), Weight: okr.DefaultWeight})
	}
	add(KeyResultRow{ID: id, Kind: okr.Milestone, Weight: okr.DefaultWeight}, steps)
}

// comments are one for every fifth objective, of whoever leads the team, and many for the first.
func (p *population) comments(s *Snapshot, o *Objective, words vocabulary, i int) {
	n := 0
	switch {
	case i == 0:
		n = 60
	case i%5 == 2:
		n = 1
	}
	lead := p.members[i%len(p.members)/peoplePerTeam*peoplePerTeam]
	for range n {
		at := o.CreatedAt.Add(day)
		s.Comments = append(s.Comments, Comment{OrganizationID: o.OrganizationID, ID: db.NewID(), ObjectiveID: o.ID, AuthorID: lead, Body: words.note(p.random.IntN(100)), Revision: 1, CreatedAt: at, ChangedAt: at})
	}
}

// checkIns has an objective followed, and tells from when on it stood how. What is expected of it by then is reached to a share of its own.
func (p *population) checkIns(s *Snapshot, o *Objective, by uuid.UUID, cycle Cycle, t times) []moment {
	stands := moment{at: t.approved, state: okr.ObjectiveApproved, approved: t.approved}
	for i := range o.KeyResults {
		stands.standings = append(stands.standings, okr.Standing{Weight: o.KeyResults[i].Weight, Pending: true})
	}
	moments := []moment{stands}
	speed := 55 + p.random.IntN(75)
	length := cycle.EndsOn.Add(day).Sub(cycle.StartsOn)
	for n, at := range t.checkIns {
		stands.at, stands.checkedIn, stands.standings = at, &t.checkIns[n], slices.Clone(stands.standings)
		share := max(int64(at.Sub(cycle.StartsOn)/(length/100)), 0) * int64(speed) / 100 // percent
		for i := range o.KeyResults {
			c := p.checkIn(&o.KeyResults[i], share, at, by)
			if n == len(t.checkIns)-1 {
				note := p.words.note(p.random.IntN(100))
				c.Note = &note
			}
			s.CheckIns = append(s.CheckIns, c)
			stands.standings[i].Pending, stands.standings[i].Progress = false, c.Progress
			p.tell(at, func() news {
				return news{objective: o.ID, detail: map[string]any{"check_in_id": c.ID, "key_result_id": c.KeyResultID}, event: AuditEvent{OrganizationID: o.OrganizationID, ID: idAt(at), Action: "check_in.created",
					TargetKind: "key_result", TargetID: c.KeyResultID, ActorID: &by, Detail: json.RawMessage(fmt.Sprintf(`{"check_in_id": %q, "objective_id": %q}`, c.ID, o.ID)), HappenedAt: at}}
			})
		}
		moments = append(moments, stands)
	}
	if o.State == okr.ObjectiveClosed {
		stands.at, stands.state, stands.approved = t.closed, okr.ObjectiveClosed, t.closed
		moments = append(moments, stands)
	}
	return moments
}

func (p *population) checkIn(k *KeyResult, share int64, at time.Time, by uuid.UUID) CheckIn {
	c := CheckIn{OrganizationID: k.OrganizationID, ID: db.NewID(), KeyResultID: k.ID, DoneStepIDs: []uuid.UUID{}, Confidence: int16(3 + p.random.IntN(7)), CheckedAt: at, CreatedAt: at, CreatedBy: by} //nolint:gosec // one digit
	switch k.Kind {
	case okr.Metric:
		value := k.Baseline.Add(k.Target.Sub(*k.Baseline).Mul(decimal.New(share, -2)))
		c.Value = &value
	case okr.Threshold:
		value := k.AtLeast.Add(decimal.New(int64(p.random.IntN(9)-4), -1))
		c.Value = &value
	case okr.Milestone:
		for _, step := range k.Steps[:min(share*int64(len(k.Steps))/100, int64(len(k.Steps)))] {
			c.DoneStepIDs = append(c.DoneStepIDs, step.ID)
		}
	}
	definition := k.definition()
	c.Progress = definition.Progress(c.Value, c.DoneStepIDs)
	k.CurrentCheckInID, k.CurrentValue, k.CurrentDoneSteps, k.CurrentConfidence, k.CurrentAt = &c.ID, c.Value, c.DoneStepIDs, &c.Confidence, &c.CheckedAt
	return c
}

// history gives an objective the revisions that led to its state.
func (p *population) history(s *Snapshot, o *Objective, by uuid.UUID, t times) error {
	score := o.Score
	for n, step := range lives(o.State) {
		o.Revision, o.State, o.Score, o.ChangedAt = int64(n+1), step.state, nil, t.began.Add(time.Duration(n)*day)
		if step.state == okr.ObjectiveClosed {
			o.Score = score
			o.ChangedAt = t.closed
		}
		content, err := o.content()
		if err != nil {
			return err
		}
		revision := o.Revision
		s.History = append(s.History, ObjectiveHistory{OrganizationID: o.OrganizationID, ObjectiveID: o.ID, Revision: revision, Action: step.action, Content: content, ChangedAt: o.ChangedAt, ChangedBy: by})
		event := AuditEvent{OrganizationID: o.OrganizationID, ID: idAt(o.ChangedAt), Action: step.action, TargetKind: "objective", TargetID: o.ID,
			TargetRevision: &revision, ActorID: &by, Detail: json.RawMessage("{}"), HappenedAt: o.ChangedAt}
		s.AuditEvents = append(s.AuditEvents, event)
		p.tell(o.ChangedAt, func() news {
			return news{event: event, objective: o.ID, detail: map[string]any{"revision": revision}, recorded: true}
		})
	}
	return nil
}

// vocabulary is what names and titles are put together from.
type vocabulary struct {
	surnames, names, teams, subjects, goals, places, measures, steps, notes []string
	between                                                                 string // surname and name, subject and goal
	number                                                                  string // how a number is put behind a title
	meeting                                                                 string
	agenda                                                                  []string
}

func wordsOf(locale string) vocabulary {
	if locale == "ja" {
		return vocabulary{
			surnames: strings.Fields("佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田"), names: strings.Fields("葵 蓮 陽菜 湊 結衣 樹 美咲 大翔 凛 悠真 さくら"),
			teams:    strings.Fields("営業 開発 品質保証 カスタマーサクセス 人事 経理 製造 物流 広報 企画 基盤"),
			subjects: strings.Fields("問い合わせ対応を 出荷までの時間を 新しいお客さまの定着を 障害からの復旧を 採用の進め方を 製品の品質を 見積もりの精度を"),
			goals:    strings.Fields("お客さまが頼れる速さにする 誰でも説明できるようにする 半分の手間で回せるようにする 自信を持って続けられるようにする 数字で語れるようにする"),
			places:   strings.Fields("札幌 仙台 新潟 長野 東京 横浜 静岡 名古屋 金沢 京都 大阪 神戸 岡山 広島 高松 松山 福岡 長崎 熊本 鹿児島 那覇"),
			measures: strings.Fields("期限内に終えた割合 一件あたりの時間 手順書の移行"), steps: strings.Fields("現状を測る 案をまとめる 一つの班で試す 全員に広げる"),
			notes: strings.Fields("計画どおり進んでいます。 来週から人が増えます。 部品の遅れで足踏みしています。 試した班の反応がよいです。"), number: "（%s、第%d班）",
			meeting: "週次ミーティング", agenda: strings.Fields("先週の進み具合 困っていることと次の一手"),
		}
	}
	return vocabulary{
		surnames: strings.Fields("Adams Baker Clarke Davies Evans Foster Green Hughes Irwin Jones King Lewis"), names: strings.Fields("Ada Ben Chloe Dan Emma Finn Grace Harry Isla Jack Kate"),
		teams:    strings.Fields("Sales Development Quality Support People Finance Production Logistics Press Planning Platform"),
		subjects: []string{"Answering customers", "The way to delivery", "The first month of new customers", "Recovery from failures", "Hiring", "The quality of the product", "Estimates"},
		goals:    []string{"becomes something people rely on", "can be explained by anyone", "takes half the effort", "goes on without heroes", "is told in numbers"},
		places:   strings.Fields("Aberdeen Belfast Boston Bristol Cardiff Chicago Denver Dublin Galway Glasgow Leeds London Manchester Newcastle Oslo Oxford Perth Seattle Sydney Toronto York"),
		measures: []string{"Share done in time", "Hours for each case", "Move of the handbook"}, steps: []string{"Measure", "Draft", "Try with one team", "Roll out"},
		notes: []string{"As planned.", "More hands from next week.", "Held up by late parts.", "The team that tried it likes it."}, between: " ", number: " (%s, group %d)",
		meeting: "Weekly check-in", agenda: []string{"Where we are", "What is in the way, and what comes next"},
	}
}

func (v vocabulary) person(n int) string {
	return v.surnames[n%len(v.surnames)] + " " + v.names[n%len(v.names)]
}

func (v vocabulary) team(n int) string { return fmt.Sprintf("%s %d", v.teams[n%len(v.teams)], n+1) }

// objective is a title that few others have.
func (v vocabulary) objective(n, i int) string {
	return v.subjects[n%len(v.subjects)] + v.between + v.goals[n/7%len(v.goals)] + fmt.Sprintf(v.number, v.places[n/35%len(v.places)], i%97+1)
}

func (v vocabulary) keyResult(n, position int) string {
	return fmt.Sprintf("%s %d", v.measures[position], n+1)
}

func (v vocabulary) step(n int) string { return v.steps[n] }
func (v vocabulary) note(n int) string { return v.notes[n%len(v.notes)] }
