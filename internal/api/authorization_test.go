package api_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/okr"
)

// actors are the columns of the matrix below.
var actors = []struct {
	name string
	of   func(*bundle) *person
}{
	{"nobody", func(b *bundle) *person { return b.anonymous }},
	{"suspended", func(b *bundle) *person { return b.suspended }},
	{"removed session", func(b *bundle) *person { return b.removed }},
	{"owner of another organisation", func(b *bundle) *person { return b.elsewhere }},
	{"viewer", func(b *bundle) *person { return b.viewer }},
	{"member", func(b *bundle) *person { return b.member }},
	{"teammate", func(b *bundle) *person { return b.teammate }},
	{"author", func(b *bundle) *person { return b.author }},
	{"lead", func(b *bundle) *person { return b.lead }},
	{"admin", func(b *bundle) *person { return b.admin }},
	{"owner", func(b *bundle) *person { return b.owner }},
}

// matrix says what each actor is answered when they ask for what calls has them ask for: something of the author's, which its team, like everyone, sees.
var matrix = map[string][]int{
	//                     nobody susp. remov. other viewer memb. mate author lead admin owner
	"SignIn":               {201, 201, 201, 201, 201, 201, 201, 201, 201, 201, 201},
	"GetSession":           {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"SignOut":              {401, 401, 401, 204, 204, 204, 204, 204, 204, 204, 204},
	"ListSessions":         {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"RevokeSession":        {401, 401, 401, 404, 404, 404, 404, 204, 404, 404, 404},
	"ListMembers":          {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"GetMember":            {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"UpdateMember":         {401, 401, 401, 404, 403, 403, 403, 403, 403, 200, 200},
	"ListTeams":            {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"CreateTeam":           {401, 401, 401, 201, 403, 403, 403, 403, 403, 201, 201},
	"GetTeam":              {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"UpdateTeam":           {401, 401, 401, 404, 403, 403, 403, 403, 200, 200, 200},
	"ListTeamMembers":      {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"PutTeamMember":        {401, 401, 401, 404, 403, 403, 403, 403, 200, 200, 200},
	"RemoveTeamMember":     {401, 401, 401, 404, 403, 403, 403, 403, 204, 204, 204},
	"ListCycles":           {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"CreateCycle":          {401, 401, 401, 201, 403, 403, 403, 403, 403, 201, 201},
	"GetCycle":             {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"UpdateCycle":          {401, 401, 401, 404, 403, 403, 403, 403, 403, 200, 200},
	"ListObjectives":       {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"CreateObjective":      {401, 401, 401, 422, 403, 201, 201, 201, 201, 201, 201}, // another's cycle is a reference that leads nowhere
	"GetObjective":         {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"UpdateObjective":      {401, 401, 401, 404, 403, 403, 403, 200, 200, 200, 200},
	"MoveObjective":        {401, 401, 401, 404, 403, 403, 403, 200, 200, 200, 200},
	"ListObjectiveHistory": {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"ListComments":         {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"CreateComment":        {401, 401, 401, 404, 403, 201, 201, 201, 201, 201, 201},
	"ListCheckIns":         {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"CreateCheckIn":        {401, 401, 401, 404, 403, 403, 403, 201, 201, 201, 201},
	"ListDialogues":        {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"OpenDialogue":         {401, 401, 401, 404, 403, 201, 201, 201, 201, 201, 201},
	"GetDialogue":          {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"ListMessages":         {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"CreateMessage":        {401, 401, 401, 404, 403, 201, 201, 201, 201, 201, 201},
	"ListJobs":             {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"AskCoach":             {401, 401, 401, 404, 403, 403, 403, 202, 202, 202, 202},
	"ListSuggestions":      {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"GetJob":               {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"FollowJob":            {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"CancelJob":            {401, 401, 401, 404, 403, 403, 403, 200, 200, 200, 200},
	"GetSuggestion":        {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"AcceptSuggestion":     {401, 401, 401, 404, 403, 403, 403, 200, 200, 200, 200},
	"RejectSuggestion":     {401, 401, 401, 404, 403, 403, 403, 200, 200, 200, 200},
	"ListAuditEvents":      {401, 401, 401, 200, 403, 403, 403, 403, 403, 200, 200},
	"ReplaceOrganization":  {401, 401, 401, 422, 403, 403, 403, 403, 403, 403, 200}, // another's file is not for this organisation

	// Organization
	"GetOrganization":    {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"UpdateOrganization": {401, 401, 401, 200, 403, 403, 403, 403, 403, 200, 200}, // each their own
	"GetAIBudget":        {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},

	// Deliveries

	// Workflow
	"GetObjectiveRevision":    {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"RestoreObjectiveVersion": {401, 401, 401, 404, 403, 403, 403, 200, 200, 200, 200},
	"UpdateComment":           {401, 401, 401, 404, 403, 403, 403, 200, 403, 403, 403}, // one's own
	"DeleteComment":           {401, 401, 401, 404, 403, 403, 403, 204, 403, 204, 204},
	"ListObjectivesToScore":   {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"ScoreObjectives":         {401, 401, 401, 404, 403, 200, 200, 200, 200, 200, 200}, // each with its own result
	"CarryOver":               {401, 401, 401, 404, 403, 200, 200, 200, 200, 200, 200}, // each with its own result

	// Inbox
	"ListNotifications":          {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"GetNotificationSummary":     {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"MarkNotificationsRead":      {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"FollowNotifications":        {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"GetNotificationPreferences": {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"PutNotificationPreferences": {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"GetOwed":                    {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"ListFeed":                   {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},

	// Mail
	"GetMailSettings":    {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"UpdateMailSettings": {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200}, // one's own

	// Invitations
	"ListInvitations":  {401, 401, 401, 200, 403, 403, 403, 403, 403, 200, 200},
	"InviteMembers":    {401, 401, 401, 200, 403, 403, 403, 403, 403, 200, 200},
	"ResendInvitation": {401, 401, 401, 404, 403, 403, 403, 403, 403, 200, 200},
	"RevokeInvitation": {401, 401, 401, 404, 403, 403, 403, 403, 403, 200, 200},
	"LookUpInvitation": {200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200},
	"AcceptInvitation": {201, 201, 201, 201, 201, 201, 201, 201, 201, 201, 201},
	"GetAccount":       {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"UpdateAccount":    {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"ChangePassword":   {401, 401, 401, 409, 409, 409, 409, 409, 409, 409, 409}, // they have none

	// Jobs
	"ListOrganizationJobs": {401, 401, 401, 200, 403, 403, 403, 403, 403, 200, 200},

	// Identities of an account
	"GetIdentities":  {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"LinkIdentity":   {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"UnlinkIdentity": {401, 401, 401, 404, 404, 404, 404, 404, 404, 404, 404}, // it is a newcomer's
	"ConfirmSession": {401, 401, 401, 409, 409, 409, 409, 409, 409, 409, 409}, // they have no password

	// Tokens: the author's
	"ListTokens":  {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"CreateToken": {401, 401, 401, 201, 201, 201, 201, 201, 201, 201, 201},
	"RevokeToken": {401, 401, 401, 404, 404, 404, 404, 204, 404, 204, 204},

	// Broadcasts: those to the team, whom it has not reached where there is 404, and has where there is 403
	"ListBroadcasts":           {401, 401, 401, 200, 403, 403, 403, 403, 200, 200, 200},
	"CreateBroadcast":          {401, 401, 401, 201, 403, 403, 403, 403, 403, 201, 201}, // to everybody
	"GetBroadcast":             {401, 401, 401, 404, 404, 404, 404, 404, 200, 200, 200},
	"UpdateBroadcast":          {401, 401, 401, 404, 404, 404, 404, 404, 200, 200, 200},
	"PreviewBroadcastAudience": {401, 401, 401, 404, 404, 404, 404, 404, 200, 200, 200},
	"ScheduleBroadcast":        {401, 401, 401, 404, 404, 404, 404, 404, 200, 200, 200},
	"SendBroadcast":            {401, 401, 401, 404, 404, 404, 404, 404, 202, 202, 202},
	"CancelBroadcast":          {401, 401, 401, 404, 404, 404, 404, 404, 200, 200, 200},
	"ResendBroadcast":          {401, 401, 401, 404, 404, 404, 403, 403, 202, 202, 202},
	"GetBroadcastDelivery":     {401, 401, 401, 404, 404, 404, 404, 404, 200, 200, 200},
	"ListBroadcastDeliveries":  {401, 401, 401, 404, 404, 404, 404, 404, 200, 200, 200},

	// Webhooks
	"ListWebhooks":          {401, 401, 401, 200, 403, 403, 403, 403, 403, 200, 200},
	"CreateWebhook":         {401, 401, 401, 201, 403, 403, 403, 403, 403, 201, 201},
	"GetWebhook":            {401, 401, 401, 404, 403, 403, 403, 403, 403, 200, 200},
	"UpdateWebhook":         {401, 401, 401, 404, 403, 403, 403, 403, 403, 200, 200},
	"DeleteWebhook":         {401, 401, 401, 404, 403, 403, 403, 403, 403, 204, 204},
	"RotateWebhookSecret":   {401, 401, 401, 404, 403, 403, 403, 403, 403, 200, 200},
	"TestWebhook":           {401, 401, 401, 404, 403, 403, 403, 403, 403, 202, 202},
	"ListWebhookDeliveries": {401, 401, 401, 404, 403, 403, 403, 403, 403, 200, 200},
	"GetWebhookDelivery":    {401, 401, 401, 404, 403, 403, 403, 403, 403, 200, 200},
	"ResendWebhookDelivery": {401, 401, 401, 404, 403, 403, 403, 403, 403, 202, 202},

	// Exchange: a file that the member brought
	"ListImports":      {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"CreateImport":     {401, 401, 401, 201, 403, 201, 201, 201, 201, 201, 201},
	"GetImport":        {401, 401, 401, 404, 404, 200, 404, 404, 404, 200, 200},
	"FollowImport":     {401, 401, 401, 404, 404, 200, 404, 404, 404, 200, 200},
	"UpdateImport":     {401, 401, 401, 404, 404, 200, 404, 404, 404, 200, 200},
	"CheckImport":      {401, 401, 401, 404, 404, 202, 404, 404, 404, 202, 202},
	"RunImport":        {401, 401, 401, 404, 404, 202, 404, 404, 404, 202, 202},
	"CancelImport":     {401, 401, 401, 404, 404, 200, 404, 404, 404, 200, 200},
	"ListImportRows":   {401, 401, 401, 404, 404, 200, 404, 404, 404, 200, 200},
	"ExportObjectives": {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},

	// Pictures
	"GetSignInMethods": {200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200},
	"StartOIDC":        {303, 303, 303, 303, 303, 303, 303, 303, 303, 303, 303},
	"FinishOIDC":       {303, 303, 303, 303, 303, 303, 303, 303, 303, 303, 303},
	"GetMemberIcon":    {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"PutMemberIcon":    {401, 401, 401, 404, 403, 403, 403, 200, 403, 200, 200},
	"DeleteMemberIcon": {401, 401, 401, 404, 403, 403, 403, 403, 403, 204, 204},

	// Dashboard
	"GetDashboard":          {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"GetTeamOverview":       {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"GetCycleProgress":      {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"ListCycleTeams":        {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"ListMissingObjectives": {401, 401, 401, 404, 403, 403, 403, 403, 200, 200, 200},
	"ListMissingCheckIns":   {401, 401, 401, 404, 403, 403, 403, 403, 200, 200, 200},
	"GetObjectiveSeries":    {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},

	// Meetings
	"ListMeetings":            {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"CreateMeeting":           {401, 401, 401, 422, 403, 422, 201, 201, 201, 201, 201}, // of a team that one is in
	"GetMeeting":              {401, 401, 401, 404, 404, 404, 200, 200, 200, 200, 200},
	"UpdateMeeting":           {401, 401, 401, 404, 404, 404, 403, 200, 200, 200, 200},
	"CancelMeeting":           {401, 401, 401, 404, 404, 404, 403, 200, 200, 200, 200},
	"ListAttendees":           {401, 401, 401, 404, 404, 404, 200, 200, 200, 200, 200},
	"PutAttendee":             {401, 401, 401, 404, 404, 404, 403, 200, 200, 200, 200},
	"RemoveAttendee":          {401, 401, 401, 404, 404, 404, 204, 204, 204, 204, 204}, // the teammate goes by themself
	"RespondToMeeting":        {401, 401, 401, 404, 404, 404, 200, 200, 403, 403, 403}, // only two attend
	"GetMeetingCalendar":      {401, 401, 401, 404, 404, 404, 200, 200, 200, 200, 200},
	"ListOccurrences":         {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"GetOccurrence":           {401, 401, 401, 404, 404, 404, 200, 200, 200, 200, 200},
	"MoveOccurrence":          {401, 401, 401, 404, 404, 404, 403, 200, 200, 200, 200},
	"CancelOccurrence":        {401, 401, 401, 404, 404, 404, 403, 200, 200, 200, 200},
	"WriteMinutes":            {401, 401, 401, 404, 404, 404, 200, 200, 200, 200, 200},
	"GetOccurrenceKeyResults": {401, 401, 401, 404, 404, 404, 200, 200, 200, 200, 200},
	"GetSurvey":               {401, 401, 401, 404, 404, 404, 200, 200, 200, 200, 200},
	"AnswerSurvey":            {401, 401, 401, 404, 404, 404, 200, 200, 403, 403, 403},
	"CreateFollowUp":          {401, 401, 401, 404, 404, 404, 201, 201, 201, 201, 201},
	"ListFollowUps":           {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
	"GetFollowUp":             {401, 401, 401, 404, 404, 404, 200, 200, 200, 200, 200},
	"UpdateFollowUp":          {401, 401, 401, 404, 404, 404, 200, 200, 200, 200, 200},
	"OpenCalendarFeed":        {401, 401, 401, 201, 201, 201, 201, 201, 201, 201, 201},
	"CloseCalendarFeed":       {401, 401, 401, 204, 204, 204, 204, 204, 204, 204, 204},
	"GetCalendarFeed":         {200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200}, // whoever has the address

	// Alignment, Search
	"ListAlignmentRoots": {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"ListChildren":       {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"GetAlignmentPath":   {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"ListSupported":      {401, 401, 401, 404, 200, 200, 200, 200, 200, 200, 200},
	"SupportObjective":   {401, 401, 401, 404, 403, 403, 403, 204, 204, 204, 204},
	"StopSupporting":     {401, 401, 401, 404, 403, 403, 403, 204, 204, 204, 204},
	"Search":             {401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200},
}

// sees says whom visibility lets see the author's objective, beside the owner of another organisation, who never does.
var sees = map[okr.Visibility][]string{
	okr.VisibleToOrganization: {"viewer", "member", "teammate", "author", "lead", "admin", "owner"},
	okr.VisibleToTeam:         {"teammate", "author", "lead", "admin", "owner"},
	okr.VisiblePrivate:        {"author", "lead", "admin", "owner"},
}

// aimsAtObjective reports whether a parameter of the path leads to an objective, or to something about one.
func aimsAtObjective(p *openapi3.ParameterRef) bool {
	return p.Value.In == "path" && slices.Contains([]string{"objective_id", "key_result_id", "dialogue_id", "job_id", "suggestion_id", "comment_id"}, p.Value.Name)
}

func TestEveryOperationIsInTheMatrix(t *testing.T) {
	t.Parallel()
	described := operations()
	for name := range described {
		assert.Len(t, matrix[name], len(actors), "%s needs a row", name)
	}
	for name := range matrix {
		assert.Contains(t, described, name, "no longer in the description")
	}
}

func TestEveryOperationAnswersEveryActorAsTheMatrixSays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, wanted := range matrix {
		for i, actor := range actors {
			c := b.call(name, okr.VisibleToOrganization)
			a := c.send(actor.of(b).again())
			assert.Equal(t, wanted[i], a.status, "%s as %s: %s", name, actor.name, a.body)
			if a.status >= http.StatusBadRequest {
				a.problem()
			}
			if a.status == http.StatusNotFound {
				assertAsIfThereWereNone(t, c, actor.of(b), a)
			}
		}
	}
}

func TestWhatIsHiddenIsNotThereForAnyOperation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tested := 0
	for name, wanted := range matrix {
		o := operations()[name]
		if !slices.ContainsFunc(o.parameters, aimsAtObjective) {
			continue
		}
		tested++
		for _, v := range []okr.Visibility{okr.VisibleToTeam, okr.VisiblePrivate} {
			for i, actor := range actors {
				if actor.name == "nobody" || actor.name == "suspended" || actor.name == "removed session" {
					continue // they are refused before anything is looked for
				}
				want := wanted[i]
				if !slices.Contains(sees[v], actor.name) {
					want = http.StatusNotFound
				}
				c := b.call(name, v)
				a := c.send(actor.of(b))
				assert.Equal(t, want, a.status, "%s of what is visible to %s, as %s: %s", name, v, actor.name, a.body)
				if a.status == http.StatusNotFound {
					assertAsIfThereWereNone(t, c, actor.of(b), a)
				}
			}
		}
	}
	assert.Greater(t, tested, 20)
}

// assertAsIfThereWereNone compares an answer with that for ids that nobody has given out: nothing but the request's own id may differ.
func assertAsIfThereWereNone(t *testing.T, c call, p *person, a answer) {
	t.Helper()
	nothing := c.toNothing().send(p)
	require.Equal(t, http.StatusNotFound, nothing.status, "%s: %s", nothing.what, nothing.body)
	assert.JSONEq(t, withoutRequestID(t, nothing), withoutRequestID(t, a), a.what)
	for _, h := range []http.Header{a.header, nothing.header} {
		h.Del("X-Request-Id")
		h.Del("Date")
	}
	assert.Equal(t, nothing.header, a.header, a.what)
}

func withoutRequestID(t *testing.T, a answer) string {
	t.Helper()
	body := into[fields](a)
	delete(body, "request_id")
	encoded, err := json.Marshal(body)
	require.NoError(t, err)
	return string(encoded)
}

func TestListsShowOnlyWhatIsVisible(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ids := map[okr.Visibility]string{}
	for v := range sees {
		ids[v] = b.author.draft(fields{"visibility": v}).ID.String()
	}
	filters := map[string]string{
		"all":       "",
		"the cycle": "?cycle_id=" + b.cycle.String(),
		"the team":  "?team_id=" + b.team.String(),
		"the owner": "?owner_id=" + b.author.id.String(),
		"a state":   "?state=draft",
	}
	for _, actor := range actors[3:] {
		var want []string
		for v, actors := range sees {
			if slices.Contains(actors, actor.name) {
				want = append(want, ids[v])
			}
		}
		for what, filter := range filters {
			var got []string
			for _, o := range get[api.ObjectivePage](actor.of(b), "/objectives"+filter).Items {
				got = append(got, o.ID.String())
			}
			assert.ElementsMatch(t, want, got, "%s, as %s", what, actor.name)
		}
	}
}
