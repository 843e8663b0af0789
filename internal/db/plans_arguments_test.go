package db_test

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// arguments are what a query is called with in the installation of testdata/plans.sql: rows of the large organisation that belong together, and a member who is
// neither its owner nor an administrator, so that what they may see has to be looked at.
type arguments struct {
	query   string
	variant string // the query's name, or one of its variants
	table   string // that the query names first
}

// variants are queries that take another way through their plan with other arguments; said() names what is other.
var variants = map[string][]string{
	"ListOwedReviews":                           {"ListOwedReviews/administrator"},
	"ListVisibleObjectivesAfter":                {"ListVisibleObjectivesAfter/archived", "ListVisibleObjectivesAfter/deep"},
	"ListBroadcastAudienceAfter":                {"ListBroadcastAudienceAfter/teams", "ListBroadcastAudienceAfter/people"},
	"ListMembersAfter":                          {"ListMembersAfter/deep"},
	"ListAuditEventsBefore":                     {"ListAuditEventsBefore/deep"},
	"ListJobsBefore":                            {"ListJobsBefore/deep"},
	"ListJobsOfStateBefore":                     {"ListJobsOfStateBefore/deep"},
	"ListNotificationsBefore":                   {"ListNotificationsBefore/administrator"},
	"ListFeedBefore":                            {"ListFeedBefore/team"},
	"ListVisibleObjectivesOfTeamInActiveCycles": {"ListVisibleObjectivesOfTeamInActiveCycles/administrator"},
}

// tables have their numbers in the ids of their rows, and a row that arguments are about.
var tables = map[string]struct{ number, row int }{
	"organizations":        {1, 0},
	"users":                {2, 4242},
	"memberships":          {2, 4242},
	"teams":                {3, 242},
	"sessions":             {4, 4242},
	"cycles":               {5, 7},
	"objectives":           {6, 64242},
	"key_results":          {7, 128484},
	"milestone_steps":      {8, 96363},
	"check_ins":            {9, 128484},
	"comments":             {10, 50},
	"dialogues":            {11, 12848},
	"ai_jobs":              {12, 100},
	"messages":             {13, 38544},
	"suggestions":          {14, 12848},
	"audit_events":         {15, 64242},
	"outbox_events":        {15, 200},
	"feed_entries":         {15, 64242},
	"notifications":        {16, 54242},
	"mails":                {17, 4200},
	"broadcasts":           {18, 51},
	"webhooks":             {19, 0},
	"webhook_deliveries":   {20, 0},
	"meetings":             {21, 848},
	"meeting_agenda_items": {22, 2544},
	"meeting_materials":    {23, 1696},
	"survey_questions":     {24, 1696},
	"meeting_occurrences":  {25, 11030},
	"survey_answers":       {26, 66180},
	"follow_ups":           {27, 11031},
	"meeting_notices":      {28, 848},
	"imports":              {29, 5},
	"invitations":          {31, 10},
	"identities":           {41, 4242},
	"import_rows":          {},
	"import_entities":      {},
	"objective_figures":    {},
	"figure_counts":        {},
	"cycle_figures":        {},
	"cycle_figures_daily":  {},
	"objective_links":      {},
	"external_ids":         {},
	"key_fingerprints":     {},
	"idempotency_keys":     {},
	"link_previews":        {},
	"scheduled_runs":       {},
}

// row is the id of a row of the installation, by its number.
func row(table string, n int) uuid.UUID {
	return uuid.MustParse(fmt.Sprintf("%08x-%04x-7000-8000-000000000000", n, tables[table].number))
}

// a row that arguments are about.
func the(table string) uuid.UUID { return row(table, tables[table].row) }

func hashOf(text string) []byte {
	hash := sha256.Sum256([]byte(text))
	return hash[:]
}

var (
	firstTable = regexp.MustCompile(`(?:FROM|UPDATE|INTO) (\w+)`)
	planTime   = time.Now()
	today      = planTime.UTC().Truncate(24 * time.Hour)
	nobody     = uuid.UUID{}
)

// subject is the table that a statement names first, functions and subqueries aside.
func subject(sql string) string {
	for _, named := range firstTable.FindAllStringSubmatch(sql, -1) {
		if _, known := tables[named[1]]; known {
			return named[1]
		}
	}
	return ""
}

