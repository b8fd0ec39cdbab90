// Says what an API server makes of rules of custom resource definitions, and writes it into the files of packages/cel/test-data:
//
//	go run rule-facts.go compiled-rules.json   compiles each rule: whether it is refused, and what it costs
//	go run rule-facts.go checked-schemas.json  validates a definition with each schema: the fields that have errors
//	go run rule-facts.go functions.json        the functions that a rule can call, with the types of their arguments
//
// It needs the modules k8s.io/apiextensions-apiserver and k8s.io/apiserver v0.36.3.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	celgo "github.com/google/cel-go/cel"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

type compiledRule struct {
	Schema            string  `json:"schema"`
	Rule              string  `json:"rule"`
	MessageExpression string  `json:"messageExpression,omitempty"`
	OptionalOldSelf   *bool   `json:"optionalOldSelf,omitempty"`
	Refused           bool    `json:"refused,omitempty"`
	Cost              *uint64 `json:"cost,string,omitempty"`
	Cardinality       uint64  `json:"cardinality,omitempty"`
	UsesOldSelf       bool    `json:"usesOldSelf,omitempty"`
	MessageRefused    bool    `json:"messageRefused,omitempty"`
	MessageCost       *uint64 `json:"messageCost,string,omitempty"`
}

type namedSchema struct {
	Root   bool            `json:"root,omitempty"`
	Schema json.RawMessage `json:"schema"`
}

type compiledRules struct {
	Schemas map[string]namedSchema `json:"schemas"`
	Rules   []*compiledRule        `json:"rules"`
}

type checkedSchema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
	Errors []string        `json:"errors"`
}

func main() {
	path := os.Args[1]
	var lines []string
	switch filepath.Base(path) {
	case "compiled-rules.json":
		lines = compileRules(path)
	case "checked-schemas.json":
		lines = checkSchemas(path)
	default:
		lines = functions()
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		panic(err)
	}
}

func compileRules(path string) []string {
	var facts compiledRules
	read(path, &facts)
	lines := []string{`{`, `"schemas": {`}
	names := []string{}
	for name := range facts.Schemas {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		lines = append(lines, fmt.Sprintf("%q: %s%s", name, oneLine(facts.Schemas[name]), comma(i, len(names))))
	}
	lines = append(lines, `},`, `"rules": [`)
	for i, rule := range facts.Rules {
		compile(rule, facts.Schemas[rule.Schema])
		lines = append(lines, oneLine(rule)+comma(i, len(facts.Rules)))
	}
	return append(lines, `]`, `}`)
}

func compile(rule *compiledRule, named namedSchema) {
	*rule = compiledRule{Schema: rule.Schema, Rule: rule.Rule, MessageExpression: rule.MessageExpression, OptionalOldSelf: rule.OptionalOldSelf}
	var props v1.JSONSchemaProps
	must(json.Unmarshal(named.Schema, &props))
	props.XValidations = v1.ValidationRules{{Rule: rule.Rule, MessageExpression: rule.MessageExpression, OptionalOldSelf: rule.OptionalOldSelf}}
	internal := &apiextensions.JSONSchemaProps{}
	must(v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, internal, nil))
	structural, err := schema.NewStructural(internal)
	must(err)
	env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	results, err := cel.Compile(structural, model.SchemaDeclType(structural, named.Root), celconfig.PerCallLimit, env, cel.NewExpressionsEnvLoader())
	must(err)
	result := results[0]
	if result.Error != nil {
		rule.Refused = true
		return
	}
	rule.Cost, rule.Cardinality, rule.UsesOldSelf = &result.MaxCost, result.MaxCardinality, result.UsesOldSelf
	if result.MessageExpressionError != nil {
		rule.MessageRefused = true
	} else if rule.MessageExpression != "" {
		rule.MessageCost = &result.MessageExpressionMaxCost
	}
}

func checkSchemas(path string) []string {
	var schemas []*checkedSchema
	read(path, &schemas)
	lines := []string{`[`}
	for i, checked := range schemas {
		checked.Errors = validate(checked.Schema)
		lines = append(lines, oneLine(checked)+comma(i, len(schemas)))
	}
	return append(lines, `]`)
}

func validate(openAPIV3Schema json.RawMessage) []string {
	var props v1.JSONSchemaProps
	must(json.Unmarshal(openAPIV3Schema, &props))
	crd := v1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "things.example.com"},
		Spec: v1.CustomResourceDefinitionSpec{
			Group: "example.com",
			Scope: v1.NamespaceScoped,
			Names: v1.CustomResourceDefinitionNames{Plural: "things", Singular: "thing", Kind: "Thing", ListKind: "ThingList"},
			Versions: []v1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true, Schema: &v1.CustomResourceValidation{OpenAPIV3Schema: &props},
			}},
		},
	}
	v1.SetDefaults_CustomResourceDefinition(&crd)
	v1.SetDefaults_CustomResourceDefinitionSpec(&crd.Spec)
	var internal apiextensions.CustomResourceDefinition
	must(v1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&crd, &internal, nil))
	internal.Status.StoredVersions = []string{"v1"}
	fields := []string{}
	for _, e := range validation.ValidateCustomResourceDefinition(context.Background(), &internal) {
		fields = append(fields, strings.TrimPrefix(e.Field, "spec.validation.openAPIV3Schema"))
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

func functions() []string {
	declared := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).NewExpressionsEnv().Functions()
	names := []string{}
	for name := range declared {
		names = append(names, name)
	}
	slices.Sort(names)
	lines := []string{`[`}
	for _, name := range names {
		for _, overload := range declared[name].OverloadDecls() {
			args := []string{}
			for _, arg := range overload.ArgTypes() {
				args = append(args, celgo.FormatCELType(arg))
			}
			lines = append(lines, oneLine(map[string]any{
				"name": name, "id": overload.ID(), "method": overload.IsMemberFunction(), "args": args, "result": celgo.FormatCELType(overload.ResultType()),
			})+",")
		}
	}
	lines[len(lines)-1] = strings.TrimSuffix(lines[len(lines)-1], ",")
	return append(lines, `]`)
}

func read(path string, into any) {
	data, err := os.ReadFile(path)
	must(err)
	must(json.Unmarshal(data, into))
}

func oneLine(value any) string {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	must(encoder.Encode(value))
	return strings.TrimSpace(buffer.String())
}

func comma(i, count int) string {
	if i < count-1 {
		return ","
	}
	return ""
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
