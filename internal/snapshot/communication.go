package snapshot

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// What people say to each other: preferences, broadcasts and meetings. Each table is a list of its own, and a record to a change of the whole: it is edited in other ways.

func communicationSections() []section {
	return []section{
		list("notification_preferences", func(s *Snapshot) *[]NotificationPreference { return &s.Preferences }, loadPreferences),
		list("broadcasts", func(s *Snapshot) *[]Broadcast { return &s.Broadcasts }, byID(
			func(row Broadcast) uuid.UUID { return row.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]Broadcast, error) {
				rows, err := q.ListAllBroadcastsAfter(ctx, db.ListAllBroadcastsAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, broadcastOf), err
			})),
		list("meetings", func(s *Snapshot) *[]Meeting { return &s.Meetings }, byID(
			func(row Meeting) uuid.UUID { return row.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]Meeting, error) {
				rows, err := q.ListAllMeetingsAfter(ctx, db.ListAllMeetingsAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(row db.Meeting) Meeting { return Meeting(row) }), err
			})),
		list("meeting_attendees", func(s *Snapshot) *[]MeetingAttendee { return &s.Attendees }, byPair(
			func(row MeetingAttendee) pair { return pair{row.MeetingID, row.UserID} },
			func(ctx context.Context, q *db.Queries, o uuid.UUID, after pair) ([]MeetingAttendee, error) {
				rows, err := q.ListAllMeetingAttendeesAfter(ctx, db.ListAllMeetingAttendeesAfterParams{OrganizationID: o, AfterMeetingID: after[0], AfterUserID: after[1], PageSize: pageSize})
				return converted(rows, func(row db.MeetingAttendee) MeetingAttendee { return MeetingAttendee(row) }), err
			})),
		list("meeting_agenda_items", func(s *Snapshot) *[]MeetingAgendaItem { return &s.AgendaItems }, byID(
			func(row MeetingAgendaItem) uuid.UUID { return row.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]MeetingAgendaItem, error) {
				rows, err := q.ListAllAgendaItemsAfter(ctx, db.ListAllAgendaItemsAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(row db.MeetingAgendaItem) MeetingAgendaItem { return MeetingAgendaItem(row) }), err
			})),
		list("meeting_materials", func(s *Snapshot) *[]MeetingMaterial { return &s.Materials }, byID(
			func(row MeetingMaterial) uuid.UUID { return row.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]MeetingMaterial, error) {
				rows, err := q.ListAllMaterialsAfter(ctx, db.ListAllMaterialsAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(row db.MeetingMaterial) MeetingMaterial { return MeetingMaterial(row) }), err
			})),
		list("survey_questions", func(s *Snapshot) *[]SurveyQuestion { return &s.Questions }, byID(
			func(row SurveyQuestion) uuid.UUID { return row.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]SurveyQuestion, error) {
				rows, err := q.ListAllSurveyQuestionsAfter(ctx, db.ListAllSurveyQuestionsAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(row db.SurveyQuestion) SurveyQuestion { return SurveyQuestion(row) }), err
			})),
		list("meeting_occurrences", func(s *Snapshot) *[]MeetingOccurrence { return &s.Occurrences }, byID(
			func(row MeetingOccurrence) uuid.UUID { return row.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]MeetingOccurrence, error) {
				rows, err := q.ListAllOccurrencesAfter(ctx, db.ListAllOccurrencesAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(row db.MeetingOccurrence) MeetingOccurrence { return MeetingOccurrence(row) }), err
			})),
		list("survey_participants", func(s *Snapshot) *[]SurveyParticipant { return &s.Participants }, byPair(
			func(row SurveyParticipant) pair { return pair{row.OccurrenceID, row.UserID} },
			func(ctx context.Context, q *db.Queries, o uuid.UUID, after pair) ([]SurveyParticipant, error) {
				rows, err := q.ListAllSurveyParticipantsAfter(ctx, db.ListAllSurveyParticipantsAfterParams{OrganizationID: o, AfterOccurrenceID: after[0], AfterUserID: after[1], PageSize: pageSize})
				return converted(rows, func(row db.SurveyParticipant) SurveyParticipant { return SurveyParticipant(row) }), err
			})),
		list("survey_answers", func(s *Snapshot) *[]SurveyAnswer { return &s.Answers }, byID(
			func(row SurveyAnswer) uuid.UUID { return row.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]SurveyAnswer, error) {
				rows, err := q.ListAllSurveyAnswersAfter(ctx, db.ListAllSurveyAnswersAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(row db.SurveyAnswer) SurveyAnswer { return SurveyAnswer(row) }), err
			})),
		list("follow_ups", func(s *Snapshot) *[]FollowUp { return &s.FollowUps }, byID(
			func(row FollowUp) uuid.UUID { return row.ID },
			func(ctx context.Context, q *db.Queries, o, after uuid.UUID) ([]FollowUp, error) {
				rows, err := q.ListAllFollowUpsAfter(ctx, db.ListAllFollowUpsAfterParams{OrganizationID: o, AfterID: after, PageSize: pageSize})
				return converted(rows, func(row db.FollowUp) FollowUp { return FollowUp(row) }), err
			})),
		list("meeting_check_ins", func(s *Snapshot) *[]MeetingCheckIn { return &s.MeetingCheckIns }, byPair(
			func(row MeetingCheckIn) pair { return pair{row.OccurrenceID, row.CheckInID} },
			func(ctx context.Context, q *db.Queries, o uuid.UUID, after pair) ([]MeetingCheckIn, error) {
				rows, err := q.ListAllMeetingCheckInsAfter(ctx, db.ListAllMeetingCheckInsAfterParams{OrganizationID: o, AfterOccurrenceID: after[0], AfterCheckInID: after[1], PageSize: pageSize})
				return converted(rows, func(row db.MeetingCheckIn) MeetingCheckIn { return MeetingCheckIn(row) }), err
			})),
	}
}

