package api_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/okr"
)

// operation is one of the description's.
type operation struct {
	method, path string // as in the description, with {names}
	spec         *openapi3.Operation
	parameters   openapi3.Parameters // of the operation and of its path
}

func (o operation) unsafe() bool { return o.method != http.MethodGet }

// takes reports whether the operation has a header parameter.
func (o operation) takes(header string) bool {
	return slices.ContainsFunc(o.parameters, func(p *openapi3.ParameterRef) bool { return p.Value.In == "header" && p.Value.Name == header })
}

// body is the schema of what the operation takes; nil for nothing, and for what is no JSON.
func (o operation) body() *openapi3.Schema {
	if o.spec.RequestBody == nil {
		return nil
	}
	media := o.spec.RequestBody.Value.Content["application/json"]
	if media == nil {
		return nil
	}
	return media.Schema.Value
}

// maxBody is the most bytes that the operation takes.
func (o operation) maxBody() int {
	if limit, ok := o.spec.Extensions["x-streamed-body"].(float64); ok {
		return int(limit)
	}
	return 1 << 20
}

// operations are those of the description that is served, by their ids.
var operations = sync.OnceValue(func() map[string]operation {
	document, err := openapi3.NewLoader().LoadFromData(api.Description)
	if err != nil {
		panic(err) // the server would not start either
	}
	all := map[string]operation{}
	for path, item := range document.Paths.Map() {
		for method, spec := range item.Operations() {
			all[spec.OperationID] = operation{method, path, spec, append(slices.Clone(spec.Parameters), item.Parameters...)}
		}
	}
	return all
})

// call is a request to an operation that is in order: parameters of the path, a body, and somebody who may.
type call struct {
	operation
	parameters fields
	payload    fields
	file       []byte // what is sent where that is no JSON
	query      string
	headers    []header
	by         *person
}

// url puts the parameters into the path.
func (c call) url() string {
	path := c.path
	for name, v := range c.parameters {
		path = strings.ReplaceAll(path, "{"+name+"}", text(v))
	}
	return path
}

func text(v any) string {
	if id, ok := v.(uuid.UUID); ok {
		return id.String()
	}
	return v.(string)
}

func (c call) send(p *person, headers ...header) answer {
	p.t.Helper()
	url := c.url()
	if c.query != "" {
		url += "?" + c.query
	}
	own := slices.DeleteFunc(slices.Clone(c.headers), func(h header) bool {
		return slices.ContainsFunc(headers, func(other header) bool { return other.name == h.name })
	})
	return p.send(c.method, url, bodyOf(c), slices.Concat(own, headers)...)
}

// toNothing is the same request to things that do not exist.
func (c call) toNothing() call {
	there := fields{}
	for name, v := range c.parameters {
		there[name] = v
		if _, ok := v.(uuid.UUID); ok {
			there[name] = db.NewID()
		}
	}
	c.parameters = there
	return c
}

