package notify

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/outbox"
)

// Fold returns what tells people of changes that others have made. Whom an event is for is decided when it is folded, by who they are then. An event that is delivered twice
// tells nobody twice.
func Fold() outbox.Fold {
	return func(ctx context.Context, q *db.Queries, e outbox.Event) error {
		tell, ok := told()[e.Kind]
		if !ok {
			return nil
		}
		audit, err := q.GetAuditEvent(ctx, db.GetAuditEventParams{OrganizationID: e.Organization, ID: e.ID})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // no change of anybody's
		}
		if err != nil {
			return err
		}
		first, err := q.ClaimNotices(ctx, db.ClaimNoticesParams{OrganizationID: e.Organization, UserIDs: []uuid.UUID{uuid.Nil}, Names: []string{eventClaim},
			SubjectIDs: []uuid.UUID{e.ID}, Before: &time.Time{}})
		if err != nil || len(first) == 0 {
			return err
		}
		all, err := tell(ctx, q, audit)
		if err != nil {
			return err
		}
		return Create(ctx, q, e.Organization, all...)
	}
}

// teller says whom an event is for.
type teller func(ctx context.Context, q *db.Queries, e db.AuditEvent) ([]Notification, error)

// told are the events that anybody is told of. Check-ins are not among them: they are what people look for, in the feed and on the page.
func told() map[string]teller {
	return map[string]teller{
		"objective.submitted":           tellReviewers,
		"objective.approved":            tellOwnerAndAuthor(Approved),
		"objective.returned":            tellOwnerAndAuthor(Returned),
		"objective.revised":             tellOwnerAndAuthor(Revised),
		"objective.closed":              tellOwnerAndAuthor(ObjectiveClosed),
		"objective.reopened":            tellOwnerAndAuthor(Reopened),
		"objective.created":             tellNewOwners,
		"objective.updated":             tellNewOwners,
		"objective.suggestion_accepted": tellNewOwners,
		"objective.version_restored":    tellNewOwners,
		"objective.carried_over":        tellNewOwners,
		"comment.created":               tellOfComment,
		"comment.updated":               tellOfMentions,
		"team.member_put":               tellTeamMember,
	}
}

// objectivePath is the page of an objective.
func objectivePath(id uuid.UUID) string { return "/objectives/" + id.String() }

// about begins a notification about an objective.
func about(o db.GetObjectiveForNoticeRow, e db.AuditEvent, k Kind) Notification {
	return Notification{Kind: k, SubjectKind: "objective", Subject: o.ID, Title: o.Title, Actor: e.ActorID, ActorName: o.ActorName, Path: objectivePath(o.ID)}
}

func (n Notification) to(users ...uuid.UUID) []Notification {
	all := make([]Notification, len(users))
	for i, u := range users {
		all[i] = n
		all[i].User = u
	}
	return all
}

func objectiveOf(ctx context.Context, q *db.Queries, e db.AuditEvent) (db.GetObjectiveForNoticeRow, error) {
	return q.GetObjectiveForNotice(ctx, db.GetObjectiveForNoticeParams{OrganizationID: e.OrganizationID, ID: e.TargetID, ActorID: e.ActorID})
}

// tellReviewers tells the leads of the team; where there is none, or nobody leads it, those who administer the organisation. Its authors are only among them if nobody else is.
func tellReviewers(ctx context.Context, q *db.Queries, e db.AuditEvent) ([]Notification, error) {
	o, err := objectiveOf(ctx, q, e)
	if err != nil {
		return nil, err
	}
	var reviewers []uuid.UUID
	if o.TeamID != nil {
		if reviewers, err = q.ListTeamLeads(ctx, db.ListTeamLeadsParams{OrganizationID: e.OrganizationID, TeamID: *o.TeamID}); err != nil {
			return nil, err
		}
	}
	if len(reviewers) == 0 {
		if reviewers, err = q.ListAdministrators(ctx, db.ListAdministratorsParams{OrganizationID: e.OrganizationID}); err != nil {
			return nil, err
		}
	}
	others := slices.DeleteFunc(slices.Clone(reviewers), func(r uuid.UUID) bool { return r == o.OwnerID || r == o.CreatedBy })
	if len(others) > 0 {
		reviewers = others
	}
	return about(o, e, ReviewRequested).to(reviewers...), nil
}

func tellOwnerAndAuthor(k Kind) teller {
	return func(ctx context.Context, q *db.Queries, e db.AuditEvent) ([]Notification, error) {
		o, err := objectiveOf(ctx, q, e)
		if err != nil {
			return nil, err
		}
		n := about(o, e, k)
		if e.TargetRevision != nil {
			h, err := q.GetObjectiveRevision(ctx, db.GetObjectiveRevisionParams{OrganizationID: e.OrganizationID, ObjectiveID: o.ID, Revision: *e.TargetRevision})
			if err != nil && !errors.Is(err, pgx.ErrNoRows) {
				return nil, err
			}
			if h.Note != nil {
				n.Excerpt = Plain(*h.Note)
			}
		}
		return n.to(o.OwnerID, o.CreatedBy), nil
	}
}

