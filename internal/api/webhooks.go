package api

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/kakeai/kakeai/internal/db"
	"github.com/kakeai/kakeai/internal/outbox"
	"github.com/kakeai/kakeai/internal/webhook"
)

func webhookView(w db.Webhook, names map[uuid.UUID]string, now time.Time) Webhook {
	view := Webhook{ID: w.ID, URL: w.Url, Kinds: w.Kinds, Enabled: w.Enabled, Failures: int(w.Failures), Revision: w.Revision,
		CreatedAt: w.CreatedAt, ChangedAt: w.ChangedAt, ChangedBy: person(w.ChangedBy, names)}
	if w.DisabledBecause != nil {
		because := WebhookDisabledBecause(*w.DisabledBecause)
		view.DisabledBecause = &because
	}
	if w.PreviousUntil != nil && now.Before(*w.PreviousUntil) {
		view.PreviousSecretUntil = w.PreviousUntil
	}
	return view
}

func viewWebhook(ctx context.Context, q *db.Queries, a actor, w db.Webhook) (Webhook, error) {
	names, err := namesOf(ctx, q, a, w.ChangedBy)
	return webhookView(w, names, a.Now), err
}

// webhookOf reads a webhook for whoever administers the organisation. Others are refused before anything is looked for.
func webhookOf(ctx context.Context, q *db.Queries, a actor, id uuid.UUID) (db.Webhook, error) {
	if !a.administers() {
		return db.Webhook{}, errNotAllowed
	}
	return q.GetWebhook(ctx, db.GetWebhookParams{OrganizationID: a.OrganizationID, ID: id})
}

// checkWebhook refuses an address or kinds that nothing could come of; nil is not looked at.
func (s *Server) checkWebhook(address *string, kinds *[]string) error {
	var refused []FieldProblem
	if address != nil {
		if err := webhook.CheckURL(*address, s.options.InsecureWebhooks); err != nil {
			refused = append(refused, FieldProblem{Pointer: "/url", Code: "url", Detail: sentence(err.Error())})
		}
	}
	if kinds != nil {
		for i, kind := range *kinds {
			if !webhook.CanWant(kind) {
				refused = append(refused, FieldProblem{Pointer: fmt.Sprintf("/kinds/%d", i), Code: "not-a-choice", Detail: "There are no events of this kind."})
			}
		}
	}
	if len(refused) > 0 {
		return invalid(refused...)
	}
	return nil
}

// hostOf is what the audit keeps of an address, whose path and query may be secrets.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

func recordWebhook(ctx context.Context, q *db.Queries, a actor, action string, w db.Webhook, detail any) error {
	return record(ctx, q, a, event{action: action, targetKind: "webhook", target: w.ID, targetRevision: &w.Revision, detail: detail})
}

// ListWebhooks lists the organisation's webhooks.
func (s *Server) ListWebhooks(ctx context.Context, request ListWebhooksRequestObject) (ListWebhooksResponseObject, error) {
	l, err := s.newList(exchangeOf(ctx), "/webhooks", request.Params.Limit, request.Params.Cursor, url.Values{})
	if err != nil {
		return nil, err
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListWebhooksResponseObject, error) {
		if !a.administers() {
			return nil, errNotAllowed
		}
		rows, err := q.ListWebhooksAfter(ctx, db.ListWebhooksAfterParams{OrganizationID: a.OrganizationID, AfterID: l.from.id, PageSize: l.pageSize()})
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(w db.Webhook) position { return position{id: w.ID} })
		names, err := namesOf(ctx, q, a, converted(rows, func(w db.Webhook) uuid.UUID { return w.ChangedBy })...)
		items := converted(rows, func(w db.Webhook) Webhook { return webhookView(w, names, a.Now) })
		return ListWebhooks200Response{Body: WebhookPage{Items: items, NextCursor: next}, Headers: ListWebhooks200ResponseHeaders{Link: link}}, err
	})
}