// said are arguments by the field's name, those of single queries by query and name.
func said() map[string]any {
	u := func(name string) uuid.UUID { return the(name) }
	work := uuid.MustParse("00000005-001e-7000-8000-000000000000")
	all := map[string]any{
		// Alignment and search
		"FromID": nobody, "ParentID": row("objectives", 12848), "ParentIDs": []uuid.UUID{row("objectives", 12848)}, "SupportedID": row("objectives", 70001), "CreateLink.SupportedID": row("objectives", 80001),
		"Low": "objective", "High": "objectivf", "Lows": []string{"objective"}, "Highs": []string{"objectivf"}, "Places": []int32{1}, "Term": "objective", "Words": []string{"objective"}, "Whole": "objective", "Written": "Objective 64242",
		"CountNamesWithTerm.Kind": "member", "ListNamesWithTerm.Kind": "member", "ListNewestNamesWithTerm.Kind": "member", "MatchTeams.Words": []string{"team"}, "MatchTeams.Whole": "team", "MatchTeams.IDs": []uuid.UUID{the("teams")},
		"MatchMembers.Words": []string{"person"}, "MatchMembers.Whole": "person", "MatchMembers.IDs": []uuid.UUID{the("users")}, "CountNamesWithTerm.Lows": []string{"person"}, "CountNamesWithTerm.Highs": []string{"persoo"},
		"ListNamesWithTerm.Low": "person", "ListNamesWithTerm.High": "persoo", "ListNewestNamesWithTerm.Term": "person", "MatchObjectives.IDs": []uuid.UUID{the("objectives")}, "ListMatchingObjectives.IDs": []uuid.UUID{the("objectives")},
		"ListMatchingKeyResults.IDs": []uuid.UUID{the("objectives")}, "ListKeyResultTitles.IDs": []uuid.UUID{the("key_results")}, "ListMatchingKeyResults.Words": []string{"key"},
		// Workflow
		"CarriedFromID": row("objectives", 50242), "CarryKeyResults.CarriedFromID": row("key_results", 100484), "CarryKeyResults.ID": fresh(5), "CarryKeyResults.Kind": "milestone", "CarryKeyResults.Unit": "%", "CarryObjective.ID": fresh(6),
		"ListCarriedCopies.IDs": []uuid.UUID{row("objectives", 14242)}, "ListCarriedKeyResults.ObjectiveIDs": []uuid.UUID{the("objectives")}, "LockCopiesBelow.ParentIDs": []uuid.UUID{row("objectives", 12848)}, "LockLinksToCarry.IDs": []uuid.UUID{the("objectives")}, "ListLinksToCarry.IDs": []uuid.UUID{the("objectives")}, "ListLinksThatFollow.IDs": []uuid.UUID{row("objectives", 30000)},
		"MoveLinksThatFollow.IDs": []uuid.UUID{row("objectives", 30000)}, "CopyIDs": []uuid.UUID{the("objectives")}, "CarryLinks.ObjectiveIDs": []uuid.UUID{the("objectives")}, "SupportedIDs": []uuid.UUID{row("objectives", 80002)}, "Flagged": []bool{true}, "SettleLink.ObjectiveID": row("objectives", 60002), "SettleLink.SupportedID": row("objectives", 30000), "ListLinksThatFollow.CycleID": the("cycles"), "MoveLinksThatFollow.CycleID": the("cycles"),
		"GetVisibleComment.ID":  the("comments"),
		"ListTeamsForShare.IDs": []uuid.UUID{the("teams")}, "ListActiveMembers.UserIDs": []uuid.UUID{the("users")},
		// Figures
		"CycleIDs": []uuid.UUID{the("cycles")}, "GroupID": the("teams"), "GroupIDs": []uuid.UUID{the("teams")}, "OfTeamIDs": []uuid.UUID{the("teams"), row("teams", 243)}, "Most": int32(500), "Day": int32(20), "AfterDay": int32(-1), "AsOf": planTime.AddDate(0, 0, 1),
		"RecordedBy": planTime, "RecordedDay": today.AddDate(0, 0, 1), "RecordedAt": planTime, "AddFigureCounts.ID": fresh(7), "AddFigureCounts.Days": []int32{-1}, "AddFigureCounts.Progress": []string{"1"}, "Overshoot": []string{"0"}, "Objectives": []int32{1},
		"Restricted": []int32{0}, "Pending": []int32{0}, "LeftOnTrack": []int32{0}, "WentOffTrack": []int32{0}, "KeyResultOffTrack": []int32{0}, "Outdated": []int32{0}, "OnTrack": []int32{1}, "AtRisk": []int32{0}, "OffTrack": []int32{0},
		"PutCycleDays.Days": []time.Time{today.AddDate(0, 0, 2)}, "PutCycleDays.Progress": []string{"1"}, "PutCycleDays.RecordedAt": []time.Time{planTime}, "ListCyclesAround.Day": today, "MendFigureCounts.ID": fresh(8),
		"WriteObjectiveFigures.ObjectiveIDs": []uuid.UUID{the("objectives")}, "WriteObjectiveFigures.ParentIDs": []uuid.UUID{the("objectives")}, "WriteObjectiveFigures.Children": []int32{3}, "WriteObjectiveFigures.ChildrenRestricted": []int32{1}, "WriteObjectiveFigures.Counted": []bool{true}, "WriteObjectiveFigures.Restricted": []bool{false}, "WriteObjectiveFigures.Pending": []bool{false},
		"SumChildrenFigures.ObjectiveIDs": []uuid.UUID{row("objectives", 12848)}, "ListChildrenMeans.ObjectiveIDs": []uuid.UUID{row("objectives", 12848)},
		"WriteObjectiveFigures.Progress": []string{"1"}, "OnTrackUntil": []int32{10}, "AtRiskUntil": []int32{20}, "KeyResultsUntil": []int32{30}, "OutdatedFrom": []int32{40},
		"BeginCycleFigures.CycleID": the("cycles"), "BeginCycleFigures.Rules": int32(1), "AdvanceCycleFigures.RebuildingAfter": (*uuid.UUID)(nil), "RecordCycleDay.Day": int32(20),
		// Imports and exports
		"ImportID": u("imports"), "WorkID": work, "StartImportIfRevision.WorkID": fresh(9), "StartImportIfRevision.ID": row("imports", 7), "StartImportIfRevision.State": "checking", "UpdateImportIfRevision.ID": row("imports", 7), "EntityIDs": []uuid.UUID{u("objectives")},
		"Keys": []string{"o1"}, "ParentKeys": []string{"o1"}, "Positions": []int32{1}, "Lines": []int32{2}, "Cells": []string{"[]"}, "Problems": []string{"[]"}, "ObjectiveKeys": []string{"o1"}, "KeyResultKeys": []string{"k1"}, "CheckInKeys": []string{"c1"},
		"CreateImportRows.Positions": []int32{1000}, "Changes": []string{"same"}, "Depths": []int32{0}, "FromRevisions": []int64{2}, "Plans": []string{"{}"}, "Known": []bool{true}, "Intents": []string{"{}"}, "AlignedTo": []string{""},
		"AlignImportEntities.ParentIDs": []string{""}, "ParentKeyResultIDs": []string{""}, "PutImportEntities.Kinds": []string{"objective"}, "PutImportEntities.Keys": []string{"new"}, "PutImportEntities.ParentKeys": []string{""},
		"import_entities.Kind": "objective", "AfterKey": "", "AfterPosition": int32(0), "ThroughPosition": int32(100), "AfterDepth": int32(-1), "Result": "create", "Counts": []byte("{}"), "AdvanceImport.Progress": int32(10), "Phase": "objectives",
		"Format": "csv", "FileName": "x.csv", "Source": "kakeai", "EndImportWork.State": "done", "EndUpload.State": "uploaded", "EndUpload.ID": row("imports", 6), "EndUpload.Headers": []string{}, "Sheets": []string{}, "Mapping": []string{}, "DecimalMark": "auto", "DateOrder": "auto",
		"DefaultState": "draft", "Encoding": "", "Separator": "", "Layout": "", "UpdateImportIfRevision.CycleID": the("cycles"), "CancelImport.ID": row("imports", 5), "ListImportsOfUserBefore.UserID": row("users", 5),
		"ExternalIDs": []string{"o1"}, "ListExternalIDs.Kinds": []string{"objective"}, "LowerNames": []string{"team 242"}, "ListCyclesByName.LowerNames": []string{"cycle 7"}, "ListImportChildren.Kind": "key_result", "At": planTime,
		"ListExportCheckInsAfter.AfterAt": time.Unix(0, 0), "ListCheckInsByID.IDs": []uuid.UUID{the("check_ins")}, "ListKeyResultsByID.IDs": []uuid.UUID{the("key_results")}, "ListVisibleObjectivesByID.IDs": []uuid.UUID{the("objectives")},
		// Organization
		"UpToID": uuid.Max, "Coach": "model", "UpdateOrganizationIfRevision.OrganizationID": u("organizations"), "ListAuditEventsOfActionBefore.Action": "objective.edited", "ListMatchingMembersAfter.Words": []string{"person"}, "ListMatchingTeamsAfter.Words": []string{"team"}, "ListMatchingTeamsAfter.IDs": []uuid.UUID{the("teams")}, "ListMatchingTeamsAfter.Archived": (*bool)(nil), "ListTeamsOfStateAfter.Archived": false, "ListMatchingMembersAfter.IDs": []uuid.UUID{the("users")},
		"AIMonthlyTokens": int64(1000000), "AddAIUsage.Source": "model-1",
		// Invitations and accounts
		"MailID": fresh(10), "CreateInvitation.Days": int32(7), "CreateInvitation.Email": "new@example.com", "CreateInvitation.TokenHash": hashOf("new"), "GetInvitationByToken.TokenHash": hashOf("10"), "invitations.IDs": []uuid.UUID{row("invitations", 20)},
		"ResendInvitation.Sendings": int16(1), "AcceptInvitation.UserID": the("users"), "GetInvitationToMail.ID": row("mails", 200001), "ReturnEventsBehindIfLease.BeforeID": row("outbox_events", 100), "ScanRootsAfter.State": "closed", "ScanChildrenOfKeyResultAfter.KeyResultID": row("key_results", 25696), "JoinTeams.TeamIDs": []uuid.UUID{row("teams", 1)}, "ListUsableTeams.IDs": []uuid.UUID{the("teams")}, "CheckedHash": "hash", "DeleteOtherSessionsOfUser.SessionID": row("sessions", 14242),
		"key_fingerprints.Name": "cursor", "Fingerprint": hashOf("y"),
		"DeleteEndedInvitations.Before": planTime.AddDate(0, 0, 1),
		// Tokens
		"CreateToken.TokenHash": hashOf("new"), "CreateToken.Days": int32(90), "Scope": "read", "CountTokensOfUser.UserID": row("users", 4243), "ListTokensOfUserAfter.UserID": row("users", 4243), "GetToken.ID": row("sessions", 4243),
		"DeleteToken.ID": row("sessions", 4243),
		"OrganizationID": u("organizations"), "OrganizationIDs": []uuid.UUID{u("organizations")}, "AfterOrganizationID": nobody,
		"UserID": u("users"), "ActorID": u("users"), "AuthorID": u("users"), "OwnerID": u("users"), "AssigneeID": u("users"), "ReachedUserID": u("users"), "UserIDs": []uuid.UUID{u("users")},
		"ActorIDs": []uuid.UUID{u("users")}, "TeamID": u("teams"), "TeamIDs": []uuid.UUID{u("teams"), row("teams", 707)}, "LeadTeamIDs": []uuid.UUID{},
		"SessionID": u("sessions"), "SessionIDs": []uuid.UUID{u("sessions")}, "TokenHash": hashOf("4242"), "CycleID": u("cycles"),
		"ObjectiveID": u("objectives"), "ObjectiveIDs": []uuid.UUID{u("objectives"), row("objectives", 64243)}, "ParentObjectiveID": row("objectives", 12848), "ParentKeyResultID": row("key_results", 25696),
		"KeyResultID": u("key_results"), "KeyResultIDs": []uuid.UUID{u("key_results"), row("key_results", 128487)}, "CheckInID": u("check_ins"), "DoneStepIDs": []uuid.UUID{}, "KeptIDs": []uuid.UUID{},
		"DialogueID": u("dialogues"), "MessageID": u("messages"), "JobID": (*uuid.UUID)(nil), "SuggestionID": u("suggestions"),
		"TargetID": u("objectives"), "EventID": fresh(1), "EventIDs": []uuid.UUID{fresh(1)}, "SubjectIDs": []uuid.UUID{u("objectives")}, "LatestIDs": []uuid.UUID{u("notifications")}, "ThroughIDs": []uuid.UUID{nobody},
		"AboutID": u("objectives"), "MailIDs": []uuid.UUID{fresh(2)}, "BroadcastID": row("broadcasts", 0), "DispatchID": fresh(3), "WebhookID": u("webhooks"), "WebhookIDs": []uuid.UUID{u("webhooks")},
		"MeetingID": u("meetings"), "MeetingIDs": []uuid.UUID{u("meetings")}, "OccurrenceID": u("meeting_occurrences"), "QuestionID": u("survey_questions"), "MaterialID": u("meeting_materials"),
		// Lists begin in the middle, or at their end where they go back in time.
		"AfterID": nobody, "BeforeID": uuid.Max, "AfterUserID": nobody, "AfterMeetingID": nobody, "AfterOccurrenceID": nobody, "AfterCheckInID": nobody, "AfterTeamID": nobody, "AfterSupportedID": nobody,
		"AfterObjectiveID": nobody, "AfterKeyResultID": nobody, "BeforeAt": planTime.AddDate(0, 0, 20), "FromAt": planTime.AddDate(0, 0, -20), "AfterAt": planTime.AddDate(0, 0, -20), "UntilAt": planTime.AddDate(0, 0, 20), "UntilID": uuid.Max,
		"BeforeRevision": int64(1 << 40), "PageSize": int32(51), "Each": int32(201), "Scan": int32(500), "Batch": int32(10), "Turns": int32(5),
		"Before": planTime.AddDate(0, 0, -20), "FailedBefore": planTime.AddDate(0, 0, 1), "Settled": planTime.AddDate(0, 0, 1), "ScheduledAt": planTime.AddDate(0, 0, 1), "DueAt": planTime, "Days": []time.Time{planTime},
		"DueAts": []time.Time{planTime}, "Now": planTime, "StartsAt": planTime, "EndsAt": planTime.Add(time.Hour), "StartsOn": planTime, "EndsOn": planTime.AddDate(0, 1, 0), "ChangedAt": planTime, "StartsAtLocal": planTime,
		"Revision": int64(1), "LeaseNumber": int64(3), "LeaseNumbers": []int64{3}, "LeaseSeconds": 60.0, "Contract": int16(1), "LifetimeSeconds": int32(3600), "AheadSeconds": int32(86400 * 2), "RemindSeconds": int32(3600),
		"Kind": "feedback", "State": "delivered", "Action": "objective.edited", "Actions": []string{"objective.edited"}, "Kinds": []string{"objective.commented"}, "SubjectKinds": []string{"objective"}, "Titles": []string{"Title"},
		"Details": []string{"{}"}, "Inbox": []bool{true}, "Mail": []string{"immediate"}, "Names": []string{"run 1"}, "Name": "run 1", "Title": "A title", "Body": "A body", "Audience": "organization", "Role": "member",
		"Url": "https://example.com/new", "UrlHash": hashOf("https://example.com/new"), "UrlHashes": [][]byte{hashOf("https://example.com/30")}, "Email": "p4242@example.com", "Emails": []string{"p4242@example.com"},
		"Secret": hashOf("secret"), "PayloadHash": hashOf("x"), "ContentHash": hashOf("x"), "ContentType": "image/png", "Content": []byte("{}"), "Payload": []byte("{}"), "Detail": []byte("{}"), "Headers": []byte("{}"), "Findings": []byte("[]"),
		"Issuer": "https://login.example.com", "Subject": "4242", "Route": "POST /api/v1/objectives", "Key": "key 4242", "Status": int16(200), "Locale": "en", "TimeZone": "UTC", "Cadence": "weekly", "Visibility": "organization",
		"Confidence": int16(7), "Progress": decimal.NewFromFloat(0.5), "Weight": decimal.NewFromInt(1), "Template": "digest", "Templates": []string{"digest"}, "Target": "feedback", "Mode": "normal", "Failure": "failed",
		"DurationMinutes": int32(45), "RemindMinutes": int32(60), "SurveyResults": "at_start", "Response": "accepted", "Choices": []string{}, "Decisions": []string{}, "Minutes": "Said.", "AnswerKey": hashOf("33129"),
		"Outcome": "succeeded", "SetRevision": false, "Digest": "daily", "DigestKinds": []string{"objective.commented"}, "View": "", "SourceURL": "https://example.com/x", "Address": "127.0.0.1", "UserAgent": "test",
		"PasswordHash": "hash", "TargetKind": "objective", "ObjectiveRevision": int64(2), "Delivery": "delivered",

		"objectives.Revision": int64(2), "objectives.Kind": "committed", "objectives.State": "approved", "key_results.Kind": "milestone", "key_results.Unit": "%", "cycles.State": "active",
		"broadcasts.State": "sent", "broadcasts.TeamIDs": []uuid.UUID{}, "broadcasts.UserIDs": []uuid.UUID{}, "mails.State": "sent", "suggestions.State": "accepted", "ai_jobs.State": "succeeded", "link_previews.State": "fetched",
		"survey_questions.Kind": "scale", "meeting_notices.Kind": "invited", "idempotency_keys.Before": planTime.AddDate(0, 0, -1), "scheduled_runs.DueAt": today,

		"AdvanceBroadcast.ID": row("broadcasts", 4), "EndBroadcastDispatch.ID": row("broadcasts", 10), "LockBroadcastOfDispatch.DispatchID": row("broadcasts", 4), "ResendBroadcastIfRevision.ID": row("broadcasts", 0),
		"ListBroadcastsOfTeamsBefore.TeamIDs": []uuid.UUID{row("teams", 1), row("teams", 3)}, "RedeliverBroadcast.State": "failed", "RedeliverBroadcast.UserIDs": []uuid.UUID{row("users", 57)},
		"BeginMailIfState.State": "waiting", "EndMail.ID": row("mails", 4201), "PutBackMail.ID": row("mails", 4201),
		"ClaimOccurrenceReminder.Now": today.Add(47*time.Hour + 30*time.Minute), "ClaimSurveyQuestion.Now": today.AddDate(0, 0, 8), "ClaimSurveyQuestion.ID": row("meeting_occurrences", 11031),
		"CreateAnswers.Scale": int16(7), "DeleteAnswersOfKey.OccurrenceID": row("meeting_occurrences", 11043), "ListAnswersOfKey.OccurrenceID": row("meeting_occurrences", 11043),
		"DeleteOccurrences.IDs": []uuid.UUID{row("meeting_occurrences", 24712)}, "CreateMembership.UserID": row("users", 10001), "CreateMessage.Source": "rules", "suggestions.Source": "rules", "CreateOrganization.OrganizationID": fresh(4),
		"CreateSession.TokenHash": hashOf("new"), "CreateSessionOfMember.TokenHash": hashOf("new"), "CreateUser.Email": "new@example.com", "CreateFeedEntry.ID": row("audit_events", 121243),
		"GetLiveJob.ObjectiveID": row("objectives", 500), "RequeueExpiredJob.ID": row("ai_jobs", 200), "GetWebhookDeliveryForSending.ID": row("webhook_deliveries", 10), "NoteWebhookDelivery.ID": row("webhook_deliveries", 10),
		"ListFreshLinkPreviewHashes.UrlHashes": [][]byte{hashOf("https://example.com/38")}, "ListMailWishes.Kind": "objective.commented", "ListWebhooksForKind.Kind": "objective.edited",
		"ListMembersOfTeamsAfter.IDs": []uuid.UUID{the("teams"), row("teams", 707)}, "ListMilestoneSteps.KeyResultID": row("key_results", 128487), "ListNoticesForDigests.DigestKinds": []string{"objective.commented"},
		"ListOpenFollowUpsOfUserAfter.UserID": row("users", 4240), "ListOwedFollowUps.UserIDs": []uuid.UUID{row("users", 4240)}, "ListOwedReviews.UserIDs": []uuid.UUID{row("users", 243)},
		"RecordObjectiveChange.Revision": int64(5000), "RepairCurrentCheckIn.ReadCheckInID": the("check_ins"), "RetryQuarantinedEvents.IDs": []uuid.UUID{row("outbox_events", 10)}, "BeginRun.DueAt": planTime,
		"ListOwedReviews/administrator.UserIDs": []uuid.UUID{row("users", 99)}, "ScanObjectivesAfter/deep.FromID": row("objectives", 90000),
		"ListBroadcastAudienceAfter/teams.Audience": "teams", "ListBroadcastAudienceAfter/people.Audience": "people", "ListMembersAfter/deep.AfterID": row("users", 9000),
		"ListJobsOfStateBefore.State": "queued", "ListJobsBefore/deep.BeforeID": row("ai_jobs", 9000), "ListJobsOfStateBefore/deep.BeforeID": row("ai_jobs", 9000), "ListJobsOfStateBefore/deep.State": "succeeded",
		"ListAuditEventsBefore/deep.BeforeID": row("audit_events", 1000), "ListNotificationsBefore/administrator.SeesAll": true, "ListFeedBefore/team.TeamID": the("teams"), "ListVisibleObjectivesOfTeamInActiveCycles/administrator.SeesAll": true,
		"CompleteObjective.ID": row("objectives", 50242), "AnswerIdempotencyKey.Body": []byte("{}"), "SetSigningInUser.UserID": the("users").String(),
	}
	// Lists that any filter may come with: each with its own, from its own end.
	for _, list := range []string{"ScanObjectivesAfter", "ScanObjectivesBefore", "ScanObjectivesOfCycleAfter", "ScanObjectivesOfCycleBefore", "ScanObjectivesOfCycleByTitleAfter", "ScanObjectivesOfCycleByProgressAfter", "ScanObjectivesOfCycleByProgressBefore", "ScanObjectivesOfTeamAfter", "ScanObjectivesOfTeamBefore",
		"ScanObjectivesOfOwnerAfter", "ScanObjectivesOfOwnerBefore", "ScanRootsAfter"} {
		if strings.HasSuffix(list, "Before") {
			all[list+".FromID"] = uuid.Max
		}
		switch {
		case strings.Contains(list, "OfCycle"), strings.Contains(list, "Roots"):
			all[list+".CycleID"] = the("cycles")
			if list == "ScanRootsAfter" {
				all[list+".CycleID"] = row("cycles", 0)
			}
		case strings.Contains(list, "OfTeam"):
			all[list+".TeamID"] = the("teams")
		case strings.Contains(list, "OfOwner"):
			all[list+".OwnerID"] = the("users")
		}
	}
	return all
}

