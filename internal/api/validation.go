package api

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

// basePath stands before every route of the API.
const basePath = "/api/v1"

// Description is the API's OpenAPI 3.0.3 description, as it is served.
//
//go:embed openapi.yaml
var Description []byte

// validation checks requests against the description, so that what it promises of a field is checked where it is promised.
type validation struct {
	routes          map[string]*routers.Route // by method and path, as Gin writes it
	streamed        map[string]int64          // the routes whose handlers read the body, with its bound in bytes: x-streamed-body
	notInProduction map[string]bool           // x-outside-production
	sessionsOnly    map[string]bool           // x-sessions-only
}

// routeOf is the route of a request, by method and path as Gin writes it.
func routeOf(c *gin.Context) string { return c.Request.Method + " " + c.FullPath() }

func newValidation() (validation, error) {
	loader := openapi3.NewLoader()
	document, err := loader.LoadFromData(Description)
	if err != nil {
		return validation{}, fmt.Errorf("api: description: %w", err)
	}
	v := validation{routes: map[string]*routers.Route{}, streamed: map[string]int64{}, notInProduction: map[string]bool{}, sessionsOnly: map[string]bool{}}
	for path, item := range document.Paths.Map() {
		for method, operation := range item.Operations() {
			operation.Parameters = append(operation.Parameters, item.Parameters...)
			name := method + " " + basePath + strings.NewReplacer("{", ":", "}", "").Replace(path)
			v.routes[name] = &routers.Route{Spec: document, Path: path, PathItem: item, Method: method, Operation: operation}
			if limit, ok := operation.Extensions["x-streamed-body"].(float64); ok {
				v.streamed[name] = int64(limit)
			}
			v.notInProduction[name] = operation.Extensions["x-outside-production"] == true
			v.sessionsOnly[name] = operation.Extensions["x-sessions-only"] == true
		}
	}
	return v, nil
}

// uuidFormat is stricter than uuid.Parse, which takes braces and URNs too.
func uuidFormat(s string) error {
	if len(s) != 36 {
		return errors.New("not a UUID")
	}
	_, err := uuid.Parse(s)
	return err
}