// CreateWebhook has events sent to an address from now on.
func (s *Server) CreateWebhook(ctx context.Context, request CreateWebhookRequestObject) (CreateWebhookResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (CreateWebhookResponseObject, error) {
		if !a.administers() {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if err := s.checkWebhook(&request.Body.URL, &request.Body.Kinds); err != nil {
			return nil, err
		}
		n, err := q.CountWebhooks(ctx, db.CountWebhooksParams{OrganizationID: a.OrganizationID})
		if err != nil {
			return nil, err
		}
		if n >= webhook.MostPerOrganization {
			return nil, wrongState(fmt.Sprintf("An organisation has at most %d webhooks.", webhook.MostPerOrganization), nil)
		}
		secret := webhook.NewSecret()
		w, err := q.CreateWebhook(ctx, db.CreateWebhookParams{OrganizationID: a.OrganizationID, ID: db.NewID(), Url: request.Body.URL, Kinds: request.Body.Kinds, Secret: []byte(secret), ActorID: a.UserID})
		if err != nil {
			return nil, err
		}
		if err := recordWebhook(ctx, q, a, "webhook.created", w, map[string]any{"host": hostOf(w.Url), "kinds": w.Kinds}); err != nil {
			return nil, err
		}
		view, err := viewWebhook(ctx, q, a, w)
		return CreateWebhook201Response{Body: WebhookWithSecret{Webhook: view, Secret: secret}, Headers: CreateWebhook201ResponseHeaders{ETag: etag(w.Revision), Location: location("webhooks", w.ID)}}, err
	})
}

// GetWebhook shows one webhook.
func (s *Server) GetWebhook(ctx context.Context, request GetWebhookRequestObject) (GetWebhookResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetWebhookResponseObject, error) {
		w, err := webhookOf(ctx, q, a, request.WebhookID)
		if err != nil {
			return nil, err
		}
		view, err := viewWebhook(ctx, q, a, w)
		return GetWebhook200Response{Body: view, Headers: GetWebhook200ResponseHeaders{ETag: etag(w.Revision)}}, err
	})
}

// staleWebhook says why a change of a webhook found no row.
func staleWebhook(ctx context.Context, q *db.Queries, a actor, id uuid.UUID, from precondition) error {
	w, err := webhookOf(ctx, q, a, id)
	if err != nil {
		return err
	}
	view, err := viewWebhook(ctx, q, a, w)
	if err != nil {
		return err
	}
	return from.stale(view, w.Revision, &view.ChangedBy, w.ChangedAt)
}

// UpdateWebhook changes a webhook that is still at the revision the client read.
func (s *Server) UpdateWebhook(ctx context.Context, request UpdateWebhookRequestObject) (UpdateWebhookResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (UpdateWebhookResponseObject, error) {
		if _, err := webhookOf(ctx, q, a, request.WebhookID); err != nil {
			return nil, err
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		if err := s.checkWebhook(request.Body.URL, request.Body.Kinds); err != nil {
			return nil, err
		}
		change, detail := webhookChange(a, request, from)
		w, err := q.UpdateWebhookIfRevision(ctx, change)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, staleWebhook(ctx, q, a, request.WebhookID, from)
		}
		if err != nil {
			return nil, err
		}
		if err := recordWebhook(ctx, q, a, "webhook.updated", w, detail); err != nil {
			return nil, err
		}
		view, err := viewWebhook(ctx, q, a, w)
		return UpdateWebhook200Response{Body: view, Headers: UpdateWebhook200ResponseHeaders{ETag: etag(w.Revision)}}, err
	})
}

// webhookChange is a change, and what the audit keeps of it.
func webhookChange(a actor, request UpdateWebhookRequestObject, from precondition) (db.UpdateWebhookIfRevisionParams, map[string]any) {
	change := db.UpdateWebhookIfRevisionParams{OrganizationID: a.OrganizationID, ID: request.WebhookID, Revision: from.revision, ActorID: a.UserID, Kinds: []string{}}
	detail := map[string]any{}
	if address := request.Body.URL; address != nil {
		change.SetUrl, change.Url = true, *address
		detail["host"] = hostOf(*address)
	}
	if kinds := request.Body.Kinds; kinds != nil {
		change.SetKinds, change.Kinds = true, *kinds
		detail["kinds"] = *kinds
	}
	if enabled := request.Body.Enabled; enabled != nil {
		change.SetEnabled, change.Enabled = true, *enabled
		detail["enabled"] = *enabled
	}
	return change, detail
}