// calls makes, for each operation, a request aimed at things that are made for it alone, so that no two get in each other's way. Objectives are
// the author's, in the team, with the given visibility.
var calls = map[string]func(b *bundle, v okr.Visibility) call{
	"SignIn": func(b *bundle, _ okr.Visibility) call {
		b.exec("UPDATE users SET password_hash = $2 WHERE id = $1", b.author.id, hashOfPassword())
		return call{payload: fields{"email": b.author.email, "password": password}, by: b.anonymous}
	},
	"GetSession":   func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"SignOut":      func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer.again()} },
	"ListSessions": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"RevokeSession": func(b *bundle, _ okr.Visibility) call {
		_, id := b.session(b.id, b.author.id)
		return call{parameters: fields{"session_id": id}, by: b.author}
	},

	"ListMembers": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"GetMember": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"member_id": b.author.id}, by: b.viewer}
	},
	"UpdateMember": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"member_id": b.joins(b.id, "newcomer", auth.Member).id}, payload: fields{"revision": 1, "role": "viewer"}, by: b.admin}
	},

	"ListTeams": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"CreateTeam": func(b *bundle, _ okr.Visibility) call {
		return call{payload: fields{"name": "Team " + uuid.NewString(), "description": "何でもやる"}, by: b.admin}
	},
	"GetTeam": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"team_id": b.team}, by: b.viewer}
	},
	"UpdateTeam": func(b *bundle, _ okr.Visibility) call {
		team := b.newTeam(uuid.NewString())
		b.place(team, b.lead, auth.TeamLead)
		return call{parameters: fields{"team_id": team}, payload: fields{"revision": 1, "description": "変わった"}, by: b.lead}
	},
	"ListTeamMembers": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"team_id": b.team}, by: b.viewer}
	},
	"PutTeamMember": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"team_id": b.team, "member_id": b.joins(b.id, "newcomer", auth.Member).id}, payload: fields{"role": "member"}, by: b.lead}
	},
	"RemoveTeamMember": func(b *bundle, _ okr.Visibility) call {
		leaver := b.joins(b.id, "leaver", auth.Member)
		b.place(b.team, leaver, auth.TeamMember)
		return call{parameters: fields{"team_id": b.team, "member_id": leaver.id}, by: b.lead}
	},

	"ListCycles": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"CreateCycle": func(b *bundle, _ okr.Visibility) call {
		return call{payload: fields{"name": "2028 Q1", "starts_on": "2028-01-01", "ends_on": "2028-03-31"}, by: b.admin}
	},
	"GetCycle": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"cycle_id": b.cycle}, by: b.viewer}
	},
	"UpdateCycle": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"cycle_id": b.newCycle("preparation", 1, 90)}, payload: fields{"revision": 1, "state": "active"}, by: b.admin}
	},

	"ListObjectives": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"CreateObjective": func(b *bundle, _ okr.Visibility) call {
		return call{payload: fields{"cycle_id": b.cycle, "title": "最初に答える", "key_results": []fields{metric("NPS"), threshold("稼働率"), milestone("移行", "設計", "実施")}}, by: b.member}
	},
	"GetObjective": aboutObjective(func(b *bundle, o api.Objective) call { return call{} }),
	"UpdateObjective": aboutObjective(func(b *bundle, o api.Objective) call {
		return call{payload: fields{"revision": o.Revision, "title": "新しい題", "key_results": []fields{with(metric("NPS"), "id", o.KeyResults[0].ID)}}}
	}),
	"MoveObjective": aboutObjective(func(b *bundle, o api.Objective) call {
		return call{parameters: fields{"action": "archive"}, payload: fields{"revision": o.Revision, "note": "今期は見送る"}}
	}),
	"ListObjectiveHistory": aboutObjective(func(b *bundle, o api.Objective) call { return call{} }),
	"ListComments":         aboutObjective(func(b *bundle, o api.Objective) call { return call{} }),
	"CreateComment": aboutObjective(func(b *bundle, o api.Objective) call {
		return call{payload: fields{"body": "今週は改善が見えてきました。"}}
	}),

	"ListCheckIns": aboutObjective(func(b *bundle, o api.Objective) call {
		return call{parameters: fields{"key_result_id": o.KeyResults[0].ID}}
	}),
	"CreateCheckIn": aboutObjective(func(b *bundle, o api.Objective) call {
		b.put(o.ID, "approved")
		return call{parameters: fields{"key_result_id": o.KeyResults[0].ID}, payload: fields{"value": "45.5", "confidence": 7, "note": "順調"}}
	}),

	"ListDialogues": aboutObjective(func(b *bundle, o api.Objective) call { return call{} }),
	"OpenDialogue":  aboutObjective(func(b *bundle, o api.Objective) call { return call{payload: fields{"title": "指標を考える"}} }),
	"GetDialogue":   aboutDialogue(func(b *bundle, _ api.Objective, _ uuid.UUID) call { return call{} }),
	"ListMessages":  aboutDialogue(func(b *bundle, _ api.Objective, _ uuid.UUID) call { return call{} }),
	"CreateMessage": aboutDialogue(func(b *bundle, _ api.Objective, _ uuid.UUID) call {
		return call{payload: fields{"body": "解約率を5%から3%に下げたい。"}}
	}),
	"ListJobs": aboutDialogue(func(b *bundle, _ api.Objective, _ uuid.UUID) call { return call{} }),
	"AskCoach": aboutDialogue(func(b *bundle, _ api.Objective, _ uuid.UUID) call {
		return call{payload: fields{"kind": "draft", "message": "下書きをください。"}}
	}),
	"ListSuggestions": aboutDialogue(func(b *bundle, _ api.Objective, _ uuid.UUID) call { return call{} }),
	"GetJob": aboutDialogue(func(b *bundle, _ api.Objective, dialogue uuid.UUID) call {
		return call{parameters: fields{"job_id": b.author.job(dialogue).ID}}
	}),
	"FollowJob": aboutDialogue(func(b *bundle, _ api.Objective, dialogue uuid.UUID) call {
		job := b.author.job(dialogue)
		b.author.send(http.MethodPost, "/jobs/"+job.ID.String()+"/cancel", nil).is(http.StatusOK) // so that the stream ends
		return call{parameters: fields{"job_id": job.ID}}
	}),
	"CancelJob": aboutDialogue(func(b *bundle, _ api.Objective, dialogue uuid.UUID) call {
		return call{parameters: fields{"job_id": b.author.job(dialogue).ID}}
	}),
	"GetSuggestion": aboutDialogue(func(b *bundle, o api.Objective, dialogue uuid.UUID) call {
		return call{parameters: fields{"suggestion_id": b.suggest(o.ID, dialogue, retitle("提案"))}}
	}),
	"AcceptSuggestion": aboutDialogue(func(b *bundle, o api.Objective, dialogue uuid.UUID) call {
		return call{parameters: fields{"suggestion_id": b.suggest(o.ID, dialogue, retitle("提案"))}, payload: fields{"note": "よい案"}}
	}),
	"RejectSuggestion": aboutDialogue(func(b *bundle, o api.Objective, dialogue uuid.UUID) call {
		return call{parameters: fields{"suggestion_id": b.suggest(o.ID, dialogue, retitle("提案"))}, payload: fields{"note": "目標値が高すぎる"}}
	}),

	"ListAuditEvents": func(b *bundle, _ okr.Visibility) call { return call{by: b.admin} },

	"ReplaceOrganization": func(b *bundle, _ okr.Visibility) call {
		file := b.file(b.id)
		file["organization"].(fields)["name"] = "Organisation " + uuid.NewString()
		return call{payload: file, by: b.owner}
	},

	// Dashboard
	"GetDashboard": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"GetTeamOverview": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"team_id": b.team}, by: b.viewer}
	},
	"GetCycleProgress": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"cycle_id": b.cycle}, by: b.viewer}
	},
	"ListMissingObjectives": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"cycle_id": b.cycle}, by: b.lead}
	},
	"ListMissingCheckIns": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"cycle_id": b.cycle}, by: b.lead}
	},
	"ListCycleTeams": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"cycle_id": b.cycle}, by: b.viewer}
	},
	"GetObjectiveSeries": aboutObjective(func(b *bundle, o api.Objective) call { return call{} }),

	// Deliveries

	// Workflow
	"GetObjectiveRevision": aboutObjective(func(*bundle, api.Objective) call { return call{parameters: fields{"revision": "1"}} }),
	"RestoreObjectiveVersion": aboutObjective(func(b *bundle, o api.Objective) call {
		b.author.send(http.MethodPatch, objective(o.ID), fields{"revision": 1, "title": "別の題"}).is(http.StatusOK)
		return call{payload: fields{"revision": 2, "restore_revision": 1, "note": "やはり前の題に"}}
	}),
	"UpdateComment": aboutComment(fields{"revision": 1, "body": "今週は改善がはっきり見えてきました。"}),
	"DeleteComment": aboutComment(nil),
	"ListObjectivesToScore": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"cycle_id": b.cycle}, by: b.viewer}
	},
	"ScoreObjectives": func(b *bundle, v okr.Visibility) call {
		o := b.author.approved(fields{"visibility": v})
		return call{parameters: fields{"cycle_id": b.cycle}, payload: fields{"items": []fields{{"objective_id": o.ID, "revision": o.Revision, "score": "0.5", "note": "半分"}}}, by: b.author}
	},
	"CarryOver": func(b *bundle, v okr.Visibility) call {
		o := b.author.approved(fields{"visibility": v})
		return call{parameters: fields{"cycle_id": b.cycle}, payload: fields{"target_cycle_id": b.newCycle("preparation", 61, 150), "dry_run": false, "scope": "selection", "objective_ids": []any{o.ID}}, by: b.author}
	},

	// Inbox
	"ListNotifications":      func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"GetNotificationSummary": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"MarkNotificationsRead": func(b *bundle, _ okr.Visibility) call {
		n := b.notice(b.author)
		return call{payload: fields{"items": []fields{{"id": n, "latest_id": n}}}, by: b.author}
	},
	"FollowNotifications":        func(b *bundle, _ okr.Visibility) call { return call{query: "seconds=0", by: b.viewer} },
	"GetNotificationPreferences": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"PutNotificationPreferences": func(b *bundle, _ okr.Visibility) call {
		return call{payload: fields{"items": []fields{{"kind": "commented", "inbox": true, "mail": "immediate"}}}, by: b.viewer}
	},
	"GetOwed":  func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"ListFeed": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },

	// Mail
	"GetMailSettings": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"UpdateMailSettings": func(b *bundle, _ okr.Visibility) call {
		return call{payload: fields{"digest": "weekly", "subscribed": false}, by: b.viewer}
	},

	// Broadcasts
	"ListBroadcasts": func(b *bundle, _ okr.Visibility) call { return call{by: b.lead} },
	"CreateBroadcast": func(b *bundle, _ okr.Visibility) call {
		return call{payload: with(b.toTeam(), "audience", fields{"kind": "organization"}), by: b.admin}
	},
	"GetBroadcast": aboutBroadcast(func(*bundle, api.Broadcast) call { return call{} }),
	"UpdateBroadcast": aboutBroadcast(func(_ *bundle, draft api.Broadcast) call {
		return call{payload: fields{"revision": draft.Revision, "title": "来期のOKRづくりについて"}}
	}),
	"PreviewBroadcastAudience": aboutBroadcast(func(*bundle, api.Broadcast) call { return call{} }),
	"ScheduleBroadcast": aboutBroadcast(func(_ *bundle, draft api.Broadcast) call {
		return call{payload: fields{"revision": draft.Revision, "scheduled_at": time.Now().Add(time.Hour).Format(time.RFC3339)}}
	}),
	"SendBroadcast":   aboutBroadcast(func(_ *bundle, draft api.Broadcast) call { return call{payload: fields{"revision": draft.Revision}} }),
	"CancelBroadcast": aboutBroadcast(func(_ *bundle, draft api.Broadcast) call { return call{payload: fields{"revision": draft.Revision}} }),
	"ResendBroadcast": func(b *bundle, _ okr.Visibility) call {
		sent := b.lead.sent()
		b.report(sent.ID, b.author.id, "failed")
		return call{parameters: fields{"broadcast_id": sent.ID}, payload: fields{"revision": sent.Revision}, by: b.lead}
	},
	"GetBroadcastDelivery":    aboutBroadcast(func(*bundle, api.Broadcast) call { return call{} }),
	"ListBroadcastDeliveries": aboutBroadcast(func(*bundle, api.Broadcast) call { return call{} }),

	// Organization
	"GetOrganization": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"UpdateOrganization": func(b *bundle, _ okr.Visibility) call {
		b.exec("UPDATE organizations SET revision = 1") // each request is made from the first
		return call{payload: fields{"revision": 1, "name": "別の名前"}, by: b.admin}
	},
	"GetAIBudget": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },

	// Invitations
	"ListInvitations": func(b *bundle, _ okr.Visibility) call { return call{by: b.admin} },
	"InviteMembers": func(b *bundle, _ okr.Visibility) call {
		return call{payload: fields{"invitations": []fields{{"email": uuid.NewString() + "@example.com", "role": "viewer"}}}, by: b.admin}
	},
	"ResendInvitation": func(b *bundle, _ okr.Visibility) call {
		id, _ := b.invited(b.admin, uuid.NewString()+"@example.com")
		b.exec("UPDATE invitations SET sent_at = sent_at - interval '2 minutes' WHERE id = $1", id)
		return call{parameters: fields{"invitation_id": id}, by: b.admin}
	},
	"RevokeInvitation": func(b *bundle, _ okr.Visibility) call {
		id, _ := b.invited(b.admin, uuid.NewString()+"@example.com")
		return call{parameters: fields{"invitation_id": id}, by: b.admin}
	},
	"LookUpInvitation": func(b *bundle, _ okr.Visibility) call {
		_, token := b.invited(b.admin, uuid.NewString()+"@example.com")
		return call{payload: fields{"token": token}, by: b.anonymous}
	},
	"AcceptInvitation": func(b *bundle, _ okr.Visibility) call {
		_, token := b.invited(b.admin, uuid.NewString()+"@example.com")
		return call{payload: fields{"token": token, "name": "佐藤 葵", "password": password}, by: b.anonymous}
	},
	"GetAccount": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"UpdateAccount": func(b *bundle, _ okr.Visibility) call {
		return call{payload: fields{"name": "佐藤 葵"}, by: b.viewer}
	},
	"ChangePassword": func(b *bundle, _ okr.Visibility) call {
		newcomer := b.joins(b.id, "newcomer", auth.Member)
		b.exec("UPDATE users SET password_hash = $2 WHERE id = $1", newcomer.id, hashOfPassword())
		b.exec("UPDATE users SET password_hash = NULL WHERE id = $1", b.author.id) // which signing in has given them
		return call{payload: fields{"present_password": password, "new_password": newPassword}, by: newcomer}
	},

	// Jobs
	"ListOrganizationJobs": func(b *bundle, _ okr.Visibility) call { return call{by: b.admin} },

	// Identities of an account
	"GetIdentities": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"LinkIdentity": func(b *bundle, _ okr.Visibility) call {
		b.exec("DELETE FROM identities") // which signing in has given them
		return call{by: b.viewer}
	},
	"UnlinkIdentity": func(b *bundle, _ okr.Visibility) call {
		id, newcomer := uuid.New(), b.joins(b.id, "newcomer", auth.Member) // whose other sessions end with it
		b.exec("INSERT INTO identities (issuer, subject, user_id, id) VALUES ($1, 'aoi', $2, $3)", "https://former.example.com/"+id.String(), newcomer.id, id)
		return call{parameters: fields{"identity_id": id}, by: newcomer}
	},
	"ConfirmSession": func(b *bundle, _ okr.Visibility) call {
		newcomer := b.joins(b.id, "newcomer", auth.Member)
		b.exec("UPDATE users SET password_hash = $2 WHERE id = $1", newcomer.id, hashOfPassword())
		b.exec("UPDATE users SET password_hash = NULL WHERE id = $1", b.author.id)
		return call{payload: fields{"present_password": password}, by: newcomer}
	},

	// Tokens
	"ListTokens": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"CreateToken": func(b *bundle, _ okr.Visibility) call {
		b.exec("DELETE FROM sessions WHERE token_name IS NOT NULL") // there is room for so many
		return call{payload: fields{"name": "夜間の集計", "scope": "read"}, by: b.author}
	},
	"RevokeToken": func(b *bundle, _ okr.Visibility) call {
		b.exec("DELETE FROM sessions WHERE token_name IS NOT NULL")
		_, made := b.author.makesToken("write")
		return call{parameters: fields{"token_id": made.ID}, by: b.author}
	},

	// Webhooks
	"ListWebhooks": func(b *bundle, _ okr.Visibility) call { return call{by: b.admin} },
	"CreateWebhook": func(b *bundle, _ okr.Visibility) call {
		b.exec("DELETE FROM webhooks WHERE organization_id IN ($1, $2)", b.id, b.otherOrganization) // there is room for so many
		return call{payload: fields{"url": "https://hooks.example.com/kakeai", "kinds": []string{"objective.approved", "team."}}, by: b.admin}
	},
	"GetWebhook": aboutWebhook(func(*bundle, api.Webhook) call { return call{} }),
	"UpdateWebhook": aboutWebhook(func(_ *bundle, w api.Webhook) call {
		return call{payload: fields{"revision": w.Revision, "kinds": []string{"*"}}}
	}),
	"DeleteWebhook":         aboutWebhook(func(*bundle, api.Webhook) call { return call{} }),
	"RotateWebhookSecret":   aboutWebhook(func(_ *bundle, w api.Webhook) call { return call{payload: fields{"revision": w.Revision}} }),
	"TestWebhook":           aboutWebhook(func(*bundle, api.Webhook) call { return call{} }),
	"ListWebhookDeliveries": aboutWebhook(func(*bundle, api.Webhook) call { return call{} }),
	"GetWebhookDelivery": aboutWebhook(func(b *bundle, w api.Webhook) call {
		return call{parameters: fields{"delivery_id": b.admin.tried(w.ID, "waiting").ID}}
	}),
	"ResendWebhookDelivery": aboutWebhook(func(b *bundle, w api.Webhook) call {
		return call{parameters: fields{"delivery_id": b.admin.tried(w.ID, "failed").ID}}
	}),

	// Exchange
	"ListImports": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },
	"CreateImport": func(b *bundle, _ okr.Visibility) call {
		return call{file: []byte(smallFile), headers: []header{csvType()}, query: "file_name=okr.csv", by: b.member}
	},
	"GetImport":    aboutImport(func(*bundle, api.Import) call { return call{} }),
	"FollowImport": aboutImport(func(*bundle, api.Import) call { return call{} }),
	"UpdateImport": aboutImport(func(_ *bundle, i api.Import) call {
		return call{payload: fields{"revision": i.Revision, "date_order": "dmy"}}
	}),
	"CheckImport": aboutImport(func(_ *bundle, i api.Import) call { return call{payload: fields{"revision": i.Revision}} }),
	"RunImport":   aboutImport(func(_ *bundle, i api.Import) call { return call{payload: fields{"revision": i.Revision}} }),
	"CancelImport": aboutImport(func(b *bundle, i api.Import) call {
		b.member.send(http.MethodPost, importPath(i.ID)+"/run", fields{"revision": i.Revision}).is(http.StatusAccepted)
		return call{}
	}),
	"ListImportRows":   aboutImport(func(*bundle, api.Import) call { return call{} }),
	"ExportObjectives": func(b *bundle, _ okr.Visibility) call { return call{by: b.viewer} },

	// Pictures
	"GetSignInMethods": func(b *bundle, _ okr.Visibility) call { return call{by: b.anonymous} },
	"StartOIDC": func(b *bundle, _ okr.Visibility) call {
		return call{query: "return_to=%2Finbox&organization_id=" + b.id.String(), by: b.anonymous}
	},
	"FinishOIDC": func(b *bundle, _ okr.Visibility) call {
		query, attempt := b.atCallback(b.author.claims())
		return call{query: query, headers: []header{attempt}, by: b.anonymous}
	},
	"GetMemberIcon": func(b *bundle, _ okr.Visibility) call {
		b.author.hasIcon(red)
		return call{parameters: fields{"member_id": b.author.id}, by: b.viewer}
	},
	"PutMemberIcon": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"member_id": b.author.id}, file: pictureFile(blue), headers: []header{{"Content-Type", "image/png"}}, by: b.author}
	},
	"DeleteMemberIcon": func(b *bundle, _ okr.Visibility) call {
		newcomer := b.joins(b.id, "newcomer", auth.Member)
		newcomer.hasIcon(red)
		return call{parameters: fields{"member_id": newcomer.id}, by: b.admin}
	},

	// Alignment, Search
	"ListAlignmentRoots": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"cycle_id": b.cycle}, by: b.viewer}
	},
	"ListChildren":     aboutObjective(func(b *bundle, o api.Objective) call { return call{} }),
	"GetAlignmentPath": aboutObjective(func(b *bundle, o api.Objective) call { return call{} }),
	"ListSupported":    aboutObjective(func(b *bundle, o api.Objective) call { return call{} }),
	"SupportObjective": aboutObjective(func(b *bundle, o api.Objective) call {
		return call{parameters: fields{"supported_id": b.author.leaf().ID}}
	}),
	"StopSupporting": aboutObjective(func(b *bundle, o api.Objective) call {
		other := b.author.leaf().ID
		b.author.send(http.MethodPut, supports(o.ID, other), nil).is(http.StatusNoContent)
		return call{parameters: fields{"supported_id": other}}
	}),
	"Search": func(b *bundle, _ okr.Visibility) call { return call{query: "q=お客さま", by: b.viewer} },

	// Meetings
	"ListMeetings": func(b *bundle, _ okr.Visibility) call { return call{by: b.teammate} },
	"CreateMeeting": func(b *bundle, _ okr.Visibility) call {
		return call{payload: b.meetingPayload(), by: b.author}
	},
	"GetMeeting":    aboutMeeting(nil),
	"UpdateMeeting": aboutMeeting(fields{"revision": 1, "title": "隔週チェックイン", "agenda": []fields{{"title": "ふりかえり", "minutes": 5}}, "materials": []fields{{"url": "https://example.com/b", "title": "B"}}}),
	"CancelMeeting": aboutMeeting(fields{"revision": 1}),
	"ListAttendees": aboutMeeting(nil),
	"PutAttendee": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"meeting_id": b.author.meeting().ID, "member_id": b.member.id}, by: b.author}
	},
	"RemoveAttendee": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"meeting_id": b.author.meeting().ID, "member_id": b.teammate.id}, by: b.author}
	},
	"RespondToMeeting":        aboutMeeting(fields{"response": "accepted"}),
	"GetMeetingCalendar":      aboutMeeting(nil),
	"ListOccurrences":         func(b *bundle, _ okr.Visibility) call { return call{by: b.teammate} },
	"GetOccurrence":           aboutOccurrence(nil),
	"MoveOccurrence":          aboutOccurrence(fields{"revision": 1, "starts_at_local": inDays(3) + "T15:00", "duration_minutes": 30}),
	"CancelOccurrence":        aboutOccurrence(fields{"revision": 1}),
	"WriteMinutes":            aboutOccurrence(fields{"revision": 1, "minutes": "NPS は 42。", "decisions": []string{"続ける"}}),
	"GetOccurrenceKeyResults": aboutOccurrence(nil),
	"GetSurvey":               aboutOccurrence(nil),
	"AnswerSurvey": func(b *bundle, _ okr.Visibility) call {
		m := b.author.meeting()
		return call{parameters: fields{"occurrence_id": m.Next.ID}, payload: fields{"answers": []fields{{"question_id": m.Survey.Questions[0].ID, "scale": 7}}}, by: b.author}
	},
	"CreateFollowUp": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"occurrence_id": b.author.meeting().Next.ID}, payload: fields{"title": "アンケートを作り直す", "assignee_id": b.teammate.id, "due_on": "2027-01-31"}, by: b.author}
	},
	"ListFollowUps": func(b *bundle, _ okr.Visibility) call { return call{by: b.teammate} },
	"GetFollowUp": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"follow_up_id": b.author.followUp(b.author).ID}, by: b.author}
	},
	"UpdateFollowUp": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"follow_up_id": b.author.followUp(b.author).ID}, payload: fields{"revision": 1, "title": "別のもの", "due_on": "2027-02-01", "done": true}, by: b.author}
	},
	"OpenCalendarFeed":  func(b *bundle, _ okr.Visibility) call { return call{by: b.author} },
	"CloseCalendarFeed": func(b *bundle, _ okr.Visibility) call { return call{by: b.author} },
	"GetCalendarFeed": func(b *bundle, _ okr.Visibility) call {
		return call{parameters: fields{"feed": b.author.feed()}, by: b.anonymous}
	},
}

