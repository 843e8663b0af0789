package api

import (
	"context"
	"time"

	"github.com/kakeai/kakeai/internal/db"
)

func mailSettingsView(digest string, unsubscribedAt *time.Time) MailSettings {
	return MailSettings{Digest: DigestRhythm(digest), Subscribed: unsubscribedAt == nil, UnsubscribedAt: unsubscribedAt}
}

// GetMailSettings shows what the member wants to be sent.
func (s *Server) GetMailSettings(ctx context.Context, _ GetMailSettingsRequestObject) (GetMailSettingsResponseObject, error) {
	return read(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (GetMailSettingsResponseObject, error) {
		m, err := q.GetMailSettings(ctx, db.GetMailSettingsParams{OrganizationID: a.OrganizationID, UserID: a.UserID})
		if err != nil {
			return nil, err
		}
		return GetMailSettings200Response{Body: mailSettingsView(m.Digest, m.UnsubscribedAt)}, nil
	})
}

// UpdateMailSettings changes what the member wants to be sent. Everybody may, of their own.
func (s *Server) UpdateMailSettings(ctx context.Context, request UpdateMailSettingsRequestObject) (UpdateMailSettingsResponseObject, error) {
	return write(ctx, s, func(ctx context.Context, q *db.Queries, a actor) (UpdateMailSettingsResponseObject, error) {
		if err := a.claim(ctx, q); err != nil {
			return nil, err
		}
		change := db.PutMailSettingsParams{OrganizationID: a.OrganizationID, UserID: a.UserID}
		detail := map[string]any{}
		if digest := request.Body.Digest; digest != nil {
			change.SetDigest, change.Digest = true, string(*digest)
			detail["digest"] = *digest
		}
		if subscribed := request.Body.Subscribed; subscribed != nil {
			change.SetSubscribed, change.Subscribed = true, *subscribed
			detail["subscribed"] = *subscribed
		}
		changed, err := q.PutMailSettings(ctx, change)
		if err != nil {
			return nil, err
		}
		err = record(ctx, q, a, event{action: "mail_settings.updated", targetKind: "member", target: a.UserID, detail: detail})
		return UpdateMailSettings200Response{Body: mailSettingsView(changed.Digest, changed.UnsubscribedAt)}, err
	})
}