// RotateWebhookSecret gives a webhook another secret.
func (s *Server) RotateWebhookSecret(ctx context.Context, request RotateWebhookSecretRequestObject) (RotateWebhookSecretResponseObject, error) {
	from, err := preconditionOf(request.Body.Revision, request.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (RotateWebhookSecretResponseObject, error) {
		if _, err := webhookOf(ctx, q, a, request.WebhookID); err != nil {
			return nil, err
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		secret := webhook.NewSecret()
		w, err := q.RotateWebhookSecretIfRevision(ctx, db.RotateWebhookSecretIfRevisionParams{OrganizationID: a.OrganizationID, ID: request.WebhookID, Revision: from.revision, Secret: []byte(secret), ActorID: a.UserID})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, staleWebhook(ctx, q, a, request.WebhookID, from)
		}
		if err != nil {
			return nil, err
		}
		if err := recordWebhook(ctx, q, a, "webhook.secret_rotated", w, nil); err != nil {
			return nil, err
		}
		view, err := viewWebhook(ctx, q, a, w)
		return RotateWebhookSecret200Response{Body: WebhookWithSecret{Webhook: view, Secret: secret}, Headers: RotateWebhookSecret200ResponseHeaders{ETag: etag(w.Revision)}}, err
	})
}

// DeleteWebhook deletes a webhook.
func (s *Server) DeleteWebhook(ctx context.Context, request DeleteWebhookRequestObject) (DeleteWebhookResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (DeleteWebhookResponseObject, error) {
		if !a.administers() {
			return nil, errNotAllowed
		}
		if err := a.claim(ctx, q); err != nil { // before it is looked for: the first sending has deleted it
			return nil, err
		}
		w, err := webhookOf(ctx, q, a, request.WebhookID)
		if err != nil {
			return nil, err
		}
		if _, err := q.DeleteWebhook(ctx, db.DeleteWebhookParams{OrganizationID: a.OrganizationID, ID: request.WebhookID}); err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "webhook.deleted", targetKind: "webhook", target: w.ID, detail: map[string]any{"host": hostOf(w.Url)}})
		return DeleteWebhook204Response{}, err
	})
}

func deliveryOfWebhook(d db.WebhookDelivery) WebhookDelivery {
	view := WebhookDelivery{ID: d.ID, EventID: d.EventID, Kind: d.Kind, Payload: d.Payload, State: WebhookDeliveryState(d.State), Attempt: int(d.Attempt), Failure: d.Failure, CreatedAt: d.CreatedAt, ChangedAt: d.ChangedAt}
	if d.Status != nil {
		status := int(*d.Status)
		view.Status = &status
	}
	return view
}

// TestWebhook sends a webhook something that changes nothing.
func (s *Server) TestWebhook(ctx context.Context, request TestWebhookRequestObject) (TestWebhookResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (TestWebhookResponseObject, error) {
		w, err := webhookOf(ctx, q, a, request.WebhookID)
		if err != nil {
			return nil, err
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		id, err := webhook.Test(ctx, q, a.OrganizationID, w.ID, a.UserID, a.Now)
		if err != nil {
			return nil, err
		}
		d, err := q.GetWebhookDelivery(ctx, db.GetWebhookDeliveryParams{OrganizationID: a.OrganizationID, WebhookID: w.ID, ID: id})
		if err != nil {
			return nil, err
		}
		if err := recordWebhook(ctx, q, a, "webhook.tested", w, nil); err != nil {
			return nil, err
		}
		return TestWebhook202Response{Body: deliveryOfWebhook(d), Headers: TestWebhook202ResponseHeaders{Location: location("webhooks", w.ID) + "/deliveries/" + d.ID.String()}}, nil
	})
}