func (s *Server) validate(c *gin.Context) {
	route, ok := s.validation.routes[routeOf(c)]
	if !ok {
		c.Next()
		return
	}
	parameters := make(map[string]string, len(c.Params))
	for _, p := range c.Params {
		parameters[p.Key] = p.Value
	}
	if refused := repeated(c.Request, route.Operation.Parameters); len(refused) > 0 {
		s.fail(c, badRequest(refused...))
		return
	}
	_, streamed := s.validation.streamed[routeOf(c)]
	if streamed {
		if refused, ok := wrongStreamedType(c.GetHeader("Content-Type"), route.Operation); ok {
			s.fail(c, badRequest(refused))
			return
		}
	}
	checked := c.Request
	if streamed {
		checked = c.Request.WithContext(c.Request.Context()) // a copy: the library reads a body whole, even where it does not check it
		checked.Body = http.NoBody
	}
	err := openapi3filter.ValidateRequest(c.Request.Context(), &openapi3filter.RequestValidationInput{
		Request: checked, PathParams: parameters, Route: route,
		Options: &openapi3filter.Options{MultiError: true, SkipSettingDefaults: true, ExcludeRequestBody: streamed, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	})
	if err != nil {
		s.fail(c, validationProblem(err))
		return
	}
	c.Next()
}

// wrongStreamedType says which media types a streamed body may have, if this is none of them.
func wrongStreamedType(header string, operation *openapi3.Operation) (FieldProblem, bool) {
	content := operation.RequestBody.Value.Content
	mediaType, _, err := mime.ParseMediaType(header)
	if _, ok := content[mediaType]; ok && err == nil {
		return FieldProblem{}, false
	}
	refused := wrongContentType()
	refused.Detail = "Send " + strings.Join(slices.Sorted(maps.Keys(content)), " or ") + "."
	return refused, true
}

// repeated names the parameters that came more than once: which one is meant, nobody can know, and a proxy may have thought otherwise.
func repeated(r *http.Request, parameters openapi3.Parameters) (refused []FieldProblem) {
	query := r.URL.Query()
	for _, p := range parameters {
		in, name := p.Value.In, p.Value.Name
		if in == openapi3.ParameterInQuery && len(query[name]) > 1 || in == openapi3.ParameterInHeader && len(r.Header.Values(name)) > 1 {
			refused = append(refused, FieldProblem{Pointer: "/" + in + "/" + name, Code: "repeated", Detail: "Send it once."})
		}
	}
	return refused
}

// validationProblem is 400 for what cannot be read, such as a parameter or a wrong type, and 422 for what can be read but breaks a rule.
func validationProblem(err error) error {
	fields, unreadable := flatten(err, "", nil, false)
	if unreadable {
		return badRequest(fields...)
	}
	return invalid(fields...)
}

func flatten(err error, at string, fields []FieldProblem, unreadable bool) ([]FieldProblem, bool) {
	var request *openapi3filter.RequestError
	var schema *openapi3.SchemaError
	switch e := err.(type) { //nolint:errorlint // the outermost type decides; As would skip the wrapper that knows where
	case openapi3.MultiError:
		for _, one := range e {
			fields, unreadable = flatten(one, at, fields, unreadable)
		}
		return fields, unreadable
	case *openapi3filter.RequestError:
		request = e
	case *openapi3.SchemaError:
		schema = e
	}
	switch {
	case request != nil && request.Parameter != nil:
		at = "/" + request.Parameter.In + "/" + request.Parameter.Name
		return append(fields, FieldProblem{Pointer: at, Code: "parameter", Detail: parameterDetail(request)}), true
	case request != nil && request.Err != nil && isSchema(request.Err):
		return flatten(request.Err, at, fields, unreadable)
	case request != nil && errors.Is(request.Err, openapi3filter.ErrInvalidRequired):
		return append(fields, FieldProblem{Pointer: at, Code: "required", Detail: "A JSON body is needed."}), true
	case request != nil && strings.Contains(request.Reason, "header Content-Type"):
		return append(fields, wrongContentType()), true
	case schema != nil:
		code := schema.SchemaField
		path := schema.JSONPointer()
		if name, ok := unknownField(schema); ok {
			path = append(path, name)
		}
		pointer := at
		for _, part := range path {
			pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(part)
		}
		wrongType := code == "type" || code == "format" && schema.Schema != nil && schema.Schema.Format == "uuid"
		return append(fields, FieldProblem{Pointer: pointer, Code: schemaCode(code), Detail: sentence(schema.Reason)}), unreadable || wrongType
	}
	return append(fields, FieldProblem{Pointer: at, Code: "syntax", Detail: "The request does not fit the description."}), true
}

func wrongContentType() FieldProblem {
	return FieldProblem{Pointer: "/header/Content-Type", Code: "content-type", Detail: "Send application/json."}
}

// unknownField returns the name of a field that its object has no place for; the library names it in words alone.
func unknownField(e *openapi3.SchemaError) (name string, ok bool) {
	if e.SchemaField != "properties" {
		return "", false
	}
	quoted, err := strconv.QuotedPrefix(strings.TrimPrefix(e.Reason, "property "))
	if err != nil {
		return "", false
	}
	name, err = strconv.Unquote(quoted)
	return name, err == nil
}

func isSchema(err error) bool {
	var schema *openapi3.SchemaError
	var several openapi3.MultiError
	return errors.As(err, &schema) || errors.As(err, &several)
}

func parameterDetail(e *openapi3filter.RequestError) string {
	var schema *openapi3.SchemaError
	if errors.As(e.Err, &schema) {
		return sentence(schema.Reason)
	}
	if errors.Is(e.Err, openapi3filter.ErrInvalidRequired) {
		return "It is required."
	}
	return "It cannot be read."
}

// schemaCode names a rule of the description the way the domain's rules are named.
func schemaCode(field string) string {
	switch field {
	case "properties", "additionalProperties":
		return "unknown-field"
	case "minLength":
		return "too-short"
	case "maxLength":
		return "too-long"
	case "minimum", "maximum":
		return "out-of-range"
	case "minItems":
		return "too-few"
	case "maxItems":
		return "too-many"
	case "enum":
		return "not-a-choice"
	case "":
		return "invalid"
	}
	return field
}

func sentence(s string) string {
	if s == "" {
		return "It is against the description."
	}
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".") + "."
}

func init() { openapi3.DefineStringFormatValidator("uuid", openapi3.NewCallbackValidator(uuidFormat)) }
