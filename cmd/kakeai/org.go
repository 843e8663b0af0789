package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/config"
	"github.com/kakeai/kakeai/internal/snapshot"
)

const orgUsage = `Usage: kakeai org COMMAND

  bootstrap --name NAME --owner-email ADDRESS
                  makes an organisation with an owner, whose first password is printed, once
      --owner-name NAME        what the owner is called; the address if left out
      --locale ja|en           of organisation and owner; en
      --time-zone ZONE         such as Asia/Tokyo, of organisation and owner; UTC
      --password-stdin         takes the first password from the first line of standard input
      --people N --objectives N
                               fills it with made-up people and objectives, for measuring: 10,000 and 100,000 take some minutes
      --seed N                 others than those of seed 0
  export ORG      writes everything of an organisation to standard output
      --with-password-hashes   so that members sign in as before where it is imported
  import [FILE]   brings an export, or standard input, into a database that does not have the organisation
  verify ORG      looks for everything that cannot be, and fails if it finds something
  maintain ORG    puts right what can be put right without deciding anything, and says what it did

ORG is an organisation's id, or its name if only one has it. All of them sign in with DATABASE_OWNER_URL.
`

// terminal is where a command speaks and is spoken to.
type terminal struct {
	in  io.Reader
	out io.Writer
}

// org is the whole-organisation way for operators.
func org(ctx context.Context, arguments []string, c config.Config, t terminal) error {
	act, err := orgCommand(arguments)
	if err != nil {
		return err
	}
	if c.DatabaseOwnerURL == "" {
		return errNoOwner
	}
	// An installation is closed for maintenance so that commands like these have it to themselves.
	return act(ctx, snapshot.New(c.DatabaseOwnerURL, snapshot.Options{Maintenance: true}), t)
}

type orgAction func(ctx context.Context, whole *snapshot.Database, t terminal) error

// orgCommand reads the arguments, so that what cannot be understood is refused before anything is connected to.
func orgCommand(arguments []string) (orgAction, error) {
	if len(arguments) == 0 {
		return nil, misuse{"bootstrap, export, import, verify or maintain", orgUsage}
	}
	name, rest := arguments[0], arguments[1:]
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	switch name {
	case "bootstrap":
		return bootstrapCommand(flags, rest)
	case "export":
		hashes := flags.Bool("with-password-hashes", false, "")
		which, err := operand(flags, rest, true)
		return func(ctx context.Context, whole *snapshot.Database, t terminal) error {
			return exportOrganization(ctx, whole, which, snapshot.ExportOptions{PasswordHashes: *hashes}, t)
		}, err
	case "import":
		file, err := operand(flags, rest, false)
		return func(ctx context.Context, whole *snapshot.Database, t terminal) error {
			return importOrganization(ctx, whole, file, t)
		}, err
	case "verify":
		which, err := operand(flags, rest, true)
		return func(ctx context.Context, whole *snapshot.Database, t terminal) error {
			return verifyOrganization(ctx, whole, which, t)
		}, err
	case "maintain":
		which, err := operand(flags, rest, true)
		return func(ctx context.Context, whole *snapshot.Database, t terminal) error {
			return maintainOrganization(ctx, whole, which, t)
		}, err
	}
	return nil, misuse{fmt.Sprintf("there is no command %q", name), orgUsage}
}

// operand reads flags, which may stand before or behind the one argument that is none.
func operand(flags *flag.FlagSet, arguments []string, required bool) (string, error) {
	var operands []string
	for len(arguments) > 0 {
		if err := flags.Parse(arguments); err != nil {
			return "", misuse{err.Error(), orgUsage}
		}
		arguments = flags.Args()
		if len(arguments) > 0 {
			operands, arguments = append(operands, arguments[0]), arguments[1:]
		}
	}
	switch {
	case len(operands) > 1:
		return "", misuse{fmt.Sprintf("%q is one argument too many", operands[1]), orgUsage}
	case len(operands) == 1:
		return operands[0], nil
	case required:
		return "", misuse{"say which organisation", orgUsage}
	}
	return "", nil
}

