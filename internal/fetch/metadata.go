package fetch

import (
	"bufio"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/transform"
)

// Metadata is what a page says of itself, as text that can be shown anywhere: in UTF-8, on one line, without controls, and no longer than its column. What it does not say is empty.
type Metadata struct {
	Title       string
	Description string
	SiteName    string // or its host
	ImageURL    string // of http or https, and not looked at
}

// What the columns of link_previews hold, in characters.
const (
	maxTitle       = 300
	maxDescription = 1000
	maxSiteName    = 200
)

const (
	maxHead  = 512 << 10 // bytes of a page that are read for its metadata
	maxToken = 64 << 10  // of one tag, or of one run of text, in UTF-8
	sniffed  = 1024      // of a page's beginning, to find its encoding, as browsers do
)

// readMetadata reads a page up to its body, at most maxHead bytes. Only of HTML is there more to tell than its name.
func readMetadata(page io.Reader, contentType string, from *url.URL) (Metadata, error) {
	beginning := bufio.NewReaderSize(io.LimitReader(page, maxHead), sniffed)
	start, err := beginning.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return Metadata{}, err
	}
	if !isHTML(contentType, start) {
		return Metadata{Title: nameOf(from), SiteName: siteOf(from)}, nil
	}
	var text io.Reader = beginning
	if e := encodingOf(start, contentType); e != nil {
		text = transform.NewReader(beginning, e.NewDecoder())
	}
	return parseHead(text, from)
}

// nameOf is the last part of the path: the name of a file, where there is one.
func nameOf(from *url.URL) string {
	return clean(from.Path[strings.LastIndexByte(from.Path, '/')+1:], maxTitle)
}

func isHTML(contentType string, start []byte) bool {
	if strings.TrimSpace(contentType) == "" {
		contentType = http.DetectContentType(start)
	}
	kind, _, err := mime.ParseMediaType(contentType)
	return (err == nil || errors.Is(err, mime.ErrInvalidMediaParameter)) && (kind == "text/html" || kind == "application/xhtml+xml")
}

// encodingOf is what a page is written in, by its byte-order mark, its header or its own <meta>; nil for UTF-8.
func encodingOf(start []byte, contentType string) encoding.Encoding {
	if _, parameters, err := mime.ParseMediaType(contentType); err == nil && strings.EqualFold(parameters["charset"], "cp932") {
		return japanese.ShiftJIS // which is CP932 in x/text too; the Web's list of names lacks this one
	}
	found, name, _ := charset.DetermineEncoding(start, contentType)
	switch name {
	case "utf-8":
		return encoding.Nop
	case "windows-1252":
		if strings.Contains(strings.ToLower(string(start)), "charset=cp932") {
			return japanese.ShiftJIS
		}
	}
	return found
}

// head is what the tags of a page have said, by where it stands.
type head struct {
	said  map[string]string
	title string
	base  *url.URL
}

func parseHead(text io.Reader, from *url.URL) (Metadata, error) {
	h := head{said: map[string]string{}, base: from}
	z := html.NewTokenizer(text)
	z.SetMaxBuf(maxToken)
	for {
		switch z.Next() {
		case html.ErrorToken:
			if err := z.Err(); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, html.ErrBufferExceeded) {
				return Metadata{}, err
			}
			return h.metadata(from), nil
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			switch atom.Lookup(name) { // nothing else in a head tells anything
			case atom.Body:
				return h.metadata(from), nil
			case atom.Meta:
				h.meta(attributes(z, more))
			case atom.Base:
				h.rebase(attributes(z, more)["href"])
			case atom.Title:
				if z.Next() == html.TextToken && h.title == "" { // its text is one token, whatever looks like a tag in it
					h.title = clean(string(z.Text()), maxTitle)
				}
			}
		}
	}
}

// attributes are those of the tag at hand. The first of a name counts.
func attributes(z *html.Tokenizer, more bool) map[string]string {
	all := map[string]string{}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if _, there := all[string(key)]; !there && len(all) < 20 {
			all[string(key)] = string(value)
		}
	}
	return all
}

// meta keeps the first that is said of something. Open Graph has its names in property, and many pages have them in name.
func (h *head) meta(attributes map[string]string) {
	for _, key := range []string{attributes["property"], attributes["name"]} {
		key = strings.ToLower(strings.TrimSpace(key))
		length := maxURL
		switch key {
		case "og:title", "twitter:title":
			length = maxTitle
		case "og:description", "twitter:description", "description":
			length = maxDescription
		case "og:site_name", "application-name":
			length = maxSiteName
		case "og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src":
		default:
			continue
		}
		if h.said[key] == "" {
			h.said[key] = clean(attributes["content"], length)
		}
	}
}

func (h *head) rebase(href string) {
	if base, err := h.base.Parse(strings.TrimSpace(href)); err == nil && (base.Scheme == "http" || base.Scheme == "https") {
		h.base = base
	}
}

func (h *head) first(keys ...string) string {
	for _, key := range keys {
		if h.said[key] != "" {
			return h.said[key]
		}
	}
	return ""
}

func (h *head) metadata(from *url.URL) Metadata {
	m := Metadata{
		Title:       h.first("og:title", "twitter:title"),
		Description: h.first("og:description", "twitter:description", "description"),
		SiteName:    h.first("og:site_name", "application-name"),
		ImageURL:    h.image(h.first("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src")),
	}
	if m.Title == "" {
		m.Title = h.title
	}
	if m.SiteName == "" {
		m.SiteName = siteOf(from)
	}
	return m
}

// image is where a picture is said to be. A browser may be sent there, so an address inside is left out here as well.
func (h *head) image(reference string) string {
	if reference == "" {
		return ""
	}
	to, err := h.base.Parse(reference)
	if err != nil {
		return ""
	}
	named, err := parseURL(to.String())
	if err != nil {
		return ""
	}
	if address, err := netip.ParseAddr(named.Hostname()); err == nil {
		if newGuard(Allow{}, nil).permit("", netip.AddrPortFrom(address, 443)) != nil {
			return ""
		}
	} else if !isPublicName(named.Hostname()) {
		return ""
	}
	return named.String()
}

// siteOf is the host, for pages that do not say what they belong to. It stays in ASCII, where letters that look alike do not.
func siteOf(from *url.URL) string {
	return clean(strings.TrimPrefix(from.Hostname(), "www."), maxSiteName)
}
