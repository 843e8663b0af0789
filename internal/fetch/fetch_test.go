package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// allowing is a Client to which some sites stand for the Internet.
func allowing(t *testing.T, o Options, sites ...*site) *Client {
	t.Helper()
	var open []string
	for _, s := range sites {
		open = append(open, s.address)
		o.Ports = append(o.Ports, s.port)
	}
	allow, err := ParseAllow(open)
	if err != nil {
		t.Fatal(err)
	}
	o.Allow = allow
	return New(o)
}

// Whoever owns a name may answer differently each time it is asked. What is dialled is what was checked, so that gains nothing.
func TestANameThatChangesItsMindLeadsNowhere(t *testing.T) {
	t.Parallel()
	names := newNameServer(t)
	inward := atomic.Bool{}
	outside := serve(t, "127.0.0.1:0", func(w http.ResponseWriter, r *http.Request) {
		inward.Store(true) // between the first hop and the second
		if r.URL.Path == "/again" {
			w.Header().Set("Location", "/")
			w.WriteHeader(http.StatusFound)
		}
	})
	inside := serve(t, fmt.Sprintf("127.0.0.2:%d", outside.port), func(http.ResponseWriter, *http.Request) {})
	client := allowing(t, Options{Resolver: names.resolver}, outside)
	names.setFunc("fickle.example", func() []netip.Addr {
		if inward.Load() {
			return []netip.Addr{netip.MustParseAddr("127.0.0.2")}
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	})
	fickle := fmt.Sprintf("http://fickle.example:%d/", outside.port)
	if _, err := client.Get(t.Context(), fickle+"again", Limits{}); ReasonOf(err) != RefusedAddress {
		t.Errorf("a redirect to itself, after the name had changed: %v", err)
	}
	if outside.visits.Load() != 1 {
		t.Errorf("outside was visited %d times", outside.visits.Load())
	}

	// One that changes with each answer, so that a check and a later dial would often see different ones.
	var asked atomic.Int64
	names.setFunc("dice.example", func() []netip.Addr {
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, byte(1 + asked.Add(1)/2%2)})}
	})
	came, refused := 0, 0
	for range 40 {
		switch _, err := client.Get(t.Context(), fmt.Sprintf("http://dice.example:%d/", outside.port), Limits{}); {
		case err == nil:
			came++
		case errors.Is(err, ErrRefused):
			refused++
		default:
			t.Fatal(err)
		}
	}
	if came == 0 || refused == 0 {
		t.Errorf("%d came through and %d were refused: the dice do not roll", came, refused)
	}
	if n := inside.visits.Load(); n != 0 {
		t.Errorf("inside was reached %d times", n)
	}
}

// The operator's own names reach what is private, at the ports that were named; link-local addresses, where credentials are had, not even by those.
func TestWhatTheOperatorOpens(t *testing.T) {
	t.Parallel()
	allow, err := ParseAllow([]string{"wiki", " Intra.example:8080", "10.1.0.0/16", "192.168.7.7:9000", "[fd00::7]:9000", "127.0.0.1", ""})
	if err != nil {
		t.Fatal(err)
	}
	g := newGuard(allow, nil)
	for _, c := range []struct {
		host, at string
		want     Reason
	}{
		{"wiki", "10.0.0.1:80", ""},
		{"wiki", "127.0.0.1:443", ""},
		{"wiki", "[::1]:443", ""},
		{"wiki", "[fd12::1]:80", ""},
		{"wiki", "100.64.1.1:80", ""},
		{"wiki", "10.0.0.1:8080", RefusedPort},
		{"wiki", "169.254.169.254:80", RefusedAddress},
		{"wiki", "168.63.129.16:80", RefusedAddress},
		{"wiki", "[fe80::1]:80", RefusedAddress},
		{"wiki", "0.0.0.0:80", RefusedAddress},
		{"wiki", "[64:ff9b::a00:1]:80", RefusedAddress},
		{"intra.example", "10.0.0.1:8080", ""},
		{"intra.example", "10.0.0.1:80", RefusedAddress},
		{"other.example", "10.1.2.3:80", ""},
		{"other.example", "10.1.2.3:81", RefusedPort},
		{"other.example", "10.2.0.1:80", RefusedAddress},
		{"192.168.7.7", "192.168.7.7:9000", ""},
		{"192.168.7.7", "192.168.7.7:80", RefusedAddress},
		{"fd00::7", "[fd00::7]:9000", ""},
		{"::ffff:127.0.0.1", "[::ffff:127.0.0.1]:80", ""}, // the packet goes to 127.0.0.1, which is open
		{"other.example", "8.8.8.8:443", ""},
		{"other.example", "[2606:4700::1111]:443", ""},
		{"other.example", "[2606:4700::1111%eth0]:443", RefusedAddress},
	} {
		if err := g.permit(c.host, netip.MustParseAddrPort(c.at)); ReasonOf(err) != c.want {
			t.Errorf("%s at %s: %v, want %q", c.host, c.at, err, c.want)
		}
	}
	for _, entry := range []string{"10.0.0.0/33", "wiki:", "wiki:99999", "http://wiki", "fe80::1%eth0", "a b", "*.example", "wiki:80:80", "0x7f.1"} {
		if _, err := ParseAllow([]string{entry}); err == nil {
			t.Errorf("%q was taken", entry)
		}
	}
}