func bootstrapCommand(flags *flag.FlagSet, arguments []string) (orgAction, error) {
	var b snapshot.Bootstrap
	flags.StringVar(&b.Name, "name", "", "")
	flags.StringVar(&b.OwnerEmail, "owner-email", "", "")
	flags.StringVar(&b.OwnerName, "owner-name", "", "")
	flags.StringVar(&b.Locale, "locale", "en", "")
	flags.StringVar(&b.TimeZone, "time-zone", "UTC", "")
	flags.IntVar(&b.People, "people", 0, "")
	flags.IntVar(&b.Objectives, "objectives", 0, "")
	flags.Uint64Var(&b.Seed, "seed", 0, "")
	fromStdin := flags.Bool("password-stdin", false, "")
	if err := flags.Parse(arguments); err != nil {
		return nil, misuse{err.Error(), orgUsage}
	}
	if flags.NArg() > 0 {
		return nil, misuse{fmt.Sprintf("%q is one argument too many", flags.Arg(0)), orgUsage}
	}
	if b.OwnerName == "" {
		b.OwnerName = b.OwnerEmail
	}
	if faults := b.Faults(); len(faults) > 0 {
		f := faults[0]
		return nil, misuse{fmt.Sprintf("--%s: %s", strings.ReplaceAll(strings.TrimPrefix(f.Pointer, "/"), "_", "-"), f.Detail), orgUsage}
	}
	return func(ctx context.Context, whole *snapshot.Database, t terminal) error {
		return bootstrapOrganization(ctx, whole, b, *fromStdin, t)
	}, nil
}

func bootstrapOrganization(ctx context.Context, whole *snapshot.Database, b snapshot.Bootstrap, fromStdin bool, t terminal) error {
	password := newPassword()
	if fromStdin {
		line, err := bufio.NewReader(io.LimitReader(t.in, 4<<10)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read the password: %w", err)
		}
		password = strings.TrimRight(line, "\r\n")
		if err := auth.CheckPassword(password); err != nil {
			return err
		}
	}
	hash, err := auth.NewPasswords(1, auth.PasswordPatience).Hash(ctx, password)
	if err != nil {
		return err
	}
	b.PasswordHash = hash
	made, err := whole.Bootstrap(ctx, b)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "%s is there, as %s.\n\n", b.Name, made.Organization)
	switch {
	case made.OwnerKnown:
		fmt.Fprintf(t.out, "%s has an account here already, and signs in as before.\n", b.OwnerEmail)
	case fromStdin:
		fmt.Fprintf(t.out, "Sign in as %s with the password that was given.\n", b.OwnerEmail)
	default:
		fmt.Fprintf(t.out, "Sign in as %s with this password, which is shown this once:\n\n    %s\n", b.OwnerEmail, password)
	}
	return nil
}

// newPassword has 100 random bits, in groups that can be read out.
func newPassword() string {
	text := strings.ToLower(rand.Text())
	return strings.Join([]string{text[:5], text[5:10], text[10:15], text[15:20]}, "-")
}

func exportOrganization(ctx context.Context, whole *snapshot.Database, which string, o snapshot.ExportOptions, t terminal) error {
	id, err := whole.Find(ctx, which)
	if err != nil {
		return err
	}
	return whole.Export(ctx, id, t.out, o)
}

func importOrganization(ctx context.Context, whole *snapshot.Database, path string, t terminal) error {
	from := t.in
	if path != "" && path != "-" {
		file, err := os.Open(path) //nolint:gosec // the operator's own file
		if err != nil {
			return err
		}
		defer file.Close()
		from = file
	}
	s, err := whole.Import(ctx, bufio.NewReaderSize(from, 1<<16))
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "%s is there, as %s: %s.\n", s.Organization.Name, s.Organization.ID, sizeOf(s))
	return nil
}

func sizeOf(s *snapshot.Snapshot) string {
	keyResults := 0
	for _, o := range s.Objectives {
		keyResults += len(o.KeyResults)
	}
	return fmt.Sprintf("%d members, %d teams, %d cycles, %d objectives, %d key results, %d check-ins", len(s.Memberships), len(s.Teams), len(s.Cycles), len(s.Objectives), keyResults, len(s.CheckIns))
}

func verifyOrganization(ctx context.Context, whole *snapshot.Database, which string, t terminal) error {
	id, err := whole.Find(ctx, which)
	if err != nil {
		return err
	}
	report, err := whole.Verify(ctx, id)
	if err != nil {
		return err
	}
	for _, f := range report.Faults {
		fmt.Fprintln(t.out, f)
	}
	if n := len(report.Faults); n > 0 {
		return fmt.Errorf("%d faults in %s", n, sizeOf(report.Snapshot))
	}
	fmt.Fprintf(t.out, "%s is sound: %s.\n", report.Snapshot.Organization.Name, sizeOf(report.Snapshot))
	return nil
}

func maintainOrganization(ctx context.Context, whole *snapshot.Database, which string, t terminal) error {
	id, err := whole.Find(ctx, which)
	if err != nil {
		return err
	}
	repairs, left, err := whole.Maintain(ctx, id)
	if err != nil {
		return err
	}
	for _, r := range repairs {
		fmt.Fprintln(t.out, r, r.Done)
	}
	for _, f := range left {
		fmt.Fprintln(t.out, "left for people:", f)
	}
	if len(left) > 0 {
		return fmt.Errorf("%d put right, %d left for people", len(repairs), len(left))
	}
	fmt.Fprintf(t.out, "%d put right, nothing left.\n", len(repairs))
	return nil
}
