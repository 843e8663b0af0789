package soak

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// Coach stands in for a model, behind the chat completions API. It takes its time, as models do: with the rules coach, which answers at once,
// hardly any disturbance would find a job that is under way.
type Coach struct {
	URL    string
	server *http.Server
	asked  atomic.Int64
}

const (
	quickest = 300 * time.Millisecond
	slowest  = 1200 * time.Millisecond
)

// StartCoach starts one on loopback.
func StartCoach() (*Coach, error) {
	answer, err := json.Marshal(`{"text":"A clear outcome.","findings":[],"proposal":{"title":"Customers stay because support answers within the hour","description":null,"key_results":null}}`)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is there at once
	if err != nil {
		return nil, err
	}
	c := &Coach{URL: "http://" + listener.Addr().String()}
	c.server = &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.asked.Add(1)
		select {
		case <-time.After(quickest + rand.N(slowest-quickest)):
		case <-r.Context().Done():
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		const chunk = `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"soak","choices":[{"index":0,"delta":{%s},"finish_reason":%s}]}` + "\n\n"
		_, _ = fmt.Fprintf(w, chunk, `"role":"assistant","content":`+string(answer), "null") // whoever has gone is asked again
		_, _ = fmt.Fprintf(w, chunk+"data: [DONE]\n\n", "", `"stop"`)
	})}
	go func() { _ = c.server.Serve(listener) }() // until Close
	return c, nil
}

// Close ends it.
func (c *Coach) Close() { _ = c.server.Close() }

// Asked is how often it was asked.
func (c *Coach) Asked() int { return int(c.asked.Load()) }
