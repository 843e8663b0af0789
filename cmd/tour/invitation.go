package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"

	"github.com/google/uuid"
)

type (
	invitationRow struct {
		Email   string      `json:"email"`
		Role    string      `json:"role,omitempty"`
		TeamIDs []uuid.UUID `json:"team_ids,omitempty"`
	}
	invitationsCreate struct {
		Invitations []invitationRow `json:"invitations"`
	}
	invitationResults struct {
		Invited int `json:"invited"`
		Results []struct {
			Outcome string `json:"outcome"`
		} `json:"results"`
	}
	invitationToken struct {
		Token    string `json:"token"`
		Name     string `json:"name,omitempty"`
		Password string `json:"password,omitempty"`
	}
	invitationView struct {
		Organization string `json:"organization"`
		HasAccount   bool   `json:"has_account"`
	}
	passwordChange struct {
		PresentPassword string `json:"present_password"`
		NewPassword     string `json:"new_password"`
	}
	memberPatch struct {
		Revision  int64 `json:"revision"`
		Suspended bool  `json:"suspended"`
	}
	member struct {
		Revision int64 `json:"revision"`
	}
)

// inviting has somebody new join by the link in their mail, change their password, and leave.
func (t *tour) inviting(ctx context.Context, ready *step) {
	t.chapter("somebody new")
	address := "hina." + uuid.NewString()[:8] + "@example.com"
	const first, second = "the first of two passwords", "and the second of the two"
	var token string
	var newcomer *client
	invited := t.step(ctx, "invite three people, of whom two cannot be", func(s *sight) error {
		admin, err := t.as(ctx, kenichi)
		if err != nil {
			return err
		}
		made, err := post[invitationResults](ctx, admin, "/invitations", invitationsCreate{[]invitationRow{{Email: address}, {Email: aya}, {Email: "boss@example.com", Role: "owner"}}})
		if err != nil {
			return err
		}
		var outcomes []string
		for _, r := range made.Results {
			outcomes = append(outcomes, r.Outcome)
		}
		s.sum("%v", outcomes)
		if want := "[invited already-member role-above-own]"; fmt.Sprint(outcomes) != want {
			return fmt.Errorf("%s was due", want)
		}
		return nil
	}, ready)
	mailed := t.step(ctx, "find the link in the mail, and look what it is about", func(s *sight) error {
		mail, err := t.mailTo(ctx, address, "/invitation#")
		if errors.Is(err, errNoViewer) {
			s.sum("%v", err)
			return nil
		}
		if err != nil {
			return err
		}
		found := regexp.MustCompile(`/invitation#(kki_[A-Za-z0-9_-]+)`).FindStringSubmatch(mail)
		if found == nil {
			return errors.New("the mail has no link")
		}
		token = found[1]
		view, err := post[invitationView](ctx, newClient(t.url), "/invitation/look-up", invitationToken{Token: token})
		s.sum("%s invites %s, who has an account: %t", view.Organization, address, view.HasAccount)
		return err
	}, invited)
	if mailed.passed && token == "" {
		return // who gets the mail is somebody else
	}
	joined := t.step(ctx, "join, sign in, and find the link used up", func(s *sight) error {
		stranger := newClient(t.url)
		accept := invitationToken{Token: token, Name: "橋本 陽菜", Password: first}
		if _, err := post[struct{}](ctx, stranger, "/invitation/accept", accept); err != nil {
			return err
		}
		newcomer = newClient(t.url)
		if _, err := newcomer.signIn(ctx, address, first, t.organization); err != nil {
			return err
		}
		_, err := post[struct{}](ctx, stranger, "/invitation/accept", accept)
		p, err := refusedWith(err, http.StatusGone, "invitation-accepted")
		if err == nil {
			s.sum("%s is %s now; a second time: 410 %s", newcomer.session.User.Name, newcomer.session.Role, p.Type)
		}
		return err
	}, mailed)
	changed := t.step(ctx, "change the password, which ends the other session", func(s *sight) error {
		elsewhere := newClient(t.url)
		if _, err := elsewhere.signIn(ctx, address, first, t.organization); err != nil {
			return err
		}
		if _, err := newcomer.call(ctx, http.MethodPut, "/account/password", passwordChange{PresentPassword: first, NewPassword: second}, nil); err != nil {
			return err
		}
		_, err := get[session](ctx, elsewhere, "/session")
		if _, err := refusedWith(err, http.StatusUnauthorized, "signed-out"); err != nil {
			return err
		}
		_, err = get[session](ctx, newcomer, "/session")
		s.sum("the other one is signed out; this one goes on: %t", err == nil)
		return err
	}, joined)
	t.step(ctx, "suspend them again", func(s *sight) error {
		admin, err := t.as(ctx, kenichi)
		if err != nil {
			return err
		}
		path := "/members/" + newcomer.session.User.ID.String()
		now, err := get[member](ctx, admin, path)
		if err != nil {
			return err
		}
		if _, err := patch[member](ctx, admin, path, memberPatch{Revision: now.Revision, Suspended: true}); err != nil {
			return err
		}
		_, err = get[session](ctx, newcomer, "/session")
		p, err := refusedWith(err, http.StatusUnauthorized, "signed-out")
		if err == nil {
			s.sum("401 %s, and what they wrote stays", p.Type)
		}
		return err
	}, changed)
}