// pair is the key of a row that belongs to two things.
type pair [2]uuid.UUID

func comparePairs(a, b pair) int { return cmp.Or(compareIDs(a[0], b[0]), compareIDs(a[1], b[1])) }

// byPair walks through a table in the order of its keys.
func byPair[R any](key func(R) pair, page func(ctx context.Context, q *db.Queries, organization uuid.UUID, after pair) ([]R, error)) func(context.Context, *db.Queries, uuid.UUID, func(R) error) error {
	return func(ctx context.Context, q *db.Queries, organization uuid.UUID, emit func(R) error) error {
		for after := (pair{}); ; {
			rows, err := page(ctx, q, organization, after)
			if err != nil || len(rows) == 0 {
				return err
			}
			for _, row := range rows {
				if err := emit(row); err != nil {
					return err
				}
			}
			after = key(rows[len(rows)-1])
		}
	}
}

func loadPreferences(ctx context.Context, q *db.Queries, organization uuid.UUID, emit func(NotificationPreference) error) error {
	from := db.ListAllNotificationPreferencesAfterParams{OrganizationID: organization, PageSize: pageSize}
	for {
		rows, err := q.ListAllNotificationPreferencesAfter(ctx, from)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			if err := emit(NotificationPreference(row)); err != nil {
				return err
			}
		}
		last := rows[len(rows)-1]
		from.AfterUserID, from.AfterKind = last.UserID, last.Kind
	}
}

func (s *Snapshot) sortCommunication() {
	slices.SortFunc(s.Preferences, func(a, b NotificationPreference) int {
		return cmp.Or(compareIDs(a.UserID, b.UserID), cmp.Compare(a.Kind, b.Kind))
	})
	slices.SortFunc(s.Broadcasts, func(a, b Broadcast) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.Meetings, func(a, b Meeting) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.Attendees, func(a, b MeetingAttendee) int {
		return comparePairs(pair{a.MeetingID, a.UserID}, pair{b.MeetingID, b.UserID})
	})
	slices.SortFunc(s.AgendaItems, func(a, b MeetingAgendaItem) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.Materials, func(a, b MeetingMaterial) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.Questions, func(a, b SurveyQuestion) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.Occurrences, func(a, b MeetingOccurrence) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.Participants, func(a, b SurveyParticipant) int {
		return comparePairs(pair{a.OccurrenceID, a.UserID}, pair{b.OccurrenceID, b.UserID})
	})
	slices.SortFunc(s.Answers, func(a, b SurveyAnswer) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.FollowUps, func(a, b FollowUp) int { return compareIDs(a.ID, b.ID) })
	slices.SortFunc(s.MeetingCheckIns, func(a, b MeetingCheckIn) int {
		return comparePairs(pair{a.OccurrenceID, a.CheckInID}, pair{b.OccurrenceID, b.CheckInID})
	})
}

// communicationKey is what tells a row of these tables from the others; empty for rows of other tables.
func communicationKey(row any) string {
	switch row := row.(type) {
	case NotificationPreference:
		return row.UserID.String() + row.Kind
	case Broadcast:
		return row.ID.String()
	case Meeting:
		return row.ID.String()
	case MeetingAttendee:
		return row.MeetingID.String() + row.UserID.String()
	case MeetingAgendaItem:
		return row.ID.String()
	case MeetingMaterial:
		return row.ID.String()
	case SurveyQuestion:
		return row.ID.String()
	case MeetingOccurrence:
		return row.ID.String()
	case SurveyParticipant:
		return row.OccurrenceID.String() + row.UserID.String()
	case SurveyAnswer:
		return row.ID.String()
	case FollowUp:
		return row.ID.String()
	case MeetingCheckIn:
		return row.OccurrenceID.String() + row.CheckInID.String()
	case ExternalID:
		return row.key()
	}
	return ""
}

// broadcastOf leaves out which sending is under way: its events are in the outbox of this installation.
func broadcastOf(row db.Broadcast) Broadcast {
	return Broadcast{OrganizationID: row.OrganizationID, ID: row.ID, Title: row.Title, Body: row.Body, Audience: row.Audience, TeamIDs: row.TeamIDs, UserIDs: row.UserIDs,
		ByMail: row.ByMail, State: row.State, ScheduledAt: row.ScheduledAt, ReachedUserID: row.ReachedUserID, SentAt: row.SentAt, Revision: row.Revision,
		CreatedAt: row.CreatedAt, CreatedBy: row.CreatedBy, ChangedAt: row.ChangedAt, ChangedBy: row.ChangedBy}
}

// underWay reports whether a broadcast is being sent, or will be by the clock.
func (b Broadcast) underWay() bool { return b.State == "scheduled" || b.State == "sending" }

// exported is a broadcast as the file has it. One that waits for its time is a draft elsewhere, since nothing there would send it; one that is being sent is left out, since it would be sent twice.
func (b Broadcast) exported() any {
	switch b.State {
	case "sending":
		return nil
	case "scheduled":
		b.State, b.ScheduledAt = "draft", nil
	}
	return b
}
