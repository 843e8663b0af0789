package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// hostile is one thing that somebody might put before this program, and why nothing comes of it. In URLs and addresses, OUT stands for the port of a server
// that may be asked, as if it were on the Internet, RAW and TLS for those of its neighbours, and IN for the port of the server that must never be reached.
type hostile struct {
	what     string
	url      string
	want     Reason   // empty: a body comes back
	resolves []string // what victim.example resolves to
	location string   // where the page at url sends
	limits   Limits
	slow     bool // with a client that has little patience
}

// address is a host name whose owner has it resolve to an address inside.
func address(what string, resolves ...string) hostile {
	return hostile{what: what, url: "http://victim.example:IN/", resolves: resolves, want: RefusedAddress}
}

// literal is a URL that names a host in some notation.
func literal(host string, want Reason) hostile {
	return hostile{what: "the host " + host, url: "http://" + host + "/", want: want}
}

func odd(what, url string, want Reason) hostile { return hostile{what: what, url: url, want: want} }

// redirect is an allowed page that sends elsewhere.
func redirect(what, location string, want Reason) hostile {
	return hostile{what: "a redirect " + what, url: "http://outside.example:OUT/to?", location: location, want: want}
}

// response is what the raw server says at a path.
func response(what, path string, want Reason) hostile {
	return hostile{what: what, url: "http://outside.example:RAW/" + path, want: want}
}

func slow(what, path string) hostile {
	return hostile{what: what, url: "http://outside.example:RAW/" + path, want: FailedTime, slow: true}
}

