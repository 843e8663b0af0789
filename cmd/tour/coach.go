package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
)

// coachWithin is how long the coach may take, its place in the queue included.
const coachWithin = time.Minute

// follower follows a job until it has ended, and returns the states that it was seen in.
type follower func(ctx context.Context, c *client, id uuid.UUID) (job, []string, error)

// askCoach has the coach answer in a dialogue, and returns its message.
func askCoach(ctx context.Context, c *client, d dialogue, kind string, follow follower) (message, []string, error) {
	asked, err := ask(ctx, c, d, kind)
	if err != nil {
		return message{}, nil, err
	}
	return coachAnswer(ctx, c, d, asked.ID, follow)
}

// ask asks, and does not wait for the answer.
func ask(ctx context.Context, c *client, d dialogue, kind string) (job, error) {
	var asked job
	a, err := c.call(ctx, http.MethodPost, dialoguePath(d.ID, "jobs"), jobCreate{Kind: kind}, &asked)
	if err == nil && a.status != http.StatusAccepted {
		err = fmt.Errorf("asking the coach answered %d, not 202", a.status)
	}
	return asked, err
}

func coachAnswer(ctx context.Context, c *client, d dialogue, id uuid.UUID, follow follower) (message, []string, error) {
	ended, states, err := follow(ctx, c, id)
	if err != nil {
		return message{}, states, err
	}
	if ended.State != "succeeded" {
		return message{}, states, fmt.Errorf("the job is %s %s", ended.State, ended.Failure)
	}
	messages, err := list[message](ctx, c, dialoguePath(d.ID, "messages"), nil)
	if err != nil {
		return message{}, states, err
	}
	for _, m := range messages {
		if m.JobID != nil && *m.JobID == id {
			return m, states, nil
		}
	}
	return message{}, states, errors.New("the job has succeeded, and the dialogue has no answer from it")
}

func byPolling(ctx context.Context, c *client, id uuid.UUID) (job, []string, error) {
	ctx, cancel := context.WithTimeout(ctx, coachWithin)
	defer cancel()
	again := time.NewTicker(25 * time.Millisecond)
	defer again.Stop()
	var states []string
	for {
		j, err := get[job](ctx, c, "/jobs/"+id.String())
		if err != nil {
			return j, states, err
		}
		states = appendNew(states, j.State)
		if j.FinishedAt != nil {
			return j, states, nil
		}
		select {
		case <-ctx.Done():
			return j, states, fmt.Errorf("the job is still %s: %w", j.State, ctx.Err())
		case <-again.C:
		}
	}
}

func byEvents(ctx context.Context, c *client, id uuid.UUID) (job, []string, error) {
	ctx, cancel := context.WithTimeout(ctx, coachWithin)
	defer cancel()
	response, err := c.open(ctx, http.MethodGet, c.base+apiPath+"/jobs/"+id.String()+"/events", nil, http.Header{"Accept": {"text/event-stream"}})
	if err != nil {
		return job{}, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type")); err != nil || kind != "text/event-stream" {
		return job{}, nil, fmt.Errorf("HTTP %d with a %q is no stream of events", response.StatusCode, response.Header.Get("Content-Type"))
	}
	return lastOfStream(response.Body)
}

// lastOfStream reads server-sent events to the end of the stream, which the server closes once the job has ended.
func lastOfStream(stream io.Reader) (last job, states []string, err error) {
	lines := bufio.NewScanner(stream)
	event := ""
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case field == "event":
			event = value
		case field == "data" && event == "job":
			last = job{}
			if err := json.Unmarshal([]byte(value), &last); err != nil {
				return last, states, err
			}
			states = appendNew(states, last.State)
		}
	}
	if err := lines.Err(); err != nil {
		return last, states, err
	}
	if last.FinishedAt == nil {
		return last, states, fmt.Errorf("the stream ended while the job was %q", last.State)
	}
	return last, states, nil
}

func appendNew(states []string, state string) []string {
	if len(states) > 0 && states[len(states)-1] == state {
		return states
	}
	return append(states, state)
}

// suggestionOf returns the latest suggestion of a dialogue.
func suggestionOf(ctx context.Context, c *client, d dialogue) (suggestion, error) {
	all, err := list[suggestion](ctx, c, dialoguePath(d.ID, "suggestions"), nil)
	if err != nil {
		return suggestion{}, err
	}
	if len(all) == 0 {
		return suggestion{}, errors.New("the dialogue has no suggestion")
	}
	return all[len(all)-1], nil
}

// talk opens a dialogue about an objective and says something in it.
func talk(ctx context.Context, c *client, o objective, title, body string) (dialogue, error) {
	d, err := post[dialogue](ctx, c, objectivePath(o.ID, "dialogues"), titled{Title: title})
	if err != nil {
		return d, err
	}
	_, err = post[message](ctx, c, dialoguePath(d.ID, "messages"), text{Body: body})
	return d, err
}

func dialoguePath(id uuid.UUID, more string) string {
	return "/dialogues/" + id.String() + "/" + more
}
