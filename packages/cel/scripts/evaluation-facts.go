// Says what an API server makes of CEL expressions and of the rules of a schema. It reads one JSON object a line:
//
//	{"expr": …, "schema": <structural schema>, "self": …, "oldSelf": …}
//	    evaluates an expression; prints {"value": …, "error": …, "cost": …}, or {"compileError": …}
//	{"validate": true, "root": <bool>, "schema": …, "self": …, "oldSelf": …}
//	    runs the rules of a schema; prints {"errors": [{"type", "field", "detail"}], "remaining": …}
//
// packages/cel/test-data/ holds what it printed. It needs the modules k8s.io/apiextensions-apiserver and k8s.io/apiserver v0.36.3.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"strconv"
	"time"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	crdcel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

type request struct {
	Validate bool                `json:"validate"`
	Root     bool                `json:"root"`
	Expr     string              `json:"expr"`
	Schema   *v1.JSONSchemaProps `json:"schema"`
	Self     json.RawMessage     `json:"self"`
	OldSelf  json.RawMessage     `json:"oldSelf"`
	Optional bool                `json:"optionalOldSelf"`
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		result := answer(in.Bytes())
		if err := out.Encode(result); err != nil {
			panic(err)
		}
	}
}

func answer(line []byte) (result map[string]any) {
	defer func() {
		if p := recover(); p != nil {
			result = map[string]any{"panic": fmt.Sprint(p)}
		}
	}()
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		panic(err)
	}
	structural := structuralOf(r.Schema)
	self, oldSelf := value(r.Self), value(r.OldSelf)
	if r.Validate {
		return validate(structural, r.Root, self, oldSelf)
	}
	return evaluate(r, structural, self, oldSelf)
}

func structuralOf(props *v1.JSONSchemaProps) *schema.Structural {
	if props == nil {
		return &schema.Structural{Generic: schema.Generic{Type: "object"}}
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, internal, nil); err != nil {
		panic(err)
	}
	structural, err := schema.NewStructural(internal)
	if err != nil {
		panic(err)
	}
	return structural
}

func value(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	var v any
	if err := utiljson.Unmarshal(raw, &v); err != nil {
		panic(err)
	}
	return v
}

func validate(s *schema.Structural, root bool, self, oldSelf any) map[string]any {
	v := crdcel.NewValidator(s, root, celconfig.PerCallLimit)
	var opts []crdcel.Option
	if oldSelf != nil {
		opts = append(opts, crdcel.WithRatcheting(common.NewCorrelatedObject(self, oldSelf, &model.Structural{Structural: s})))
	}
	errs, remaining := v.Validate(context.Background(), field.NewPath("root"), s, self, oldSelf, celconfig.RuntimeCELCostBudget, opts...)
	list := []map[string]any{}
	for _, e := range errs {
		list = append(list, map[string]any{"type": string(e.Type), "field": e.Field, "detail": e.Detail})
	}
	return map[string]any{"errors": list, "remaining": remaining}
}

func evaluate(r request, s *schema.Structural, self, oldSelf any) map[string]any {
	decl := model.SchemaDeclType(s, r.Root).MaybeAssignTypeName("selfType")
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	oldType := decl.CelType()
	if r.Optional {
		oldType = types.NewOptionalType(oldType)
	}
	envSet, err := base.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []celgo.EnvOption{celgo.Variable("self", decl.CelType()), celgo.Variable("oldSelf", oldType)},
		DeclTypes:         []*apiservercel.DeclType{decl},
	})
	if err != nil {
		panic(err)
	}
	env := envSet.StoredExpressionsEnv()
	ast, issues := env.Compile(r.Expr)
	if issues != nil {
		return map[string]any{"compileError": issues.String()}
	}
	program, err := env.Program(ast, celgo.CostLimit(celconfig.PerCallLimit), celgo.CostTracking(&library.CostEstimator{}),
		celgo.InterruptCheckFrequency(celconfig.CheckFrequency))
	if err != nil {
		return map[string]any{"compileError": err.Error()}
	}
	vars := map[string]any{}
	if self != nil {
		vars["self"] = crdcel.UnstructuredToVal(self, s)
	}
	switch {
	case oldSelf != nil && r.Optional:
		vars["oldSelf"] = types.OptionalOf(crdcel.UnstructuredToVal(oldSelf, s))
	case oldSelf != nil:
		vars["oldSelf"] = crdcel.UnstructuredToVal(oldSelf, s)
	case r.Optional:
		vars["oldSelf"] = types.OptionalNone
	}
	val, details, err := program.Eval(vars)
	result := map[string]any{}
	if details != nil && details.ActualCost() != nil {
		result["cost"] = *details.ActualCost()
	}
	if err != nil {
		result["error"] = err.Error()
	} else {
		result["value"] = show(val)
	}
	return result
}

// show writes a value as JSON that says its type.
func show(v ref.Val) any {
	switch x := v.(type) {
	case types.Null:
		return nil
	case types.Bool:
		return bool(x)
	case types.String:
		return string(x)
	case types.Int:
		return tagged("int", strconv.FormatInt(int64(x), 10))
	case types.Uint:
		return tagged("uint", strconv.FormatUint(uint64(x), 10))
	case types.Double:
		return tagged("double", double(float64(x)))
	case types.Bytes:
		list := []int{}
		for _, b := range x {
			list = append(list, int(b))
		}
		return tagged("bytes", list)
	case types.Timestamp:
		return tagged("timestamp", x.Time.UTC().Format(time.RFC3339Nano))
	case types.Duration:
		return tagged("duration", strconv.FormatInt(int64(x.Duration), 10))
	case *types.Optional:
		if !x.HasValue() {
			return tagged("optional", []any{})
		}
		return tagged("optional", []any{show(x.GetValue())})
	case *types.Err:
		return tagged("error", x.Error())
	case apiservercel.Quantity:
		return tagged("quantity", x.AsDec().String())
	case *apiservercel.Quantity:
		return tagged("quantity", x.AsDec().String())
	case apiservercel.IP:
		return tagged("ip", x.Addr.String())
	case apiservercel.CIDR:
		return tagged("cidr", x.Prefix.String())
	case apiservercel.URL:
		return tagged("url", x.URL.String())
	case apiservercel.Semver:
		return tagged("semver", fmt.Sprintf("%d.%d.%d", x.Major, x.Minor, x.Patch))
	case apiservercel.Format:
		return tagged("format", x.Name)
	case traits.Lister:
		list := []any{}
		for it := x.Iterator(); it.HasNext() == types.True; {
			list = append(list, show(it.Next()))
		}
		return list
	case traits.Mapper:
		entries := [][2]any{}
		for it := x.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			entries = append(entries, [2]any{show(key), show(x.Get(key))})
		}
		sort.Slice(entries, func(i, j int) bool { return text(entries[i][0]) < text(entries[j][0]) })
		return tagged("map", entries)
	case ref.Type:
		return tagged("type", x.TypeName())
	}
	return tagged("other", fmt.Sprintf("%T", v))
}

func tagged(name string, v any) map[string]any { return map[string]any{name: v} }

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// double writes a number with the shortest digits that read back; the forms of JavaScript.
func double(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0 && math.Signbit(f):
		return "-0"
	}
	return strconv.FormatFloat(f, 'e', -1, 64)
}