func aboutObjective(aim func(*bundle, api.Objective) call) func(*bundle, okr.Visibility) call {
	return func(b *bundle, v okr.Visibility) call {
		o := b.author.draft(fields{"visibility": v})
		return aimed(aim(b, o), b.author, fields{"objective_id": o.ID})
	}
}

func aboutDialogue(aim func(*bundle, api.Objective, uuid.UUID) call) func(*bundle, okr.Visibility) call {
	return func(b *bundle, v okr.Visibility) call {
		o := b.author.draft(fields{"visibility": v})
		dialogue := b.author.dialogue(o.ID)
		return aimed(aim(b, o, dialogue), b.author, fields{"objective_id": o.ID, "dialogue_id": dialogue})
	}
}

func aimed(c call, by *person, parameters fields) call {
	for name, v := range c.parameters {
		parameters[name] = v
	}
	c.parameters, c.by = parameters, by
	return c
}

// with is f with one more field.
func with(f fields, name string, v any) fields {
	g := fields{name: v}
	for n, was := range f {
		if n != name {
			g[n] = was
		}
	}
	return g
}

// call makes a request to an operation.
func (b *bundle) call(name string, v okr.Visibility) call {
	b.t.Helper()
	c := calls[name](b, v)
	c.operation = operations()[name]
	return c
}

// names are the operations that suit, in one order.
func names(suits func(operation) bool) []string {
	var all []string
	for name, o := range operations() {
		if suits(o) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

func TestEveryOperationHasACall(t *testing.T) {
	t.Parallel()
	for name := range operations() {
		assert.Contains(t, calls, name)
	}
	for name := range calls {
		assert.Contains(t, operations(), name, "no longer in the description")
	}
}

func TestEveryCallIsInOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name := range calls {
		c := b.call(name, okr.VisibleToOrganization)
		a := c.send(c.by)
		assert.Contains(t, c.spec.Responses.Map(), strconv.Itoa(a.status), "%s: %s", name, a.body)
		assert.Less(t, a.status, 400, "%s: %s", name, a.body)
		assert.NotEmpty(t, a.header.Get("X-Request-Id"), name)
		if name == "GetMemberIcon" { // the one answer that clients may keep
			assert.Equal(t, "private, no-cache", a.header.Get("Cache-Control"), name)
			continue
		}
		assert.Equal(t, "no-store", a.header.Get("Cache-Control"), name)
	}
}
