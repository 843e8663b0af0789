package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kakeai/kakeai/internal/auth"
	"github.com/kakeai/kakeai/internal/background"
	"github.com/kakeai/kakeai/internal/db"
)

const (
	maxBody      = 1 << 20 // bytes
	maxDepth     = 32      // levels of nesting in a body
	maxUserAgent = 400     // characters kept of it

	bodyTime      = 30 * time.Second // for any body to come
	slowestUpload = 256 << 10        // bytes a second, for a body that the handler reads itself
)

var requestIDs = regexp.MustCompile(`^[A-Za-z0-9._-]{8,100}$`)

// begin opens the exchange, which everything after it reads, and the scope of what is deferred, which ends with the answer; and it logs how that ended.
func (s *Server) begin(c *gin.Context) {
	started := time.Now()
	x := &exchange{
		requestID: requestID(c.Request),
		address:   s.address(c.Request),
		userAgent: truncate(strings.ReplaceAll(strings.ToValidUTF8(c.Request.UserAgent(), "\uFFFD"), "\x00", ""), maxUserAgent),
		secure:    secure(c.Request, s.options.TrustProxy),
		unsafe:    c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead,
		page:      strings.Contains(c.Request.Header.Get("Accept"), "text/html"),

		deliveries: s.options.Deliveries,
	}
	x.token, x.signedIn = tokenOf(c.Request, x.secure)
	if cookie, err := c.Request.Cookie(attemptCookieName(x.secure)); err == nil {
		x.attempt = cookie.Value
	}
	ctx := withExchange(c.Request.Context(), x)
	if s.options.Deferred != nil {
		var scope *background.Scope
		ctx, scope = s.options.Deferred.Open(ctx, slog.String("request_id", x.requestID))
		defer scope.Close() // also where the connection is dropped by a panic
	}
	c.Request = c.Request.WithContext(ctx)
	setCommon(c.Writer.Header(), x.requestID)
	c.Next()
	took := time.Since(started)
	s.log.InfoContext(c.Request.Context(), "request", "request_id", x.requestID, "method", c.Request.Method, "route", c.FullPath(),
		"status", c.Writer.Status(), "bytes", c.Writer.Size(), "milliseconds", took.Milliseconds())
	if s.options.Observe != nil {
		s.options.Observe(Answered{Method: knownMethod(c.Request.Method), Route: c.FullPath(), Status: c.Writer.Status(), Took: took})
	}
}

// knownMethod keeps clients from making up what is counted.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// requestID is the client's own id of the request, if it is one that can stand in a log, or a new one.
func requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	if !requestIDs.MatchString(id) {
		return db.NewID().String()
	}
	return id
}

// secure reports whether the request came by HTTPS, if need be to the proxy in front.
func secure(r *http.Request, trustProxy bool) bool {
	return r.TLS != nil || trustProxy && r.Header.Get("X-Forwarded-Proto") == "https"
}

// setCommon sets what every answer carries.
func setCommon(header http.Header, requestID string) {
	header.Set("X-Request-Id", requestID)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cache-Control", "no-store")
}

// address is where the request came from. What a proxy says of it counts only where a proxy is known to stand in front.
func (s *Server) address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	if s.options.TrustProxy {
		forwarded := strings.Join(r.Header.Values("X-Forwarded-For"), ",")             // some proxies add to the line, others add a line
		last := strings.TrimSpace(forwarded[strings.LastIndexByte(forwarded, ',')+1:]) // the one that our own proxy added
		if a, err := netip.ParseAddr(last); err == nil {
			return a.WithZone("").String()
		}
	}
	return truncate(host, 64)
}

func truncate(s string, runes int) string {
	if utf8.RuneCountInString(s) <= runes {
		return s
	}
	return string([]rune(s)[:runes])
}

// bearer is the token that the request brings by itself, and that no cookie stands in for.
func bearer(r *http.Request) (token string, ok bool) {
	return strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
}

func tokenOf(r *http.Request, secure bool) (auth.Token, bool) {
	if bearer, ok := bearer(r); ok {
		token, err := auth.ParseToken(bearer)
		return token, err == nil
	}
	cookie, err := r.Cookie(cookieName(secure))
	if err != nil {
		return auth.Token{}, false
	}
	token, err := auth.ParseToken(cookie.Value)
	return token, err == nil && !token.API // which no browser is meant to keep
}

// recovered turns a panic into a problem, and the panic into a line of the log.
func (s *Server) recovered(c *gin.Context) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(cause) // net/http's own way to drop a connection
		}
		s.log.ErrorContext(c.Request.Context(), "panic", "request_id", exchangeOf(c.Request.Context()).requestID, "route", c.FullPath(),
			"cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
		if !c.Writer.Written() {
			s.fail(c, errInternal)
		}
		c.Abort()
	}()
	c.Next()
}

// sameOrigin refuses writes that a page of another origin made the browser send. Clients with a token are no browsers with a cookie, and go free.
// Other schemes do not: browsers send the Basic credentials of a proxy in front by themselves, and the cookie with them.
func (s *Server) sameOrigin(c *gin.Context) {
	if _, ok := bearer(c.Request); !ok && s.crossOrigin.Check(c.Request) != nil {
		s.fail(c, errCrossOrigin)
		return
	}
	c.Next()
}