// tellNewOwners compares what a revision has with what the one before it had.
func tellNewOwners(ctx context.Context, q *db.Queries, e db.AuditEvent) ([]Notification, error) {
	if e.TargetRevision == nil {
		return nil, nil
	}
	after, before, err := revisions(ctx, q, e)
	if err != nil || after == nil {
		return nil, err
	}
	o, err := objectiveOf(ctx, q, e)
	if err != nil {
		return nil, err
	}
	var all []Notification
	if before == nil || before.OwnerID != after.OwnerID {
		all = about(o, e, Assigned).to(after.OwnerID)
	}
	owners := map[uuid.UUID]uuid.UUID{}
	if before != nil {
		for _, k := range before.KeyResults {
			if k.OwnerID != nil {
				owners[k.ID] = *k.OwnerID
			}
		}
	}
	for _, k := range after.KeyResults {
		if k.OwnerID != nil && owners[k.ID] != *k.OwnerID {
			n := about(o, e, Assigned)
			n.SubjectKind, n.Subject, n.Title, n.Excerpt = "key_result", k.ID, k.Title, o.Title
			all = append(all, n.to(*k.OwnerID)...)
		}
	}
	return all, nil
}

// revisions are the content that an event led to, and that before it; nil where there is none.
func revisions(ctx context.Context, q *db.Queries, e db.AuditEvent) (after, before *db.ObjectiveContent, err error) {
	read := func(revision int64) (*db.ObjectiveContent, error) {
		h, err := q.GetObjectiveRevision(ctx, db.GetObjectiveRevisionParams{OrganizationID: e.OrganizationID, ObjectiveID: e.TargetID, Revision: revision})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		content := new(db.ObjectiveContent)
		return content, json.Unmarshal(h.Content, content)
	}
	if after, err = read(*e.TargetRevision); err != nil || after == nil {
		return nil, nil, err
	}
	before, err = read(*e.TargetRevision - 1)
	return after, before, err
}

// tellOfComment tells whom it mentions, and beside them the owner and those who have commented before.
func tellOfComment(ctx context.Context, q *db.Queries, e db.AuditEvent) ([]Notification, error) {
	var detail struct {
		CommentID uuid.UUID `json:"comment_id"`
	}
	if err := json.Unmarshal(e.Detail, &detail); err != nil {
		return nil, err
	}
	comment, err := q.GetComment(ctx, db.GetCommentParams{OrganizationID: e.OrganizationID, ObjectiveID: e.TargetID, ID: detail.CommentID})
	if errors.Is(err, pgx.ErrNoRows) || err == nil && comment.DeletedAt != nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	o, err := objectiveOf(ctx, q, e)
	if err != nil {
		return nil, err
	}
	earlier, err := q.ListCommentersBefore(ctx, db.ListCommentersBeforeParams{OrganizationID: e.OrganizationID, ObjectiveID: e.TargetID, BeforeID: comment.ID})
	if err != nil {
		return nil, err
	}
	n := about(o, e, Mentioned)
	n.Excerpt = Plain(comment.Body)
	mentioned := Mentions(comment.Body)
	all := n.to(mentioned...)
	n.Kind = Commented
	others := append(earlier, o.OwnerID)
	slices.SortFunc(others, compareIDs)
	others = slices.DeleteFunc(slices.Compact(others), func(u uuid.UUID) bool { return slices.Contains(mentioned, u) })
	return append(all, n.to(others...)...), nil
}

// tellOfMentions tells those whom a comment has come to mention by being changed, if it still does.
func tellOfMentions(ctx context.Context, q *db.Queries, e db.AuditEvent) ([]Notification, error) {
	var detail struct {
		CommentID uuid.UUID   `json:"comment_id"`
		Mentioned []uuid.UUID `json:"mentioned"`
	}
	if err := json.Unmarshal(e.Detail, &detail); err != nil {
		return nil, err
	}
	comment, err := q.GetComment(ctx, db.GetCommentParams{OrganizationID: e.OrganizationID, ObjectiveID: e.TargetID, ID: detail.CommentID})
	if errors.Is(err, pgx.ErrNoRows) || err == nil && comment.DeletedAt != nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	o, err := objectiveOf(ctx, q, e)
	if err != nil {
		return nil, err
	}
	n := about(o, e, Mentioned)
	n.Excerpt = Plain(comment.Body)
	still := Mentions(comment.Body)
	return n.to(slices.DeleteFunc(detail.Mentioned, func(u uuid.UUID) bool { return !slices.Contains(still, u) })...), nil
}

func tellTeamMember(ctx context.Context, q *db.Queries, e db.AuditEvent) ([]Notification, error) {
	var detail struct {
		MemberID uuid.UUID `json:"member_id"`
		Role     string    `json:"role"`
	}
	if err := json.Unmarshal(e.Detail, &detail); err != nil {
		return nil, err
	}
	t, err := q.GetTeamForNotice(ctx, db.GetTeamForNoticeParams{OrganizationID: e.OrganizationID, ID: e.TargetID, ActorID: e.ActorID})
	if err != nil {
		return nil, err
	}
	n := Notification{Kind: TeamJoined, SubjectKind: "team", Subject: t.ID, Title: t.Name, Actor: e.ActorID, ActorName: t.ActorName, Path: "/teams/" + t.ID.String()}
	return n.to(detail.MemberID), nil
}

// FeedFold returns what takes changes of objectives over into the feed.
func FeedFold() outbox.Fold {
	return func(ctx context.Context, q *db.Queries, e outbox.Event) error {
		if !slices.Contains(fed(), e.Kind) {
			return nil
		}
		return q.CreateFeedEntry(ctx, db.CreateFeedEntryParams{OrganizationID: e.Organization, ID: e.ID, Actions: fed()})
	}
}

// fed are the actions that the feed tells of.
func fed() []string {
	return []string{"objective.created", "objective.updated", "objective.suggestion_accepted", "objective.submitted", "objective.approved", "objective.returned",
		"objective.revised", "objective.closed", "objective.reopened", "objective.archived", "objective.restored",
		"objective.version_restored", "objective.carried_over", "check_in.created", "check_in.corrected", "comment.created"}
}
