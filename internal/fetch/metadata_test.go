package fetch

import (
	"io"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	xunicode "golang.org/x/text/encoding/unicode"
)

func at(t *testing.T, raw string) *url.URL {
	t.Helper()
	u, err := parseURL(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func metadataOf(t *testing.T, page, contentType, from string) Metadata {
	t.Helper()
	m, err := readMetadata(strings.NewReader(page), contentType, at(t, from))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMetadata(t *testing.T) {
	t.Parallel()
	const from = "https://www.example.com/plans/q4.html"
	for _, c := range []struct {
		what, page, contentType string
		want                    Metadata
	}{
		{"a title alone", "<title> Plans\n for  Q4 </title>", "text/html", Metadata{Title: "Plans for Q4", SiteName: "example.com"}},
		{"entities", "<title>Q4 &amp; Q1 &lt;b&gt; &#x76ee;&#27161;</title>", "text/html", Metadata{Title: "Q4 & Q1 <b> 目標", SiteName: "example.com"}},
		{"tags in a title are text", "<title><b>Plans</b></title>", "text/html", Metadata{Title: "<b>Plans</b>", SiteName: "example.com"}},
		{"Open Graph before everything", `<title>a</title><meta name="description" content="d"><meta name="twitter:title" content="t"><meta property="og:title" content="o">
			<meta property="og:description" content="od"><meta property="og:site_name" content="Nagoya Works"><meta property="og:image" content="/i.png">`, "text/html",
			Metadata{"o", "od", "Nagoya Works", "https://www.example.com/i.png"}},
		{"a Twitter card before the rest", `<title>a</title><meta name="twitter:title" content="t"><meta name="twitter:description" content="td"><meta name="description" content="d">
			<meta name="twitter:image" content="i.png">`, "text/html", Metadata{"t", "td", "example.com", "https://www.example.com/plans/i.png"}},
		{"the description", `<meta name=Description content='What  we do'>`, "text/html", Metadata{Description: "What we do", SiteName: "example.com"}},
		{"Open Graph by name, in capitals", `<META NAME="OG:Title" CONTENT="o">`, "text/html", Metadata{Title: "o", SiteName: "example.com"}},
		{"the first of two", `<title>1</title><title>2</title><meta property=og:description content=1><meta property=og:description content=2>`, "text/html",
			Metadata{Title: "1", Description: "1", SiteName: "example.com"}},
		{"an empty one is none", `<title>t</title><meta property=og:title content=" "><meta property=og:title content="o">`, "text/html", Metadata{Title: "o", SiteName: "example.com"}},
		{"the name of an application", `<meta name=application-name content=Wiki>`, "text/html", Metadata{SiteName: "Wiki"}},
		{"nothing behind the body's beginning", `<title>t</title><body><meta property=og:title content=o>`, "text/html", Metadata{Title: "t", SiteName: "example.com"}},
		{"nothing in comments, scripts and styles", `<!-- <title>a</title> --><script>"<title>b</title>"</script><style><title>c</title></style><title>t</title>`, "text/html",
			Metadata{Title: "t", SiteName: "example.com"}},
		{"another base", `<base href="https://cdn.example.net/a/"><meta property=og:image content=i.png>`, "text/html", Metadata{SiteName: "example.com", ImageURL: "https://cdn.example.net/a/i.png"}},
		{"a base that is a script", `<base href="javascript:alert(1)//"><meta property=og:image content=i.png>`, "text/html", Metadata{SiteName: "example.com", ImageURL: "https://www.example.com/plans/i.png"}},
		{"an image that is a script", `<meta property=og:image content="javascript:alert(1)">`, "text/html", Metadata{SiteName: "example.com"}},
		{"an image that is data", `<meta property=og:image content="data:image/png;base64,AAAA">`, "text/html", Metadata{SiteName: "example.com"}},
		{"an image inside", `<meta property=og:image content="http://192.168.0.1/logout">`, "text/html", Metadata{SiteName: "example.com"}},
		{"an image on this machine", `<meta property=og:image content="http://localhost/logout">`, "text/html", Metadata{SiteName: "example.com"}},
		{"an image of a user", `<meta property=og:image content="http://a:b@example.com/i.png">`, "text/html", Metadata{SiteName: "example.com"}},
		{"an image whose URL is too long", `<meta property=og:image content="/` + strings.Repeat("a", 3000) + `">`, "text/html", Metadata{SiteName: "example.com"}},
		{"marks that turn the direction", "<title>gpj.\u202eexe\u2066\u200f\u061c\u0000\u0007\ufeff\u200b\U000e0041 a</title>", "text/html; charset=utf-8", Metadata{Title: "gpj.exe\ufffd a", SiteName: "example.com"}},
		{"joiners", "<title>👩\u200d💻 क\u200cष</title>", "text/html; charset=utf-8", Metadata{Title: "👩\u200d💻 क\u200cष", SiteName: "example.com"}},
		{"XHTML", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head>`, "application/xhtml+xml", Metadata{Title: "x", SiteName: "example.com"}},
		{"no content type", "<!doctype html><title>t</title>", "", Metadata{Title: "t", SiteName: "example.com"}},
		{"a content type that is half broken", "<title>t</title>", "text/html; charset", Metadata{Title: "t", SiteName: "example.com"}},
		{"no HTML", "<title>t</title>", "text/plain", Metadata{Title: "q4.html", SiteName: "example.com"}},
		{"an empty page", "", "text/html", Metadata{SiteName: "example.com"}},
		{"a tag that is cut off", `<title>t</title><meta property="og:title" content="o`, "text/html", Metadata{Title: "t", SiteName: "example.com"}},
		{"an attribute without end", `<title>t</title><meta content="` + strings.Repeat("a", 200<<10), "text/html", Metadata{Title: "t", SiteName: "example.com"}},
		{"the first of an attribute", `<meta property=og:title content=1 content=2>`, "text/html", Metadata{Title: "1", SiteName: "example.com"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			if got := metadataOf(t, c.page, c.contentType, from); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
	if got := metadataOf(t, "%PDF-1.7", "application/pdf", "https://example.com/%E8%B3%87%E6%96%99/%E7%9B%AE%E6%A8%99%202026.pdf?download=1"); got.Title != "目標 2026.pdf" {
		t.Errorf("a file: %+v", got)
	}
	if got := metadataOf(t, "GIF89a", "image/gif", "https://example.com/"); got.Title != "" {
		t.Errorf("a file without a name: %+v", got)
	}
}

func TestMetadataInEveryEncoding(t *testing.T) {
	t.Parallel()
	const japaneseTitle, japaneseText = "四半期の目標と成果", "髙橋さんの資料①です。ﾃｽﾄも"
	const westernTitle, westernText = "Les résultats clés – été", "“Déjà vu”, 5 €"
	utf16 := xunicode.UTF16(xunicode.LittleEndian, xunicode.UseBOM)
	for _, c := range []struct {
		what        string
		encoding    encoding.Encoding
		contentType string
		meta        string
		western     bool
		plain       bool // without characters that only CP932 has
	}{
		{what: "UTF-8 by header", encoding: encoding.Nop, contentType: "text/html; charset=UTF-8"},
		{what: "UTF-8 by meta", encoding: encoding.Nop, contentType: "text/html", meta: `<meta charset="utf-8">`},
		{what: "UTF-8 by its looks", encoding: encoding.Nop, contentType: "text/html"},
		{what: "UTF-8 by its mark, whatever the header says", encoding: xunicode.UTF8BOM, contentType: "text/html; charset=Shift_JIS"},
		{what: "Shift_JIS by header", encoding: japanese.ShiftJIS, contentType: "text/html; charset=Shift_JIS"},
		{what: "Shift_JIS by meta", encoding: japanese.ShiftJIS, contentType: "text/html", meta: `<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">`},
		{what: "Shift_JIS by header, whatever meta says", encoding: japanese.ShiftJIS, contentType: "text/html; charset=shift_jis", meta: `<meta charset="utf-8">`},
		{what: "Windows-31J", encoding: japanese.ShiftJIS, contentType: "text/html; charset=Windows-31J"},
		{what: "CP932 by header", encoding: japanese.ShiftJIS, contentType: "text/html; charset=CP932"},
		{what: "CP932 by meta", encoding: japanese.ShiftJIS, contentType: "text/html", meta: `<meta http-equiv=Content-Type content="text/html;charset=cp932">`},
		{what: "EUC-JP by header", encoding: japanese.EUCJP, contentType: "text/html; charset=EUC-JP"},
		{what: "EUC-JP by meta", encoding: japanese.EUCJP, contentType: "text/html", meta: `<meta charset=euc-jp>`},
		{what: "ISO-2022-JP", encoding: japanese.ISO2022JP, contentType: "text/html; charset=iso-2022-jp", plain: true},
		{what: "ISO-2022-JP by meta", encoding: japanese.ISO2022JP, contentType: "text/html", meta: `<meta charset=iso-2022-jp>`, plain: true},
		{what: "windows-1252 by header", encoding: charmap.Windows1252, contentType: "text/html; charset=windows-1252", western: true},
		{what: "windows-1252 that calls itself Latin 1", encoding: charmap.Windows1252, contentType: "text/html; charset=ISO-8859-1", western: true},
		{what: "windows-1252 for want of anything else", encoding: charmap.Windows1252, contentType: "text/html", western: true},
		{what: "a charset that nobody knows", encoding: encoding.Nop, contentType: "text/html; charset=klingon"},
		{what: "UTF-16 by its mark", encoding: utf16, contentType: "text/html"},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			title, text := japaneseTitle, japaneseText
			if c.western {
				title, text = westernTitle, westernText
			}
			if c.plain {
				text = "資料です。"
			}
			page, err := c.encoding.NewEncoder().String("<html><head>" + c.meta + "<title>" + title + `</title><meta name="description" content="` + text + `"></head><body>`)
			if err != nil {
				t.Fatal(err)
			}
			if got := metadataOf(t, page, c.contentType, "https://example.com/"); got.Title != title || got.Description != text {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestTextIsCutToItsColumn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		length int
		want   string
	}{
		{"12345", 5, "12345"},
		{"123456", 5, "1234…"},
		{"1234 6", 5, "1234…"},
		{"123 56", 5, "123…"},
		{"12345   ", 5, "12345"},
		{"目標と成果です", 5, "目標と成…"},
		{"12345\u202e", 5, "12345"},
		{"  ", 5, ""},
		{"a\r\n\t\u3000\u2028b", 5, "a b"},
	} {
		if got := clean(c.text, c.length); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.text, c.length, got, c.want)
		}
	}
	long := strings.Repeat("目標 ", 2000)
	m := metadataOf(t, `<meta property=og:title content="`+long+`"><meta property=og:description content="`+long+`"><meta property=og:site_name content="`+long+`">`, "text/html; charset=utf-8", "https://example.com/")
	if utf8.RuneCountInString(m.Title) > maxTitle || utf8.RuneCountInString(m.Description) > maxDescription || utf8.RuneCountInString(m.SiteName) > maxSiteName || !strings.HasSuffix(m.Title, "…") {
		t.Errorf("%d, %d and %d characters", utf8.RuneCountInString(m.Title), utf8.RuneCountInString(m.Description), utf8.RuneCountInString(m.SiteName))
	}
}

// endless is a page that never gets to its body.
type endless struct {
	piece string
	read  int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.piece[e.read%len(e.piece):])
	e.read += n
	return n, nil
}

func TestAPageIsReadToItsBodyOrTheBound(t *testing.T) {
	t.Parallel()
	from := at(t, "https://example.com/")
	forEver := &endless{piece: `<meta name="x" content="y">`}
	if _, err := readMetadata(io.MultiReader(strings.NewReader("<title>t</title>"), forEver), "text/html", from); err != nil || forEver.read > maxHead {
		t.Errorf("%d bytes of a page without end, %v", forEver.read, err)
	}
	rest := &endless{piece: "text "}
	if _, err := readMetadata(io.MultiReader(strings.NewReader("<title>t</title><body>"), rest), "text/html", from); err != nil || rest.read > 64<<10 {
		t.Errorf("%d bytes behind the body's beginning, %v", rest.read, err)
	}
	broken := io.MultiReader(strings.NewReader("<title>t</title>"+strings.Repeat(" ", 2000)), iotest.ErrReader(io.ErrUnexpectedEOF))
	if _, err := readMetadata(broken, "text/html", from); err == nil {
		t.Error("a page that broke off in its head counts as read")
	}
}

func FuzzMetadata(f *testing.F) {
	sjis, _ := japanese.ShiftJIS.NewEncoder().String("<title>四半期の目標</title>")
	jis, _ := japanese.ISO2022JP.NewEncoder().String("<title>四半期の目標</title>")
	for _, page := range []string{"", "<title>t</title>", sjis, jis, "\xff\xfe<\x00t\x00", `<base href="//[::1]/"><meta property=og:image content=i.png>`,
		`<meta property="og:image" content="http://a b/">`, "<meta charset=utf-16><title>\x00t</title>", "<plaintext><title>", "<title>\u202e\u0000</title>",
		`<meta property=og:title content="` + strings.Repeat("あ", 400) + `">`, "<!--", "<![CDATA[<title>x</title>]]>", "<svg><title>s</title></svg>"} {
		for _, kind := range []string{"text/html", "text/html; charset=shift_jis", "text/html; charset=iso-2022-jp", "", "image/png", "text/html; charset=cp932"} {
			f.Add(page, kind, "https://example.com/a/b.html")
		}
	}
	f.Fuzz(func(t *testing.T, page, contentType, raw string) {
		from, err := parseURL(raw)
		if err != nil {
			return
		}
		m, err := readMetadata(strings.NewReader(page), contentType, from)
		if err != nil {
			t.Fatalf("a page that was read to its end: %v", err)
		}
		for _, field := range []struct {
			text   string
			length int
		}{{m.Title, maxTitle}, {m.Description, maxDescription}, {m.SiteName, maxSiteName}, {m.ImageURL, maxURL}} {
			if !utf8.ValidString(field.text) || utf8.RuneCountInString(field.text) > field.length {
				t.Fatalf("%q", field.text)
			}
			if strings.ContainsFunc(field.text, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
				t.Fatalf("controls in %q", field.text)
			}
			if field.text != strings.TrimSpace(field.text) {
				t.Fatalf("blanks around %q", field.text)
			}
		}
		if m.ImageURL != "" {
			if again, err := Normalise(m.ImageURL); err != nil || again != m.ImageURL {
				t.Fatalf("the image %q: %q, %v", m.ImageURL, again, err)
			}
		}
	})
}
