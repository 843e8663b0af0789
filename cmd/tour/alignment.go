package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/google/uuid"
)

type (
	alignmentNode struct {
		ID         uuid.UUID `json:"id"`
		Title      string    `json:"title"`
		ChildCount int       `json:"child_count"`
	}
	alignmentPath struct {
		Steps []struct {
			Hidden bool   `json:"hidden"`
			Title  string `json:"title"`
		} `json:"steps"`
	}
	searchResult struct {
		Objectives struct {
			Items []alignmentNode `json:"items"`
		} `json:"objectives"`
		People struct {
			Items []person `json:"items"`
		} `json:"people"`
	}
)

// looking reads the alignment level by level, has one objective support another, and finds things by words.
func (t *tour) looking(ctx context.Context, ready *step) {
	t.chapter("what contributes to what, and where it is")
	var parent, child alignmentNode
	level := t.step(ctx, "read the roots of the cycle, and what contributes to one", func(s *sight) error {
		c, err := t.as(ctx, shota)
		if err != nil {
			return err
		}
		roots, err := list[alignmentNode](ctx, c, "/cycles/"+t.cycle.ID.String()+"/alignment", nil)
		if err != nil {
			return err
		}
		for _, root := range roots {
			if root.ChildCount > parent.ChildCount {
				parent = root
			}
		}
		if parent.ChildCount == 0 {
			return errors.New("nothing contributes to anything")
		}
		children, err := list[alignmentNode](ctx, c, "/objectives/"+parent.ID.String()+"/children", nil)
		if err != nil {
			return err
		}
		if len(children) != parent.ChildCount {
			return fmt.Errorf("%d children, and %d were counted", len(children), parent.ChildCount)
		}
		child = children[0]
		path, err := get[alignmentPath](ctx, c, "/objectives/"+child.ID.String()+"/path")
		s.sum("%d roots; %d contribute to “%s”", len(roots), len(children), parent.Title)
		if err == nil && len(path.Steps) != 2 {
			err = fmt.Errorf("two steps were due from the root, not %d", len(path.Steps))
		}
		return err
	}, ready)
	t.step(ctx, "have an objective support another, twice, and no longer", func(s *sight) error {
		c, err := t.as(ctx, kenichi)
		if err != nil {
			return err
		}
		link, supported := "/objectives/"+child.ID.String()+"/supports/", "/objectives/"+child.ID.String()+"/supports"
		for range 2 {
			if _, err := c.call(ctx, http.MethodPut, link+parent.ID.String(), nil, nil); err != nil {
				return err
			}
		}
		linked, err := list[alignmentNode](ctx, c, supported, nil)
		if err != nil {
			return err
		}
		if _, err := c.call(ctx, http.MethodDelete, link+parent.ID.String(), nil, nil); err != nil {
			return err
		}
		after, err := list[alignmentNode](ctx, c, supported, nil)
		s.sum("“%s” supported %d, and supports %d", child.Title, len(linked), len(after))
		if err == nil && len(linked) != len(after)+1 {
			err = errors.New("one link was due")
		}
		return err
	}, level)
	t.step(ctx, "find a word of two characters, and a colleague by the beginning of her name", func(s *sight) error {
		c, err := t.as(ctx, shota)
		if err != nil {
			return err
		}
		found, err := get[searchResult](ctx, c, "/search?"+url.Values{"q": {"解約"}}.Encode())
		if err != nil {
			return err
		}
		people, err := get[searchResult](ctx, c, "/search?"+url.Values{"q": {"misaki"}, "kind": {"person"}}.Encode())
		if err != nil {
			return err
		}
		if len(found.Objectives.Items) == 0 || len(people.People.Items) == 0 {
			return fmt.Errorf("%d objectives and %d people were found", len(found.Objectives.Items), len(people.People.Items))
		}
		s.sum("解約: %d, first “%s”; misaki: %s", len(found.Objectives.Items), found.Objectives.Items[0].Title, people.People.Items[0].Name)
		return nil
	}, ready)
}