// fresh is an id that no row has.
func fresh(n int) uuid.UUID {
	return uuid.MustParse(fmt.Sprintf("f0000000-%04x-7000-8000-000000000000", n))
}

// fill gives a parameter, or each field of one that has fields, its value. What is not said is the zero of its type, ids aside.
func (a *arguments) fill(t *testing.T, into reflect.Value) {
	t.Helper()
	if a == nil {
		return
	}
	all := said()
	for field, value := range into.Fields() {
		found, known := all[a.variant+"."+field.Name]
		if !known {
			found, known = all[a.query+"."+field.Name]
		}
		if !known {
			found, known = all[a.table+"."+field.Name]
		}
		if !known && field.Name == "ID" {
			found, known = a.id(), true
		}
		if !known && field.Name == "IDs" {
			found, known = []uuid.UUID{a.id()}, true
		}
		if !known && strings.HasPrefix(field.Name, "Set") && value.Kind() == reflect.Bool {
			found, known = field.Name != "SetParent", true
		}
		if !known && (value.Kind() != reflect.Pointer || value.Type() == reflect.TypeFor[*time.Time]() && field.Name == "Now") {
			found, known = all[field.Name]
		}
		if !known {
			if value.Type() == reflect.TypeFor[uuid.UUID]() || value.Type() == reflect.TypeFor[[]uuid.UUID]() {
				t.Errorf("said() does not know what %s of %s is", field.Name, a.query)
			}
			continue
		}
		if !put(value, reflect.ValueOf(found)) {
			t.Errorf("%s of %s is no %T but a %s", field.Name, a.query, found, value.Type())
		}
	}
}

// put sets a value, behind a pointer or of a named type too.
func put(into, value reflect.Value) bool {
	switch {
	case value.Type().AssignableTo(into.Type()):
		into.Set(value)
	case into.Kind() == reflect.Pointer && value.Type().ConvertibleTo(into.Type().Elem()):
		behind := reflect.New(into.Type().Elem())
		behind.Elem().Set(value.Convert(into.Type().Elem()))
		into.Set(behind)
	case into.Kind() == value.Kind() && value.Type().ConvertibleTo(into.Type()):
		into.Set(value.Convert(into.Type()))
	default:
		return false
	}
	return true
}

// id is that of a new row for a query that makes one, and of the row that arguments are about otherwise.
func (a *arguments) id() uuid.UUID {
	if strings.HasPrefix(a.query, "Create") {
		return fresh(0)
	}
	return the(a.table)
}