func TestANameThatTheOperatorOpensIsReached(t *testing.T) {
	t.Parallel()
	names := newNameServer(t)
	for _, name := range []string{"wiki", "hooks.default", "other.default"} {
		names.set(name, "127.0.0.1")
	}
	inside := serve(t, "127.0.0.1:0", func(http.ResponseWriter, *http.Request) {})
	port := strconv.Itoa(int(inside.port))
	allow, err := ParseAllow([]string{"wiki:" + port, "hooks.default:" + port})
	if err != nil {
		t.Fatal(err)
	}
	client := New(Options{Allow: allow, Resolver: names.resolver})
	for host, want := range map[string]Reason{"wiki": "", "Hooks.Default": "", "other.default": RefusedPort, "wikis": RefusedHost} {
		if _, err := client.Get(t.Context(), "http://"+host+":"+port+"/", Limits{}); ReasonOf(err) != want {
			t.Errorf("%s: %v, want %q", host, err, want)
		}
	}
}

func TestNothingIsCarriedFromOneHostToAnother(t *testing.T) {
	t.Parallel()
	var seen []http.Header
	second := serve(t, "127.0.0.1:0", func(w http.ResponseWriter, r *http.Request) { seen = append(seen, r.Header) })
	first := serve(t, "127.0.0.1:0", func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header)
		w.Header().Set("Set-Cookie", "session=1; Path=/")
		w.Header().Set("Location", "http://"+second.address+"/")
		w.WriteHeader(http.StatusFound)
	})
	client := allowing(t, Options{UserAgent: "Kakeai of Nagoya Works"}, first, second)
	got, err := client.Get(t.Context(), "http://"+first.address+"/", Limits{Accept: "text/html"})
	if err != nil || got.URL != "http://"+second.address+"/" {
		t.Fatalf("%+v, %v", got, err)
	}
	if len(seen) != 2 {
		t.Fatalf("%d requests", len(seen))
	}
	want := http.Header{"Accept": {"text/html"}, "Accept-Encoding": {"gzip, deflate"}, "User-Agent": {"Kakeai of Nagoya Works"}, "Connection": {"close"}}
	for _, header := range seen {
		if fmt.Sprint(header) != fmt.Sprint(want) {
			t.Errorf("sent %v, want %v", header, want)
		}
	}
}

func TestPostFollowsNothing(t *testing.T) {
	t.Parallel()
	elsewhere := serve(t, "127.0.0.1:0", func(http.ResponseWriter, *http.Request) {})
	var header http.Header
	var host, body string
	hook := serve(t, "127.0.0.1:0", func(w http.ResponseWriter, r *http.Request) {
		read, _ := io.ReadAll(r.Body)
		header, host, body = r.Header, r.Host, string(read)
		w.Header().Set("Location", "http://"+elsewhere.address+"/")
		w.WriteHeader(http.StatusTemporaryRedirect)
		_, _ = io.WriteString(w, strings.Repeat("over there ", 1000))
	})
	client := allowing(t, Options{}, hook, elsewhere)
	sent := http.Header{"X-Signature": {"abc"}, "Host": {"inside.example"}, "Content-Length": {"3"}, "Content-Type": {"application/json"}, "Transfer-Encoding": {"chunked"}}
	before := fmt.Sprint(sent)
	got, err := client.Post(t.Context(), "http://"+hook.address+"/hook", sent, []byte(`{"event":1}`), Limits{Bytes: 100, Truncate: true})
	if err != nil || got.Status != http.StatusTemporaryRedirect || len(got.Body) != 100 {
		t.Fatalf("%+v, %v", got, err)
	}
	if body != `{"event":1}` || host != hook.address || header.Get("X-Signature") != "abc" || header.Get("Content-Length") != strconv.Itoa(len(body)) || header.Get("Content-Type") != "application/json" {
		t.Errorf("%q came with %v to %s", body, header, host)
	}
	if fmt.Sprint(sent) != before {
		t.Errorf("the caller's headers are %v now", sent)
	}
	if elsewhere.visits.Load() != 0 {
		t.Error("the redirect was followed")
	}
	if _, err := client.Post(t.Context(), "http://127.0.0.1/", nil, nil, Limits{}); ReasonOf(err) != RefusedAddress {
		t.Errorf("inside: %v", err)
	}
	if _, err := client.Post(t.Context(), "http://"+hook.address+"/", http.Header{"X-A": {"b\r\nX-C: d"}}, nil, Limits{}); err == nil {
		t.Error("a line feed in a header was sent")
	}
}

