// Command protobuf-bodies writes bodies in protobuf and the JSON that Go reads of them, one a line: of every kind the empty object and random
// ones, or of what a client sent, which is on its input as lines with a command and the body in base64. Build it outside of the
// repository, in a module that requires k8s.io/api, apiextensions-apiserver and kube-aggregator v0.36.3.
// test/data/protobuf-bodies.jsonl holds what these wrote, one after the other; a recording proxy gave kubectl's bodies:
//
//	protobuf-bodies recorded < what-kubectl-sent
//	protobuf-bodies random 2 0.5 3
//
// With json-bodies.go beside it, it writes bodies in JSON, right and wrong ones, and what Go reads of them (test/data/json-bodies.jsonl):
//
//	protobuf-bodies json 3 0.8 5 3
package main

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	certificates "k8s.io/api/certificates/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	flowcontrol "k8s.io/api/flowcontrol/v1"
	networking "k8s.io/api/networking/v1"
	node "k8s.io/api/node/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	resourceapi "k8s.io/api/resource/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"sigs.k8s.io/randfill"
)

// line is one body and what it holds.
type line struct {
	Command    string          `json:"command,omitempty"`
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Body       []byte          `json:"body"`
	JSON       json.RawMessage `json:"json"`
}

var (
	scheme     = newScheme()
	serializer = protobuf.NewSerializer(scheme, scheme)
	output     = json.NewEncoder(os.Stdout)
)

func main() {
	output.SetEscapeHTML(false)
	if os.Args[1] == "recorded" {
		input := json.NewDecoder(os.Stdin)
		for recorded := (line{}); input.Decode(&recorded) == nil; recorded = (line{}) {
			write(recorded)
		}
		return
	}
	number, _ := strconv.Atoi(os.Args[2])
	nilChance, _ := strconv.ParseFloat(os.Args[3], 64)
	seed, _ := strconv.ParseInt(os.Args[4], 10, 64)
	if os.Args[1] == "json" {
		mutations, _ := strconv.Atoi(os.Args[5])
		writeJSONBodies(number, mutations, nilChance, seed)
		return
	}
	filler := newFiller(nilChance, seed)
	for _, kind := range kinds() {
		for index := range number {
			object, err := scheme.New(kind)
			check(err)
			if index > 0 {
				filler.Fill(object)
			}
			object.GetObjectKind().SetGroupVersionKind(kind)
			var body bytes.Buffer
			check(serializer.Encode(object, &body))
			write(line{Body: body.Bytes()})
		}
	}
}

func write(one line) {
	object, kind, err := serializer.Decode(one.Body, nil, nil)
	check(err)
	object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	one.APIVersion, one.Kind = kind.GroupVersion().String(), kind.Kind
	one.JSON, err = json.Marshal(object)
	check(err)
	check(output.Encode(one))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, b := range []runtime.SchemeBuilder{admissionregistration.SchemeBuilder, apps.SchemeBuilder, authentication.SchemeBuilder, authorization.SchemeBuilder,
		autoscalingv1.SchemeBuilder, autoscalingv2.SchemeBuilder, batch.SchemeBuilder, certificates.SchemeBuilder, coordination.SchemeBuilder, core.SchemeBuilder, discovery.SchemeBuilder, events.SchemeBuilder, flowcontrol.SchemeBuilder,
		networking.SchemeBuilder, node.SchemeBuilder, policy.SchemeBuilder, rbac.SchemeBuilder, resourceapi.SchemeBuilder, scheduling.SchemeBuilder, storage.SchemeBuilder, apiextensions.SchemeBuilder, apiregistration.SchemeBuilder} {
		if err := b.AddToScheme(scheme); err != nil {
			panic(err)
		}
	}
	meta.AddToGroupVersion(scheme, meta.SchemeGroupVersion)
	return scheme
}

func kinds() []schema.GroupVersionKind {
	kinds := []schema.GroupVersionKind{}
	for k, t := range scheme.AllKnownTypes() {
		if strings.HasSuffix(k.Kind, "List") || k.Version == "__internal" {
			continue
		}
		if t == reflect.TypeFor[meta.DeleteOptions]() {
			if k.Group != "meta.k8s.io" {
				continue
			}
		} else if strings.HasSuffix(k.Kind, "Options") || strings.HasPrefix(t.PkgPath(), "k8s.io/apimachinery") {
			continue
		}
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	return kinds
}

func newFiller(nilChance float64, seed int64) *randfill.Filler {
	words := []string{"", "a", "name", "ünïcödé", "x/y", "__proto__", "constructor", "with \"quotes\"\n", "10.0.0.1", "𝒳"}
	raws := []string{`{}`, `{"a":[1,null,"x",{"b":1.5}]}`, `"text"`, `null`, `[]`, `{"f:metadata":{"f:labels":{".":{}}}}`}
	return randfill.New().RandSource(rand.NewSource(seed)).NilChance(nilChance).NumElements(1, 2).MaxDepth(14).Funcs(
		func(s *string, c randfill.Continue) { *s = words[c.Intn(len(words))] },
		func(t *meta.Time, c randfill.Continue) {
			if c.Intn(3) > 0 {
				t.Time = time.Unix(c.Int63n(4e9)-1e9, c.Int63n(1e9))
			}
		},
		func(t *meta.MicroTime, c randfill.Continue) {
			if c.Intn(3) > 0 {
				t.Time = time.Unix(c.Int63n(4e9)-1e9, c.Int63n(1e9))
			}
		},
		func(q *resource.Quantity, c randfill.Continue) {
			*q = resource.MustParse([]string{"0", "1", "100m", "2Gi", "1500m", "-5", "1e3", "12E"}[c.Intn(8)])
		},
		func(i *intstr.IntOrString, c randfill.Continue) {
			*i = []intstr.IntOrString{intstr.FromInt32(0), intstr.FromInt32(80), intstr.FromString("http"), intstr.FromString(""), intstr.FromInt32(-7)}[c.Intn(5)]
		},
		func(r *runtime.RawExtension, c randfill.Continue) {
			if c.Bool() {
				r.Raw = []byte(raws[c.Intn(len(raws))])
			}
		},
		func(r *meta.FieldsV1, c randfill.Continue) { r.Raw = []byte(raws[c.Intn(len(raws))]) },
		func(r *apiextensions.JSON, c randfill.Continue) { r.Raw = []byte(raws[c.Intn(len(raws))]) },
		func(i *int64, c randfill.Continue) {
			*i = []int64{0, 1, -1, 65536, 1 << 40, -(1 << 52), 1<<53 - 1}[c.Intn(7)]
		},
		func(i *int32, c randfill.Continue) { *i = []int32{0, 1, -1, 65536, 1<<31 - 1, -1 << 31}[c.Intn(6)] },
		func(f *float64, c randfill.Continue) { *f = []float64{0, 1.5, -2.25, 1e21, 3}[c.Intn(5)] },
		func(b *[]byte, c randfill.Continue) { *b = []byte{0, 255, byte(c.Intn(256))}[:c.Intn(4)] },
		func(s *apiextensions.JSONSchemaProps, c randfill.Continue) {
			if c.Intn(3) == 0 {
				c.FillNoCustom(s)
			} else {
				s.Type = "object"
				s.Pattern = words[c.Intn(len(words))]
			}
		},
	)
}
