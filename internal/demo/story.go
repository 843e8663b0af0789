package demo

import (
	"slices"
	"time"

	"github.com/kakeai/kakeai/internal/ai"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/okr"
)

// The types that stories are written in. Their order is the order of ids, so new things go to the end of a list.

type organization struct {
	number     int
	title      string
	locale     string
	timeZone   string
	members    []member
	teams      []team
	organizer  person // who runs the cycles
	cycleTitle func(q quarter) string
	cycles     []cycle
	objectives []objective
	dialogues  []dialogue
	meetings   []gathering
	broadcasts []broadcastStory
}

type person struct {
	number   int
	name     string
	email    string
	locale   string
	timeZone string
}

type member struct {
	person
	role auth.Role
}

type team struct {
	number      int // from 1; the zero team is none
	title       string
	description string
	lead        person
	others      []person
}

// cycle is the one that a now lies in, or the one before that.
type cycle int

const (
	presentCycle cycle = iota
	lastCycle
)

type objective struct {
	name            string // what the story calls it
	cycle           cycle
	team            team
	owner           person
	title           string
	description     string
	kind            okr.Commitment
	visibility      okr.Visibility // empty: the organisation
	parent          string         // the parent's name, if any
	parentKeyResult int            // and which of its key results, from 1, if any
	keyResults      []keyResult
	life            []act // what happens to it, in order; it begins as a draft of its owner's
	comments        []comment
}

// keyResult has its numbers as people write them; those of other kinds are empty.
type keyResult struct {
	title       string
	description string
	owner       person // the zero person: the objective's owner
	kind        okr.KeyResultKind
	unit        string
	baseline    string
	target      string
	stretch     string
	atLeast     string
	atMost      string
	tolerance   string
	steps       []step
	weight      string // empty: 1
	track       track
}

type step struct {
	title  string
	weight string
}

// track is how a key result is followed: one check-in a week, in the cycle's first whole week to its twelfth.
type track struct {
	day        time.Weekday
	clock      string
	values     string         // one for each week, "-" where there was no check-in; for a milestone, how many of its steps were done
	confidence string         // one for each week
	notes      map[int]string // by week, from 1
	slip       *slip
	quiet      int // for so many days before now nobody has checked in
}

// slip is a value typed wrong, and put right the next morning.
type slip struct {
	week       int
	wrong      string
	correction string // the correction's note
}

type act struct {
	at     moment
	by     person // the zero person: the objective's owner
	action okr.Action
	note   string
	score  string
	change proposal // for an edit
}

// edit is the one act that leaves the state as it is.
const edit okr.Action = "edit"

type comment struct {
	at   moment
	by   person
	body string
}

type dialogue struct {
	objective string
	title     string
	messages  []message
}

// broadcastStory is words to many, in the present cycle: to everybody, or to a team.
type broadcastStory struct {
	by      person
	to      int // the number of the team; 0 is everybody
	title   string
	body    string
	drafted moment
	sent    moment // the zero moment: it is still a draft
}

// message is a member's or, where it answers a request, the coach's.
type message struct {
	at       moment
	by       person
	request  ai.Kind
	body     string
	findings []ai.Finding
	proposal *proposal
	decision decision
}

// decision ends a suggestion; without one it stays open until the objective moves on.
type decision struct {
	at       moment
	by       person
	accepted bool
	note     string
}

// proposal is a change to an objective. Empty fields stay as they are.
type proposal struct {
	title       string
	description string
	keyResults  []keyResultChange
}

// keyResultChange is a key result as it should be.
type keyResultChange struct {
	of int // which one, from 1; 0 adds it
	keyResult
}

// applied is the objective after the proposal. Changed key results are followed as they were going to be.
func (p proposal) applied(o objective) objective {
	if p.title != "" {
		o.title = p.title
	}
	if p.description != "" {
		o.description = p.description
	}
	keyResults := slices.Clone(o.keyResults)
	for _, change := range p.keyResults {
		if change.of == 0 {
			keyResults = append(keyResults, change.keyResult)
			continue
		}
		changed := change.keyResult
		changed.track = keyResults[change.of-1].track
		keyResults[change.of-1] = changed
	}
	o.keyResults = keyResults
	return o
}

// What can happen to an objective, in short.

func drafted(at moment) act             { return act{at: at} }
func edited(at moment, to proposal) act { return act{at: at, action: edit, change: to} }
func submitted(at moment) act           { return act{at: at, action: okr.ActionSubmit} }
func approved(by person, at moment) act { return act{at: at, by: by, action: okr.ActionApprove} }
func returned(by person, at moment, note string) act {
	return act{at: at, by: by, action: okr.ActionReturn, note: note}
}
func closed(at moment, score, note string) act {
	return act{at: at, action: okr.ActionClose, score: score, note: note}
}
func archived(by person, at moment, note string) act {
	return act{at: at, by: by, action: okr.ActionArchive, note: note}
}
