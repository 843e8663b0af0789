package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"
)

type (
	progressFigure struct {
		Value   string `json:"value"`
		Percent int    `json:"percent"`
	}
	healthCounts struct {
		OnTrack  int `json:"on_track"`
		AtRisk   int `json:"at_risk"`
		OffTrack int `json:"off_track"`
		Pending  int `json:"pending"`
		Outdated int `json:"outdated"`
	}
	figures struct {
		Withheld   bool            `json:"withheld"`
		Objectives int             `json:"objectives"`
		Progress   *progressFigure `json:"progress"`
		Health     *healthCounts   `json:"health"`
	}
	ownObjective struct {
		ID       uuid.UUID      `json:"id"`
		Title    string         `json:"title"`
		Revision int64          `json:"revision"`
		Progress progressFigure `json:"progress"`
	}
	dashboardView struct {
		Cycle *struct {
			Cycle    cycle `json:"cycle"`
			DaysLeft int   `json:"days_left"`
		} `json:"cycle"`
		Objectives   []ownObjective `json:"objectives"`
		Organization *figures       `json:"organization"`
		FiguresDay   string         `json:"figures_day"`
		Missing      *struct {
			Members  []any `json:"members"`
			CheckIns []struct {
				Title string `json:"title"`
			} `json:"check_ins"`
		} `json:"missing"`
	}
	teamPage struct {
		Team       team        `json:"team"`
		Members    []any       `json:"members"`
		Objectives []objective `json:"objectives"`
		More       bool        `json:"more_objectives"`
		Figures    *figures    `json:"figures"`
	}
	cycleDays struct {
		Days []struct {
			Day     string  `json:"day"`
			Figures figures `json:"figures"`
		} `json:"days"`
		Now figures `json:"now"`
	}
)

func (f figures) String() string {
	if f.Withheld || f.Progress == nil {
		return "withheld"
	}
	if f.Health == nil {
		return fmt.Sprintf("%d %% of %d objectives", f.Progress.Percent, f.Objectives)
	}
	h := f.Health
	return fmt.Sprintf("%d %% of %d objectives: %d on track, %d at risk, %d off track, %d pending, %d outdated", f.Progress.Percent, f.Objectives, h.OnTrack, h.AtRisk, h.OffTrack, h.Pending, h.Outdated)
}

// standing looks at what everything comes to, now and at a past moment.
func (t *tour) standing(ctx context.Context, ready *step) {
	t.chapter("where things stand")
	var before dashboardView
	seen := t.step(ctx, "see the dashboard of a lead", func(s *sight) error {
		lead, err := t.as(ctx, aya)
		if err != nil {
			return err
		}
		before, err = get[dashboardView](ctx, lead, "/dashboard")
		if err != nil {
			return err
		}
		if before.Cycle == nil || before.Cycle.Cycle.ID != t.cycle.ID || before.Organization == nil || before.Missing == nil {
			return errors.New("it is not about the cycle that today is in, or leaves out what a lead should see")
		}
		if h := before.Organization.Health; h != nil && h.OnTrack+h.AtRisk+h.OffTrack+h.Pending != before.Organization.Objectives {
			return fmt.Errorf("the objectives do not add up: %s", before.Organization)
		}
		s.sum("%d days left, the organisation at %s; %d without an objective, %d without a check-in for too long", before.Cycle.DaysLeft, before.Organization, len(before.Missing.Members), len(before.Missing.CheckIns))
		return nil
	}, ready)
	t.step(ctx, "see a team's page, and hold its figures against its objectives", func(s *sight) error {
		lead, err := t.as(ctx, aya)
		if err != nil {
			return err
		}
		if len(lead.session.LeadTeamIDs) == 0 {
			return errors.New("she leads no team")
		}
		page, err := get[teamPage](ctx, lead, "/teams/"+lead.session.LeadTeamIDs[0].String()+"/overview")
		if err != nil {
			return err
		}
		if page.Figures == nil || !page.More && page.Figures.Objectives > len(page.Objectives) {
			return errors.New("more objectives count than its lead may see")
		}
		s.sum("%s, %d members: %s", page.Team.Name, len(page.Members), page.Figures)
		return nil
	}, seen)
	t.step(ctx, "follow the cycle day by day", func(s *sight) error {
		viewer, err := t.as(ctx, yoko)
		if err != nil {
			return err
		}
		c, err := get[cycleDays](ctx, viewer, "/cycles/"+t.cycle.ID.String()+"/progress")
		if err != nil {
			return err
		}
		s.sum("%d days recorded, now %s", len(c.Days), c.Now)
		return nil
	}, seen)
	t.step(ctx, "see the dashboard as it stood a week ago", func(s *sight) error {
		member, err := t.as(ctx, shota)
		if err != nil {
			return err
		}
		at := time.Now().AddDate(0, 0, -7).UTC().Format(time.RFC3339)
		then, err := get[dashboardView](ctx, member, "/dashboard?as_of="+at)
		if err != nil {
			return err
		}
		if then.Organization == nil {
			s.sum("nothing had been recorded by %s", at)
			return nil
		}
		s.sum("at the end of %s: %s", then.FiguresDay, then.Organization)
		for _, o := range then.Objectives {
			was, err := get[ownObjective](ctx, member, "/objectives/"+o.ID.String()+"?as_of="+at)
			if err != nil {
				return err
			}
			if was.Progress != o.Progress || was.Revision != o.Revision {
				return fmt.Errorf("%s stood at %s in one answer and at %s in another", o.Title, o.Progress.Value, was.Progress.Value)
			}
		}
		return nil
	}, seen)
	t.step(ctx, "ask for a moment that has not come", func(s *sight) error {
		member, err := t.as(ctx, shota)
		if err != nil {
			return err
		}
		_, err = get[dashboardView](ctx, member, "/dashboard?as_of="+time.Now().AddDate(0, 0, 7).UTC().Format(time.RFC3339))
		refused, err := refusedWith(err, http.StatusUnprocessableEntity, "invalid")
		if err != nil {
			return err
		}
		s.sum("422 %s", refused.Type)
		return nil
	}, seen)
}