// A proxy would dial in our place, with nothing checked.
func TestProxyVariablesAreIgnored(t *testing.T) {
	proxy := serve(t, "127.0.0.1:0", func(http.ResponseWriter, *http.Request) {})
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"} {
		t.Setenv(name, "http://"+proxy.address)
	}
	t.Setenv("NO_PROXY", "")
	names := newNameServer(t)
	names.set("outside.example", "127.0.0.1")
	outside := serve(t, "127.0.0.1:0", func(http.ResponseWriter, *http.Request) {})
	client := allowing(t, Options{Resolver: names.resolver}, outside, proxy)
	if _, err := client.Get(t.Context(), fmt.Sprintf("http://outside.example:%d/", outside.port), Limits{}); err != nil {
		t.Fatal(err)
	}
	if proxy.visits.Load() != 0 || outside.visits.Load() != 1 {
		t.Errorf("%d went by the proxy, %d straight", proxy.visits.Load(), outside.visits.Load())
	}
}

func TestOnlySoManyAtATime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		o     Options
		other bool // the one too many goes to another host
	}{
		{"of the process", Options{Concurrent: 2, PerHost: 2}, true},
		{"of a host", Options{Concurrent: 10, PerHost: 2}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			arrived, release := make(chan struct{}, 10), make(chan struct{})
			wait := func(http.ResponseWriter, *http.Request) { arrived <- struct{}{}; <-release }
			names := newNameServer(t)
			names.set("one.example", "127.0.0.1")
			names.set("two.example", "127.0.0.1")
			s := serve(t, "127.0.0.1:0", wait)
			c.o.Resolver = names.resolver
			client := allowing(t, c.o, s)
			one, two := fmt.Sprintf("http://one.example:%d/", s.port), fmt.Sprintf("http://two.example:%d/", s.port)
			var all sync.WaitGroup
			get := func(url string) {
				all.Go(func() {
					if _, err := client.Get(t.Context(), url, Limits{}); err != nil {
						t.Error(err)
					}
				})
			}
			get(one)
			get(one)
			<-arrived
			<-arrived
			late := one
			if c.other {
				late = two
			}
			if _, err := client.Get(t.Context(), late, Limits{Time: 50 * time.Millisecond}); ReasonOf(err) != FailedBusy {
				t.Errorf("a third while two are running: %v", err)
			}
			if s.visits.Load() != 2 {
				t.Errorf("%d visits", s.visits.Load())
			}
			if !c.other { // the bound of one host is nothing to another
				get(two)
				<-arrived
			}
			close(release)
			all.Wait()
			if got := client.slots; len(got.all) != 0 || len(got.hosts) != 0 {
				t.Errorf("%d places are still taken, %d hosts remembered", len(got.all), len(got.hosts))
			}
		})
	}
}

func TestTheCallersContextEndsIt(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	s := serveRaw(t, func(_ string, conn net.Conn, over <-chan struct{}) {
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\nhalf a ")
		close(arrived)
		<-over
	})
	client := allowing(t, Options{}, s)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	if _, err := client.Get(ctx, "http://"+s.address+"/", Limits{}); !errors.Is(err, context.Canceled) || ReasonOf(err) != "" {
		t.Errorf("%v, want the context's error, which is no fault of the other side", err)
	}
	if got := client.Stats(); got.Failed != 0 || got.Requests != 1 {
		t.Errorf("%+v", got)
	}
}