// personally keeps what is between a person and this program from those who have a token that the person made: before a body is read or a row is looked at. That a token is one, its prefix
// says; with another it would be none.
func (s *Server) personally(c *gin.Context) {
	x := exchangeOf(c.Request.Context())
	if x.signedIn && x.token.API && s.validation.sessionsOnly[routeOf(c)] {
		s.fail(c, errSessionNeeded)
		return
	}
	c.Next()
}

// outsideProduction keeps what is not for production from running there: before a body is read, a row is looked at, or a handler is called.
func (s *Server) outsideProduction(c *gin.Context) {
	if s.options.Production && s.validation.notInProduction[routeOf(c)] {
		s.fail(c, errNotInProduction)
		return
	}
	c.Next()
}

// readBody reads a bounded body, once, before anything else looks at it, and refuses what is not clean JSON.
func (s *Server) readBody(c *gin.Context) {
	x := exchangeOf(c.Request.Context())
	x.idempotencyKey = c.GetHeader("Idempotency-Key")
	if !utf8.ValidString(x.idempotencyKey) {
		s.fail(c, badRequest(FieldProblem{Pointer: "/header/Idempotency-Key", Code: "invalid-utf8", Detail: "The header is not UTF-8."}))
		return
	}
	if c.GetHeader("Content-Encoding") != "" {
		s.fail(c, badRequest(FieldProblem{Pointer: "/header/Content-Encoding", Code: "content-encoding", Detail: "Send the body as it is."}))
		return
	}
	if limit, ok := s.validation.streamed[routeOf(c)]; ok { // the handler reads it, once it knows who asks
		c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, limit)
		x.mediaType = c.ContentType()
		allowTime(c.Writer, bodyTime+time.Duration(limit/slowestUpload)*time.Second)
		c.Next()
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, maxBody))
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			s.fail(c, errTooLarge)
			return
		}
		s.fail(c, badRequest(FieldProblem{Pointer: "", Code: "body-incomplete", Detail: "The body broke off."}))
		return
	}
	if len(body) > 0 {
		if refused := checkJSON(body); refused != nil {
			s.fail(c, badRequest(*refused))
			return
		}
	}
	hash := sha256.New()
	_, _ = fmt.Fprintf(hash, "%s %s\n%s\n", c.Request.Method, c.Request.URL.EscapedPath(), c.GetHeader("If-Match")) // a hash takes everything
	_, _ = hash.Write(body)
	hash.Sum(x.payload[:0])
	c.Request.Body = io.NopCloser(bytes.NewReader(body))
	c.Request.ContentLength = int64(len(body))
	c.Next()
}

// allowTime gives a request that carries much longer than the others have. A server without deadlines needs none extended.
func allowTime(w http.ResponseWriter, longest time.Duration) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(longest))
	_ = control.SetWriteDeadline(time.Now().Add(longest + bodyTime))
}

// checkJSON finds what encoding/json would let pass or quietly change: broken UTF-8, lone surrogates, NULs that PostgreSQL cannot hold,
// a name given twice, a second value behind the first, and nesting without end.
func checkJSON(body []byte) *FieldProblem {
	decoder := jsontext.NewDecoder(bytes.NewReader(body))
	for ended := false; ; {
		token, err := decoder.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		pointer := string(decoder.StackPointer())
		if err != nil {
			return jsonProblem(pointer, err)
		}
		if ended {
			return &FieldProblem{Pointer: "", Code: "syntax", Detail: "Something stands behind the JSON value."}
		}
		if decoder.StackDepth() > maxDepth {
			return &FieldProblem{Pointer: pointer, Code: "too-deep", Detail: fmt.Sprintf("At most %d levels.", maxDepth)}
		}
		if token.Kind() == '"' && strings.ContainsRune(token.String(), 0) {
			return &FieldProblem{Pointer: pointer, Code: "nul", Detail: "A text cannot hold the NUL character."}
		}
		ended = decoder.StackDepth() == 0
	}
}

func jsonProblem(pointer string, err error) *FieldProblem {
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) && syntactic.JSONPointer != "" {
		pointer = string(syntactic.JSONPointer)
	}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return &FieldProblem{Pointer: pointer, Code: "duplicate-name", Detail: "The same name stands twice."}
	case strings.Contains(err.Error(), "invalid UTF-8"), strings.Contains(err.Error(), "surrogate"):
		return &FieldProblem{Pointer: pointer, Code: "invalid-text", Detail: "The text is not valid Unicode."}
	}
	return &FieldProblem{Pointer: pointer, Code: "syntax", Detail: "This is not valid JSON."}
}

// decodeBody fills body from what readBody and the validation have let through. A streamed one is handed over as it comes.
func decodeBody(r *http.Request, body any) error {
	if streamed, ok := body.(*io.Reader); ok {
		*streamed = r.Body
		return nil
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if len(raw) == 0 {
		return badRequest(FieldProblem{Pointer: "", Code: "required", Detail: "A JSON body is needed."})
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(body)
	var wrongType *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrongType):
		return badRequest(FieldProblem{Pointer: "/" + strings.ReplaceAll(wrongType.Field, ".", "/"), Code: "type", Detail: "The value has the wrong type or is out of range."})
	}
	return badRequest(FieldProblem{Pointer: "", Code: "syntax", Detail: "The body does not fit."})
}
