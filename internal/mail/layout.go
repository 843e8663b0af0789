package mail

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"
)

//go:embed layout.html.tmpl
var layout string

// layouts bring pages into the two forms that a mail has.
type layouts struct{ html *template.Template }

func newLayouts() (layouts, error) {
	html, err := template.New("layout.html.tmpl").Parse(layout)
	if err != nil {
		return layouts{}, fmt.Errorf("mail: %w", err)
	}
	return layouts{html}, nil
}

// render writes out both forms.
func (l layouts) render(p *page) (text, html string, err error) {
	var out strings.Builder
	if err := l.html.Execute(&out, p); err != nil {
		return "", "", fmt.Errorf("mail: %w", err)
	}
	return p.text(), out.String(), nil
}

// text is the page for readers without HTML, in blocks with a line between them.
func (p *page) text() string {
	var blocks []string
	add := func(lines ...string) {
		if len(lines) > 0 {
			blocks = append(blocks, strings.Join(lines, "\n"))
		}
	}
	add(p.Heading)
	for _, s := range p.Sections {
		if s.Heading != "" {
			add("== " + s.Heading + " ==")
		}
		for _, w := range s.Words {
			add(w...)
		}
		for _, q := range s.Quote {
			var quoted []string
			for _, line := range q {
				quoted = append(quoted, strings.TrimRight("> "+line, " "))
			}
			add(quoted...)
		}
		var facts []string
		for _, f := range s.Facts {
			facts = append(facts, f.Name+p.say("：", ": ")+f.Value)
		}
		add(facts...)
		for _, i := range s.Items {
			add(i.text(p)...)
		}
	}
	if p.Button != nil {
		add(p.Button.Text+p.say("：", ":"), p.Button.Address)
	}
	if p.Note != "" {
		add(p.Note)
	}
	footer := []string{"-- ", p.Footer}
	for _, l := range p.Links {
		footer = append(footer, l.Text+p.say("：", ": ")+l.Address)
	}
	add(footer...)
	return strings.Join(blocks, "\n\n") + "\n"
}

func (i item) text(p *page) []string {
	line := p.say("・", "* ") + i.Title
	if i.Alarm != "" {
		line += p.sayf("【%s】", " [%s]", i.Alarm)
	}
	lines := []string{line}
	for _, more := range []string{i.Detail, i.Link} {
		if more != "" {
			lines = append(lines, p.say("　", "  ")+more)
		}
	}
	return lines
}
