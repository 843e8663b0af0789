package fetch

import (
	"crypto/sha256"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// maxURL is what a URL may be long, in characters before and after it was put in order.
const maxURL = 2000

// Normalise puts a URL in order, so that the same page has one name: scheme and host in lower case and in ASCII, no port that goes without saying, a path, no
// fragment. It refuses, with an Error, what is no URL of the Web or is written so that two programs might read two different hosts in it. It does not look where the host leads.
func Normalise(raw string) (string, error) {
	u, err := parseURL(raw)
	if err != nil {
		return "", err
	}
	return u.String(), nil
}

// Hash is what a link's preview is found by: SHA-256 of the normalised URL, or of the text as it is where that cannot be normalised and so never will be fetched.
func Hash(raw string) []byte {
	name, err := Normalise(raw)
	if err != nil {
		name = raw
	}
	sum := sha256.Sum256([]byte(name))
	return sum[:]
}

func parseURL(raw string) (*url.URL, error) {
	u, err := parseReference(raw)
	if err != nil {
		return nil, err
	}
	return u, order(u)
}

// parseReference reads a URL, or the part of one that a redirect may give, without looking at where it leads.
func parseReference(raw string) (*url.URL, error) {
	switch {
	case raw == "" || utf8.RuneCountInString(raw) > maxURL:
		return nil, failf(RefusedURL, "from 1 to %d characters", maxURL)
	case !utf8.ValidString(raw):
		return nil, failf(RefusedURL, "no UTF-8")
	case strings.ContainsFunc(raw, unwritable): // other programs drop these, or read a backslash as a slash
		return nil, failf(RefusedURL, "white space, control characters or a backslash")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, fail(RefusedURL, err)
	}
	return u, nil
}

func unwritable(r rune) bool { return r <= ' ' || r == 0x7f || 0x80 <= r && r <= 0xa0 || r == '\\' }

// order puts a parsed URL in order.
func order(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https": // url.Parse has put it in lower case
		return failf(RefusedScheme, "%q", u.Scheme)
	case u.Opaque != "":
		return failf(RefusedURL, "no host after the scheme")
	case u.User != nil:
		return failf(RefusedUser, "a user or a password in the URL")
	}
	host, port, err := splitHost(strings.TrimSuffix(u.Host, ":")) // a colon with nothing behind it means nothing
	if err != nil {
		return err
	}
	u.Host = host
	if strings.Contains(host, ":") {
		u.Host = "[" + host + "]"
	}
	if port != "" && !(u.Scheme == "http" && port == "80") && !(u.Scheme == "https" && port == "443") {
		u.Host = net.JoinHostPort(host, port)
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.Fragment, u.RawFragment, u.ForceQuery = "", "", false
	if utf8.RuneCountInString(u.String()) > maxURL {
		return failf(RefusedURL, "from 1 to %d characters", maxURL)
	}
	return nil
}

// splitHost reads a host and the port behind it, if there is one. An address of IPv6 comes without its brackets.
func splitHost(host string) (name, port string, err error) {
	rest := host
	if strings.HasPrefix(host, "[") {
		inside, behind, closed := strings.Cut(host[1:], "]")
		address, err := netip.ParseAddr(inside)
		if !closed || err != nil || !address.Is6() || address.Zone() != "" || address.Is4In6() {
			return "", "", failf(RefusedHost, "between brackets stands an address of IPv6 without a zone and without one of IPv4 inside")
		}
		name, rest = address.String(), behind
	}
	before, port, withPort := strings.Cut(rest, ":")
	if withPort {
		number, err := strconv.ParseUint(port, 10, 16)
		if err != nil || number == 0 || strings.HasPrefix(port, "+") {
			return "", "", failf(RefusedPort, "no port")
		}
		port = strconv.FormatUint(number, 10)
	}
	if name == "" {
		if name, err = hostName(before); err != nil {
			return "", "", err
		}
	} else if before != "" {
		return "", "", failf(RefusedHost, "something behind the brackets")
	}
	return name, port, nil
}

// hostName puts a name, or an address of IPv4, in the form that is asked of the resolver. An address has exactly four decimal numbers without leading zeros: whatever else ends in a
// number is some program's notation for an address, and no name.
func hostName(raw string) (string, error) {
	name, err := names().ToASCII(raw)
	if err != nil {
		return "", fail(RefusedHost, err)
	}
	name = strings.TrimSuffix(name, ".")
	if address, err := netip.ParseAddr(name); err == nil && address.Is4() {
		if name != raw {
			return "", failf(RefusedHost, "an address in an odd notation")
		}
		return name, nil
	}
	if name == "" || strings.HasSuffix(name, ".") {
		return "", failf(RefusedHost, "no name")
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if endsInNumber(last) {
		return "", failf(RefusedHost, "an address in an odd notation")
	}
	return name, nil
}

// names is UTS #46 as browsers look names up, which maps full-width letters and digits and the ideographic full stop to plain ones; with nothing but letters, digits and hyphens in what comes of it.
// It is a function because profiles are not to be changed.
func names() *idna.Profile {
	return idna.New(idna.MapForLookup(), idna.BidiRule(), idna.StrictDomainName(true), idna.VerifyDNSLength(true), idna.CheckHyphens(false))
}

func endsInNumber(label string) bool {
	if rest, ok := strings.CutPrefix(label, "0x"); ok {
		return !strings.ContainsFunc(rest, func(r rune) bool { return !('0' <= r && r <= '9' || 'a' <= r && r <= 'f') })
	}
	return !strings.ContainsFunc(label, func(r rune) bool { return r < '0' || r > '9' })
}

// isPublicName reports whether a name could be one of the Internet's: with a dot, and below none of the top-level names that are set aside for what is inside (RFC 6761, 6762, 7686, 8375; ICANN for internal).
func isPublicName(name string) bool {
	if !strings.Contains(name, ".") {
		return false
	}
	for _, set := range []string{"localhost", "local", "internal", "onion", "invalid", "home.arpa"} {
		if strings.HasSuffix(name, "."+set) {
			return false
		}
	}
	return true
}
