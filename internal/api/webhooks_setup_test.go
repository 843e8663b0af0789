package api_test

import (
	"net/http"

	"github.com/google/uuid"

	"github.com/kakeai/kakeai/internal/api"
	"github.com/kakeai/kakeai/internal/okr"
)

func webhookPath(id uuid.UUID) string { return "/webhooks/" + id.String() }

// webhook has an admin make a webhook for everything about objectives.
func (p *person) webhook(more ...fields) api.WebhookWithSecret {
	p.t.Helper()
	body := fields{"url": "https://hooks.example.com/" + uuid.NewString(), "kinds": []string{"objective."}}
	for _, f := range more {
		for name, v := range f {
			body[name] = v
		}
	}
	return into[api.WebhookWithSecret](p.send(http.MethodPost, "/webhooks", body).is(http.StatusCreated))
}

// tried has a webhook sent a test, and puts the delivery into a state.
func (p *person) tried(webhook uuid.UUID, state string) api.WebhookDelivery {
	p.t.Helper()
	d := into[api.WebhookDelivery](p.send(http.MethodPost, webhookPath(webhook)+"/test", nil).is(http.StatusAccepted))
	p.exec("UPDATE webhook_deliveries SET state = $2 WHERE id = $1", d.ID, state)
	return d
}

// aboutWebhook is a call about a webhook of the admin's. There is room for so many, and tests make more.
func aboutWebhook(aim func(*bundle, api.Webhook) call) func(*bundle, okr.Visibility) call {
	return func(b *bundle, _ okr.Visibility) call {
		b.exec("DELETE FROM webhooks WHERE organization_id = $1", b.id)
		w := b.admin.webhook().Webhook
		return aimed(aim(b, w), b.admin, fields{"webhook_id": w.ID})
	}
}