func hostileCases() []hostile {
	return []hostile{
		// Names that lead inside. This is what the check at the dial is for: nothing in the URL gives them away.
		address("loopback", "127.0.0.1"),
		address("all of 127.0.0.0/8 is loopback", "127.8.8.8"),
		address("the end of loopback", "127.255.255.255"),
		address("this host", "0.0.0.0"),
		address("this network", "0.1.2.3"),
		address("private 10", "10.0.0.1"),
		address("the end of private 10", "10.255.255.255"),
		address("private 172.16", "172.16.0.1"),
		address("the end of private 172.16/12", "172.31.255.255"),
		address("private 192.168", "192.168.0.1"),
		address("the end of private 192.168", "192.168.255.255"),
		address("shared by a carrier's customers", "100.64.0.1"),
		address("the end of what carriers share", "100.127.255.255"),
		address("link-local", "169.254.0.1"),
		address("the metadata service of AWS, Azure and Google", "169.254.169.254"),
		address("the credentials of AWS containers", "169.254.170.2"),
		address("the metadata service of Alibaba", "100.100.100.200"),
		address("the metadata service of Oracle", "192.0.0.192"),
		address("the agent of Azure", "168.63.129.16"),
		address("protocol assignments", "192.0.0.1"),
		address("documentation 1", "192.0.2.1"),
		address("documentation 2", "198.51.100.1"),
		address("documentation 3", "203.0.113.1"),
		address("AS112", "192.31.196.1"),
		address("multicast tunnels", "192.52.193.1"),
		address("relays of 6to4", "192.88.99.1"),
		address("AS112, delegated", "192.175.48.1"),
		address("benchmarking", "198.18.0.1"),
		address("the end of benchmarking", "198.19.255.255"),
		address("multicast", "224.0.0.1"),
		address("the end of multicast", "239.255.255.255"),
		address("reserved", "240.0.0.1"),
		address("broadcast", "255.255.255.255"),
		address("two addresses inside", "10.0.0.1", "127.0.0.1"),
		address("loopback of IPv6", "::1"),
		address("unspecified of IPv6", "::"),
		address("link-local of IPv6", "fe80::1"),
		address("site-local", "fec0::1"),
		address("unique-local", "fd00::1"),
		address("unique-local, the other half", "fc00::1"),
		address("the metadata service of AWS in IPv6", "fd00:ec2::254"),
		address("the metadata service of Google in IPv6", "fd20:ce::254"),
		address("multicast of IPv6", "ff02::1"),
		address("mapped loopback", "::ffff:127.0.0.1"),
		address("mapped private", "::ffff:10.0.0.1"),
		address("compatible loopback", "::127.0.0.1"),
		address("translated loopback", "::ffff:0:127.0.0.1"),
		address("NAT64 loopback", "64:ff9b::7f00:1"),
		address("NAT64 metadata", "64:ff9b::a9fe:a9fe"),
		address("NAT64 even of a public address", "64:ff9b::8.8.8.8"),
		address("NAT64 for local use", "64:ff9b:1::7f00:1"),
		address("6to4 loopback", "2002:7f00:1::1"),
		address("6to4 private", "2002:0a00:1::1"),
		address("Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
		address("ISATAP loopback", "2606:4700::5efe:127.0.0.1"),
		address("ISATAP private", "2606:4700::200:5efe:10.0.0.1"),
		address("ISATAP below link-local", "fe80::5efe:10.0.0.1"),
		address("discard", "100::1"),
		address("documentation of IPv6", "2001:db8::1"),
		address("documentation of IPv6, the newer", "3fff::1"),
		address("ORCHID", "2001:20::1"),
		address("benchmarking of IPv6", "2001:2::1"),
		address("segment routing", "5f00::1"),
		address("AS112 of IPv6", "2620:4f:8000::1"),
		address("outside what is assigned", "4000::1"),

		// Addresses in the URL itself.
		literal("127.0.0.1:IN", RefusedAddress),
		literal("127.1.2.3:IN", RefusedAddress),
		literal("0.0.0.0:IN", RefusedAddress),
		literal("10.0.0.1", RefusedAddress),
		literal("172.20.1.1", RefusedAddress),
		literal("192.168.1.1", RefusedAddress),
		literal("169.254.169.254", RefusedAddress),
		literal("168.63.129.16", RefusedAddress),
		literal("255.255.255.255", RefusedAddress),
		literal("[::1]:IN", RefusedAddress),
		literal("[::]:IN", RefusedAddress),
		literal("[0:0:0:0:0:0:0:1]:IN", RefusedAddress),
		literal("[fe80::1]", RefusedAddress),
		literal("[fd00:ec2::254]", RefusedAddress),
		literal("[64:ff9b::a9fe:a9fe]", RefusedAddress),
		literal("[2002:a9fe:a9fe::]", RefusedAddress),
		literal("[::127.0.0.1]:IN", RefusedAddress),
		literal("[2606:4700::5efe:7f00:1]", RefusedAddress),
		literal("[::ffff:127.0.0.1]:IN", RefusedHost),
		literal("[::ffff:7f00:1]:IN", RefusedHost),
		literal("[::ffff:8.8.8.8]", RefusedHost),
		literal("[fe80::1%25eth0]", RefusedHost),
		literal("[::1%25lo]:IN", RefusedHost),
		literal("[::1", RefusedURL),
		literal("[127.0.0.1]", RefusedURL),
		literal("[outside.example]", RefusedURL),
		literal("[]", RefusedURL),

		// Notations that some program or other reads as 127.0.0.1 or 169.254.169.254.
		literal("2130706433:IN", RefusedHost),
		literal("0x7f000001:IN", RefusedHost),
		literal("0x7F.0.0.1:IN", RefusedHost),
		literal("017700000001:IN", RefusedHost),
		literal("0177.0.0.1:IN", RefusedHost),
		literal("127.0.0.01:IN", RefusedHost),
		literal("127.1:IN", RefusedHost),
		literal("127.0.1:IN", RefusedHost),
		literal("0:IN", RefusedHost),
		literal("0x:IN", RefusedHost),
		literal("127.0.0.0x1:IN", RefusedHost),
		literal("127.0.0.1.:IN", RefusedHost),
		literal("127.0.0.256", RefusedHost),
		literal("1.2.3.4.5", RefusedHost),
		literal("169.254.43518", RefusedHost),
		literal("0xa9.0xfe.0xa9.0xfe", RefusedHost),
		literal("１２７.０.０.１:IN", RefusedHost),
		literal("①②⑦.⓪.⓪.①:IN", RefusedHost),
		literal("127。0。0。1:IN", RefusedHost),
		literal("127．0．0．1:IN", RefusedHost),
		literal("%31%32%37.0.0.1:IN", RefusedURL),
		literal("127.0.0.1%00.example", RefusedURL),
		literal("127.0.0.1%2f.example", RefusedURL),

		// Names that are none of the Internet's.
		literal("localhost:IN", RefusedHost),
		literal("LOCALHOST:IN", RefusedHost),
		literal("localhost.:IN", RefusedHost),
		literal("ｌｏｃａｌｈｏｓｔ:IN", RefusedHost),
		literal("loc\u00adalhost:IN", RefusedHost),
		literal("victim.localhost:IN", RefusedHost),
		literal("intranet", RefusedHost),
		literal("printer.local", RefusedHost),
		literal("metadata.google.internal", RefusedHost),
		literal("router.home.arpa", RefusedHost),
		literal("abc.onion", RefusedHost),
		literal("outside..example", RefusedHost),
		literal(".outside.example", RefusedHost),
		literal("outside.example..", RefusedHost),
		literal("out_side.example", RefusedHost),
		literal(strings.Repeat("a", 64)+".example", RefusedHost),
		literal(strings.Repeat("a.", 127)+"example", RefusedHost),
		literal(strings.Repeat("a", 1900)+".example", RefusedHost),
		literal("xn--a.example", RefusedHost),
		literal("nowhere.example", FailedName),

		// URLs that two programs may read differently, or that are none.
		odd("no URL", "", RefusedURL),
		odd("blanks around it", " http://outside.example:OUT/", RefusedURL),
		odd("a line feed in it", "http://outside.example:OUT/\nX-Header: 1", RefusedURL),
		odd("a tab in the host", "http://out\tside.example:OUT/", RefusedURL),
		odd("a NUL", "http://outside.example:OUT/\x00", RefusedURL),
		odd("no UTF-8", "http://outside.example:OUT/\xff", RefusedURL),
		odd("a no-break space", "http://outside.example:OUT/\u00a0", RefusedURL),
		odd("a backslash before the host's end", `http://outside.example:OUT\@127.0.0.1:IN/`, RefusedURL),
		odd("backslashes for slashes", `http:\\127.0.0.1:IN\`, RefusedURL),
		odd("2,001 characters", "http://outside.example:OUT/"+strings.Repeat("a", 2000), RefusedURL),
		odd("a host and its port for a user and a password", "http://outside.example:OUT@127.0.0.1:IN/", RefusedUser),
		odd("a user and a password", "http://user:secret@outside.example:OUT/", RefusedUser),
		odd("a host for a user", "http://outside.example@127.0.0.1:IN/", RefusedUser),
		odd("an empty user", "http://@outside.example:OUT/", RefusedUser),
		odd("two ats", "http://a@b@127.0.0.1:IN/", RefusedUser),
		odd("a fragment before the at", "http://127.0.0.1:IN#@outside.example:OUT/", RefusedAddress),
		odd("a question mark before the at", "http://127.0.0.1:IN?@outside.example:OUT/", RefusedAddress),
		odd("no host", "http:///path", RefusedHost),
		odd("one slash", "http:/127.0.0.1:IN/", RefusedHost),
		odd("no slash", "http:127.0.0.1:IN", RefusedURL),
		odd("no scheme", "//outside.example:OUT/", RefusedScheme),
		odd("a file", "file:///etc/passwd", RefusedScheme),
		odd("FTP", "ftp://outside.example/", RefusedScheme),
		odd("gopher", "gopher://127.0.0.1:IN/_GET", RefusedScheme),
		odd("a dictionary", "dict://127.0.0.1:IN/", RefusedScheme),
		odd("LDAP", "ldap://127.0.0.1:IN/", RefusedScheme),
		odd("data", "data:text/html,hello", RefusedScheme),
		odd("a script", "javascript:alert(1)", RefusedScheme),
		odd("a socket", "unix:///var/run/docker.sock", RefusedScheme),
		odd("a URL within", "jar:http://127.0.0.1:IN!/", RefusedScheme),
		odd("web sockets", "ws://outside.example:OUT/", RefusedScheme),

		// Ports.
		odd("SSH", "http://outside.example:22/", RefusedPort),
		odd("mail", "http://outside.example:25/", RefusedPort),
		odd("PostgreSQL", "http://outside.example:5432/", RefusedPort),
		odd("another port of the Web", "http://outside.example:8080/", RefusedPort),
		odd("no port behind the colon of a number", "http://outside.example:0/", RefusedPort),
		odd("a port beyond 65535", "http://outside.example:65616/", RefusedPort), // 80, to who keeps 16 bits
		odd("a port that is no number", "http://outside.example:http/", RefusedURL),
		odd("a signed port", "http://outside.example:+80/", RefusedURL),

		// Redirects. Each hop is checked as the first was.
		redirect("to loopback", "http://127.0.0.1:IN/", RefusedAddress),
		redirect("to the metadata service", "http://169.254.169.254/latest/meta-data/", RefusedAddress),
		redirect("to a name that leads inside", "http://inside.example:IN/", RefusedAddress),
		redirect("to an odd notation", "http://2130706433:IN/", RefusedHost),
		redirect("to loopback of IPv6", "http://[::1]:IN/", RefusedAddress),
		redirect("without a scheme", "//127.0.0.1:IN/", RefusedAddress),
		redirect("to another port", "http://outside.example:22/", RefusedPort),
		redirect("to a file", "file:///etc/passwd", RefusedScheme),
		redirect("to a script", "javascript:alert(1)", RefusedScheme),
		redirect("to a user", "http://user:secret@outside.example:OUT/", RefusedUser),
		redirect("by a backslash", `\\127.0.0.1:IN\`, RefusedURL),
		redirect("without end", "again", RefusedRedirects),
		redirect("to a redirect that leads inside", "/to?http://127.0.0.1:IN/", RefusedAddress),
		redirect("to a very long URL", "long", RefusedURL),
		redirect("to loopback, for good", "308http://127.0.0.1:IN/", RefusedAddress),
		redirect("to loopback, to be seen", "303http://127.0.0.1:IN/", RefusedAddress),
		odd("from https to http", "https://outside.example:TLS/to?http://outside.example:OUT/", RefusedDowngrade),
		odd("from https to inside", "https://outside.example:TLS/to?https://127.0.0.1:IN/", RefusedAddress),

		// TLS.
		odd("a certificate for another host", "https://other.example:TLS/", FailedTLS),
		odd("no TLS", "https://outside.example:OUT/", FailedTLS),
		odd("TLS where none was asked for", "http://outside.example:MUTE/", FailedProtocol),
		odd("a certificate that nobody vouches for", "https://outside.example:SELF/", FailedTLS),

		// Responses.
		response("no HTTP", "garbage", FailedProtocol),
		response("nothing", "nothing", FailedProtocol),
		response("half a header", "half-header", FailedProtocol),
		response("headers without end", "endless-headers", FailedProtocol),
		response("one header without end", "endless-header", FailedProtocol),
		response("a status line without end", "endless-status", FailedProtocol),
		response("early hints without end", "endless-hints", FailedProtocol),
		response("two lengths", "two-lengths", FailedProtocol),
		response("a negative length", "negative-length", FailedProtocol),
		response("a length and chunks", "length-and-chunks", ""), // chunks count, as RFC 9112 has it
		response("an unknown transfer encoding", "odd-transfer", FailedProtocol),
		response("a length that is too long", "too-long-length", FailedLength),
		response("a chunk that is cut off", "half-chunk", FailedLength),
		response("a chunk whose size is no number", "odd-chunk", FailedLength),
		response("a chunk of 16 exabytes", "huge-chunk", FailedLength),
		response("a chunk extension without end", "endless-extension", FailedLength),
		response("trailers without end", "endless-trailers", FailedLength),
		response("a body without end", "endless-body", FailedSize),
		response("chunks without end", "endless-chunks", FailedSize),
		response("a terabyte that is announced", "terabyte", FailedSize),
		response("an upgrade to another protocol", "upgrade", FailedProtocol),
		response("a gzip bomb", "gzip-bomb", FailedExpansion),
		response("a deflate bomb", "deflate-bomb", FailedExpansion),
		response("a bare deflate bomb", "bare-deflate-bomb", FailedExpansion),
		response("gzip members without end", "endless-members", FailedExpansion),
		response("a bomb within a bomb", "nested-bomb", FailedEncoding),
		response("brotli, which was not asked for", "brotli", FailedEncoding),
		response("zstd, which was not asked for", "zstd", FailedEncoding),
		response("gzip that is none", "odd-gzip", FailedEncoding),
		response("gzip that is cut off", "half-gzip", FailedLength),
		response("gzip with a wrong sum", "wrong-sum", FailedEncoding),
		response("deflate that is none", "odd-deflate", FailedEncoding),
		slow("silence", "silence"),
		slow("a header byte by byte", "slow-header"),
		slow("a body byte by byte", "slow-body"),
		slow("a body that stops", "stops"),
		slow("gzip that stops", "gzip-stops"),
		{what: "silence where TLS should be", url: "https://outside.example:MUTE/", want: FailedTime, slow: true},
		{what: "more than a caller wants", url: "http://outside.example:RAW/two-kilobytes", want: FailedSize, limits: Limits{Bytes: 1024}},
		{what: "more than a caller wants, compressed", url: "http://outside.example:RAW/two-kilobytes-gzip", want: FailedSize, limits: Limits{Bytes: 1024}},

		// And what is none of this, or all of the above would prove nothing.
		odd("a plain page", "http://outside.example:OUT/", ""),
		odd("the same in capitals", "hTTp://OUTSIDE.EXAMPLE:OUT/", ""),
		odd("with a full stop at the end", "http://outside.example.:OUT/", ""),
		odd("with an ideographic one", "http://outside.example。:OUT/", ""),
		odd("in full-width letters", "http://ｏｕｔｓｉｄｅ。ｅｘａｍｐｌｅ:OUT/", ""),
		odd("in Japanese", "http://みなと.example:OUT/", ""),
		odd("over TLS", "https://outside.example:TLS/", ""),
		redirect("to the same server", "/", ""),
		redirect("five times", "/to?/to?/to?/to?/", ""),
		odd("from http to https", "http://outside.example:OUT/to?https://outside.example:TLS/", ""),
		response("gzip", "two-kilobytes-gzip", ""),
		response("deflate", "two-kilobytes-deflate", ""),
		response("bare deflate", "two-kilobytes-bare-deflate", ""),
		{what: "one address inside and one outside", url: "http://victim.example:OUT/", resolves: []string{"10.0.0.1", "127.0.0.1"}},
	}
}

func TestNothingHostileComesThrough(t *testing.T) {
	t.Parallel()
	cases := hostileCases()
	if len(cases) < 150 {
		t.Fatalf("%d cases", len(cases))
	}
	w := newWorld(t)
	reasons := map[Reason]int{}
	for i, c := range cases {
		reasons[c.want]++
		t.Run(fmt.Sprintf("%03d %s", i, c.what), func(t *testing.T) {
			t.Parallel()
			client, victim := w.client, fmt.Sprintf("victim%d.example", i)
			if c.slow {
				client, c.limits.Time = w.hasty, 500*time.Millisecond
			}
			if len(c.resolves) > 0 {
				if !ipv6() && strings.Contains(strings.Join(c.resolves, ""), ":") {
					t.Skip("this machine has no IPv6")
				}
				w.names.set(victim, c.resolves...)
			}
			address := strings.ReplaceAll(w.ports.Replace(c.url), "victim.example", victim) + url.QueryEscape(w.ports.Replace(c.location))
			got, err := client.Get(t.Context(), address, c.limits)
			switch {
			case ReasonOf(err) != c.want || c.want != "" && err == nil:
				t.Errorf("%v, want %q", err, c.want)
			case errors.Is(err, ErrRefused) != c.want.refused():
				t.Errorf("%v: refused is %v", err, errors.Is(err, ErrRefused))
			case err == nil && len(got.Body) == 0:
				t.Error("no body")
			}
		})
	}
	t.Cleanup(func() {
		if n := w.inside.visits.Load(); n != 0 {
			t.Errorf("the server inside was reached %d times", n)
		}
		t.Logf("%d cases: %v", len(cases), reasons)
	})
}

// world is loopback with a server that stands for the Internet, and one that stands for what is inside.
type world struct {
	names  *nameServer
	inside *site
	client *Client
	hasty  *Client
	ports  *strings.Replacer
	out    string // outside's host and port
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{names: newNameServer(t)}
	for _, name := range []string{"outside.example", "other.example", "xn--o9jd6d.example", "inside.example"} {
		w.names.set(name, "127.0.0.1")
	}
	page := func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/to" {
			_, _ = fmt.Fprint(rw, "a page")
			return
		}
		location, _ := url.QueryUnescape(r.URL.RawQuery)
		status := http.StatusFound
		if code, err := strconv.Atoi(location[:min(3, len(location))]); err == nil {
			location, status = location[3:], code
		}
		switch location {
		case "again":
			location = "/to?again"
		case "long":
			location = "/" + strings.Repeat("a", 2000)
		}
		rw.Header()["Location"] = []string{location}
		rw.WriteHeader(status)
	}
	w.inside = serve(t, "127.0.0.1:0", page)
	outside := serve(t, "127.0.0.1:0", page)
	raw := serveRaw(t, speak)
	secure, roots := serveTLS(t, page, "outside.example")
	self, _ := serveTLS(t, page, "outside.example")
	mute := serveMute(t)
	w.out = "outside.example:" + strconv.Itoa(int(outside.port))
	var open []string
	ports := []uint16{w.inside.port}
	for _, s := range []*site{outside, raw, secure, self, mute} {
		open = append(open, s.address)
		ports = append(ports, s.port)
	}
	allow, err := ParseAllow(open)
	if err != nil {
		t.Fatal(err)
	}
	options := Options{Allow: allow, Ports: ports, Resolver: w.names.resolver, Roots: roots, Concurrent: 64, PerHost: 64}
	w.client = New(options)
	options.Connect, options.Handshake, options.Answer = time.Second, 200*time.Millisecond, 200*time.Millisecond
	w.hasty = New(options)
	number := func(s *site) string { return strconv.Itoa(int(s.port)) }
	w.ports = strings.NewReplacer(":OUT", ":"+number(outside), ":IN", ":"+number(w.inside), ":RAW", ":"+number(raw), ":TLS", ":"+number(secure), ":SELF", ":"+number(self), ":MUTE", ":"+number(mute))
	return w
}