// Sixty-four at once of what takes most take no more than 64 MiB together: what is alive after a collection, again and again while they run, and what the program has of the system.
func TestManyHostileResponsesAtOnceTakeLittleMemory(t *testing.T) {
	const bound = 64 << 20
	paths := []string{"gzip-bomb", "deflate-bomb", "bare-deflate-bomb", "endless-members", "endless-body", "endless-chunks", "endless-headers", "endless-header", "endless-hints", "nested-bomb", "two-kilobytes"}
	for _, bomb := range []func() []byte{gzipBomb, zlibBomb, deflateBomb, nestedBomb, member} {
		bomb() // made beforehand, so that making them is not what is measured
	}
	s := serveRaw(t, speak)
	client := allowing(t, Options{Concurrent: 64, PerHost: 64}, s)
	read := func() (live, held uint64) {
		samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		metrics.Read(samples)
		return samples[0].Value.Uint64(), samples[1].Value.Uint64() - samples[2].Value.Uint64()
	}
	runtime.GC()
	liveBefore, heldBefore := read()
	var most, mostHeld uint64
	over := make(chan struct{})
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			_, _ = client.Get(t.Context(), "http://"+s.address+"/"+paths[i%len(paths)], Limits{})
		})
	}
	go func() { all.Wait(); close(over) }()
	samples := 0
	for running := true; running; samples++ {
		select {
		case <-over:
			running = false
		default:
		}
		runtime.GC()
		live, held := read()
		most, mostHeld = max(most, live), max(mostHeld, held)
	}
	took, tookHeld := int64(most)-int64(liveBefore), int64(mostHeld)-int64(heldBefore)
	t.Logf("%d samples: at most %.1f MiB alive and %.1f MiB held beyond what was there before", samples, float64(took)/(1<<20), float64(tookHeld)/(1<<20))
	if took > bound || tookHeld > bound {
		t.Errorf("%d bytes alive and %d held, more than %d", took, tookHeld, int64(bound))
	}
	if got := client.Stats(); got.Requests != 64 || got.Bytes == 0 {
		t.Errorf("%+v", got)
	}
}

func TestNormalise(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"HTTP://Example.COM":                        "http://example.com/",
		"https://example.com:443/a?b=c#d":           "https://example.com/a?b=c",
		"http://example.com:80":                     "http://example.com/",
		"http://example.com:443/":                   "http://example.com:443/",
		"http://example.com:080/":                   "http://example.com/",
		"http://example.com./":                      "http://example.com/",
		"http://example.com:/":                      "http://example.com/",
		"https://みなと.example/目標":                    "https://xn--o9jd6d.example/%E7%9B%AE%E6%A8%99",
		"http://[2606:4700:0::1111]/":               "http://[2606:4700::1111]/",
		"http://[2606:4700::1111]:8080/?":           "http://[2606:4700::1111]:8080/",
		"http://8.8.8.8/a%2Fb":                      "http://8.8.8.8/a%2Fb",
		"https://example.com/?q=https://a.b/\u3042": "https://example.com/?q=https://a.b/\u3042",
	} {
		got, err := Normalise(raw)
		if err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", raw, got, err, want)
		}
		if again, err := Normalise(got); err != nil || again != got {
			t.Errorf("%s again: %s, %v", got, again, err)
		}
		if !slices.Equal(Hash(raw), Hash(want)) {
			t.Errorf("%s and %s have different hashes", raw, want)
		}
	}
	if len(Hash("no URL at all\x00")) != 32 || slices.Equal(Hash("a"), Hash("b")) {
		t.Error("what is no URL has no hash of its own")
	}
}

func FuzzNormalise(f *testing.F) {
	for _, c := range hostileCases() {
		f.Add(c.url)
	}
	f.Add("https://みなと.example/目標?q=1#x")
	f.Fuzz(func(t *testing.T, raw string) {
		got, err := Normalise(raw)
		if err != nil {
			if !errors.Is(err, ErrRefused) {
				t.Fatalf("%q: %v is no refusal", raw, err)
			}
			return
		}
		u, err := parseURL(got)
		if err != nil {
			t.Fatalf("%q became %q, which is refused: %v", raw, got, err)
		}
		if u.String() != got {
			t.Fatalf("%q became %q and then %q", raw, got, u)
		}
		if strings.ContainsFunc(u.Hostname(), func(r rune) bool { return r >= 0x80 || r <= ' ' || strings.ContainsRune(`\@/?#%`, r) }) {
			t.Fatalf("%q has the host %q", raw, u.Hostname())
		}
	})
}