// ListWebhookDeliveries lists what was sent to a webhook.
func (s *Server) ListWebhookDeliveries(ctx context.Context, request ListWebhookDeliveriesRequestObject) (ListWebhookDeliveriesResponseObject, error) {
	filters := url.Values{}
	if state := request.Params.State; state != nil {
		filters.Set("state", string(*state))
	}
	l, err := s.newList(exchangeOf(ctx), "/webhooks/"+request.WebhookID.String()+"/deliveries", request.Params.Limit, request.Params.Cursor, filters)
	if err != nil {
		return nil, err
	}
	before := uuid.Max
	if !l.begins {
		before = l.from.id
	}
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ListWebhookDeliveriesResponseObject, error) {
		w, err := webhookOf(ctx, q, a, request.WebhookID)
		if err != nil {
			return nil, err
		}
		var rows []db.WebhookDelivery
		if state := request.Params.State; state != nil {
			rows, err = q.ListWebhookDeliveriesInStateBefore(ctx, db.ListWebhookDeliveriesInStateBeforeParams{OrganizationID: a.OrganizationID, WebhookID: w.ID, State: string(*state), BeforeID: before, PageSize: l.pageSize()})
		} else {
			rows, err = q.ListWebhookDeliveriesBefore(ctx, db.ListWebhookDeliveriesBeforeParams{OrganizationID: a.OrganizationID, WebhookID: w.ID, BeforeID: before, PageSize: l.pageSize()})
		}
		if err != nil {
			return nil, err
		}
		rows, next, link := page(l, rows, func(d db.WebhookDelivery) position { return position{id: d.ID} })
		return ListWebhookDeliveries200Response{Body: WebhookDeliveryPage{Items: converted(rows, deliveryOfWebhook), NextCursor: next}, Headers: ListWebhookDeliveries200ResponseHeaders{Link: link}}, nil
	})
}

// GetWebhookDelivery shows one delivery.
func (s *Server) GetWebhookDelivery(ctx context.Context, request GetWebhookDeliveryRequestObject) (GetWebhookDeliveryResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetWebhookDeliveryResponseObject, error) {
		if _, err := webhookOf(ctx, q, a, request.WebhookID); err != nil {
			return nil, err
		}
		d, err := q.GetWebhookDelivery(ctx, db.GetWebhookDeliveryParams{OrganizationID: a.OrganizationID, WebhookID: request.WebhookID, ID: request.DeliveryID})
		return GetWebhookDelivery200Response{Body: deliveryOfWebhook(d)}, err
	})
}

// ResendWebhookDelivery sends what has ended once more.
func (s *Server) ResendWebhookDelivery(ctx context.Context, request ResendWebhookDeliveryRequestObject) (ResendWebhookDeliveryResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (ResendWebhookDeliveryResponseObject, error) {
		w, err := webhookOf(ctx, q, a, request.WebhookID)
		if err != nil {
			return nil, err
		}
		key := db.GetWebhookDeliveryParams{OrganizationID: a.OrganizationID, WebhookID: w.ID, ID: request.DeliveryID}
		if _, err := q.GetWebhookDelivery(ctx, key); err != nil {
			return nil, err
		}
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		d, err := q.ResendWebhookDelivery(ctx, db.ResendWebhookDeliveryParams(key))
		if errors.Is(err, pgx.ErrNoRows) {
			present, err := q.GetWebhookDelivery(ctx, key)
			if err != nil {
				return nil, err
			}
			return nil, wrongState("It is on its way already.", deliveryOfWebhook(present))
		}
		if err != nil {
			return nil, err
		}
		if err := outbox.Enqueue(ctx, q, a.OrganizationID, webhook.SendKind, d.ID, nil); err != nil {
			return nil, err
		}
		if err := recordWebhook(ctx, q, a, "webhook.delivery_resent", w, map[string]any{"delivery_id": d.ID}); err != nil {
			return nil, err
		}
		return ResendWebhookDelivery202Response{Body: deliveryOfWebhook(d)}, nil
	})
}
