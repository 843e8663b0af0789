package mail

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	gomail "github.com/wneessen/go-mail"
)

// Message is a mail as it goes over the wire.
type Message struct {
	ID       uuid.UUID
	From, To string // addresses and nothing else, as the envelope has them
	Raw      []byte
}

// letter is a mail that has been written out for its reader.
type letter struct {
	id          uuid.UUID
	locale      string
	from, to    mail.Address
	subject     string
	text, html  string
	date        time.Time
	unsubscribe string // address of the page; empty for none
	calendar    string
	method      string // of the calendar
}

var errAddress = errors.New("this is not an address that a mail can go to as it stands")

// checkAddress refuses every address that could be read in more than one way, or that needs quoting: what is sent to has to be what is stored, to the byte, in the
// envelope and in the header.
func checkAddress(address string) error {
	local, domain, ok := strings.Cut(address, "@")
	if !ok || local == "" || domain == "" || len(address) > 254 || strings.ContainsAny(address, "\"\\()<>[]:;, ") || strings.Contains(domain, "@") || address != clean(address) {
		return errAddress
	}
	if parsed, err := mail.ParseAddress("<" + address + ">"); err != nil || parsed.Address != address {
		return errAddress
	}
	return nil
}

// compose puts a letter into the form that RFC 5322 and MIME give it. All of it is ASCII, in short lines.
func compose(l letter) (Message, error) {
	for _, a := range []mail.Address{l.from, l.to} {
		if err := checkAddress(a.Address); err != nil {
			return Message{}, err
		}
	}
	encoding := gomail.EncodingQP
	if l.locale == "ja" {
		encoding = gomail.EncodingB64 // a third longer than the text, and not three times as long
	}
	m := gomail.NewMsg(gomail.WithEncoding(encoding), gomail.WithNoDefaultUserAgent())
	_, domain, _ := strings.Cut(l.from.Address, "@")
	m.SetMessageIDWithValue(l.id.String() + "@" + domain) // the same each time, so that a second sending can be told
	m.SetDateWithValue(l.date)
	m.SetGenHeaderPreformatted("From", header(l.from.Name, l.from.Address))
	m.SetGenHeaderPreformatted("To", header(l.to.Name, l.to.Address))
	m.SetGenHeaderPreformatted("Subject", words(oneLine(l.subject)))
	m.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: so no answering machine answers
	m.SetGenHeader(gomail.HeaderXAutoResponseSuppress, "All")
	m.SetGenHeader(gomail.HeaderContentLang, l.locale)
	if l.unsubscribe != "" {
		m.SetListUnsubscribe(l.unsubscribe)
		if strings.HasPrefix(l.unsubscribe, "https://") { // RFC 8058 promises one click over HTTPS alone
			m.SetListUnsubscribePost()
		}
	}
	m.SetBodyString(gomail.TypeTextPlain, wireText(l.text))
	m.AddAlternativeString(gomail.TypeTextHTML, wireText(l.html))
	if l.calendar != "" {
		// Once beside the text, where programs look that answer invitations, and once attached, for people to open.
		m.AddAlternativeString(gomail.ContentType("text/calendar; method="+l.method), wireText(l.calendar))
		if err := m.AttachReader("invite.ics", strings.NewReader(wireText(l.calendar)), gomail.WithFileContentType("application/ics")); err != nil {
			return Message{}, err
		}
	}
	var raw bytes.Buffer
	if _, err := m.WriteTo(&raw); err != nil {
		return Message{}, fmt.Errorf("mail: %w", err)
	}
	return Message{ID: l.id, From: l.from.Address, To: l.to.Address, Raw: raw.Bytes()}, nil
}

// header is an address with a name before it. An address beyond ASCII stands in UTF-8, as RFC 6532 has it.
func header(name, address string) string {
	name = oneLine(name)
	if name == "" {
		return "<" + address + ">"
	}
	if strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ' ' || r > unicode.MaxASCII
	}) {
		return encoded(name) + "\r\n <" + address + ">" // encoding needs less care than quoting
	}
	return fold(name) + "\r\n <" + address + ">"
}

// words is a text for a header. What looks like an encoded word is encoded once more: otherwise it would be decoded where it is read, into whatever it holds.
func words(text string) string {
	if !isASCII(text) || strings.Contains(text, "=?") {
		return encoded(text)
	}
	return fold(text)
}

const (
	wordBytes = 39 // in an encoded word: with =?utf-8?b?…?= and the name of a header before it, a line then has at most 76 characters
	lineBytes = 66
)

// encoded is the text as encoded words of RFC 2047, one to a line, each of whole characters.
func encoded(text string) string {
	var all []string
	var word []byte
	flush := func() {
		all = append(all, "=?utf-8?b?"+base64.StdEncoding.EncodeToString(word)+"?=")
		word = nil
	}
	for _, r := range text {
		if len(word)+len(string(r)) > wordBytes {
			flush()
		}
		word = append(word, string(r)...)
	}
	if len(word) > 0 {
		flush()
	}
	return strings.Join(all, "\r\n ")
}

// fold breaks a text of ASCII into lines, at spaces. A line without any that is too long for a mail is encoded instead.
func fold(text string) string {
	var out strings.Builder
	line := 0
	for i, word := range strings.Fields(text) {
		switch {
		case len(word) > lineBytes:
			return encoded(text)
		case i > 0 && line+1+len(word) > lineBytes:
			out.WriteString("\r\n ")
			line = 0
		case i > 0:
			out.WriteByte(' ')
			line++
		}
		out.WriteString(word)
		line += len(word)
	}
	return out.String()
}

// oneLine is a text without line breaks and without characters that only do something to others.
func oneLine(text string) string {
	return strings.Join(strings.Fields(clean(text)), " ")
}

// clean takes out control characters, apart from tabs and line breaks, which become one kind, and those that turn the direction of what is beside them.
func clean(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\u0085", "\n").Replace(strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\uFEFF':
			return -1
		}
		return r
	}, text)
}

// wireText has the line ends that mails have.
func wireText(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}
