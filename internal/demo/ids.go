package demo

import (
	"encoding/binary"

	"github.com/google/uuid"
)

// kind keeps the numbers of different things apart.
type kind uint16

const (
	organizationKind kind = iota + 1
	userKind
	teamKind
	cycleKind
	objectiveKind
	keyResultKind
	stepKind
	checkInKind
	commentKind
	dialogueKind
	messageKind
	jobKind
	suggestionKind
	eventKind
	meetingKind
	occurrenceKind
	agendaItemKind
	materialKind
	questionKind
	followUpKind
	broadcastKind
)

// idTime, in milliseconds since 1970, is the beginning of 2026: before anything that people make, so that the demo comes first in every list.
const idTime = 1_767_225_600_000

// newID is a UUIDv7 that is the same in every load, so that links and screenshots keep.
func newID(k kind, organization, number int) uuid.UUID {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], idTime<<16|7<<12|uint64(k))
	binary.BigEndian.PutUint64(id[8:], 2<<62|uint64(organization)<<48|uint64(number)) //nolint:gosec // counted from 1, never near a limit
	return id
}

func (o organization) id() uuid.UUID { return o.newID(organizationKind, 0) }
func (p person) id() uuid.UUID       { return newID(userKind, 0, p.number) }

func (o organization) newID(k kind, number int) uuid.UUID { return newID(k, o.number, number) }

// optionalID is nil for the zero person.
func optionalID(p person) *uuid.UUID {
	if p == (person{}) {
		return nil
	}
	return optional(p.id())
}

// Numbers of things within things: room for 20 key results of an objective, 50 steps of each, and 100 of anything that is written over time.
const (
	keyResultsEach = 20
	stepsEach      = 50
	writingsEach   = 100
)
