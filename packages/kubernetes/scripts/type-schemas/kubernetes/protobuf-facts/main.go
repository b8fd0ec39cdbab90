// Command protobuf-facts writes what the Go types of Kubernetes say of their protobuf messages: the number, the type and the
// JSON of every field, from the tags of the structs. Messages that no kind contains are left out.
//
//	go run ./protobuf-facts > facts.json
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"reflect"
	"slices"
	"strings"

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
	resource "k8s.io/api/resource/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

var builders = []runtime.SchemeBuilder{
	admissionregistration.SchemeBuilder, apps.SchemeBuilder, authentication.SchemeBuilder, authorization.SchemeBuilder,
	autoscalingv1.SchemeBuilder, autoscalingv2.SchemeBuilder, batch.SchemeBuilder, certificates.SchemeBuilder,
	coordination.SchemeBuilder, core.SchemeBuilder, discovery.SchemeBuilder, events.SchemeBuilder, flowcontrol.SchemeBuilder,
	networking.SchemeBuilder, node.SchemeBuilder, policy.SchemeBuilder, rbac.SchemeBuilder, resource.SchemeBuilder,
	scheduling.SchemeBuilder, storage.SchemeBuilder, apiextensions.SchemeBuilder, apiregistration.SchemeBuilder,
}

// field is one field of a message.
type field struct {
	Number string `json:"number"`
	GoName string `json:"goName"`
	// JSON is its name in JSON, or empty for a struct whose fields JSON puts in the place of the struct.
	JSON string `json:"json"`
	// Type is the wire type of a scalar and whether it is one of 32 bits, or the name of a message.
	Type string `json:"type"`
	// Shape is "list", "map", "pointer" or empty.
	Shape     string `json:"shape,omitempty"`
	OmitEmpty bool   `json:"omitEmpty,omitempty"`
	OmitZero  bool   `json:"omitZero,omitempty"`
	// Named is the Go type where its name does not follow from the others: that of a map or list with a name, or of its scalars.
	Named string `json:"named,omitempty"`
}

// message is one message, named by its Go package and type.
type message struct {
	Name string `json:"name"`
	// Kind is the group, version and kind of an API object.
	Kind string `json:"kind,omitempty"`
	// Marshals tells that the JSON is not an object of the fields.
	Marshals bool    `json:"marshals,omitempty"`
	Fields   []field `json:"fields"`
}

var messages = map[string]*message{}

func main() {
	log.SetFlags(0)
	scheme := runtime.NewScheme()
	for _, builder := range builders {
		if err := builder.AddToScheme(scheme); err != nil {
			log.Fatal(err)
		}
	}
	meta.AddToGroupVersion(scheme, meta.SchemeGroupVersion)
	kinds := scheme.AllKnownTypes()
	for _, kind := range sorted(kinds) {
		goType := kinds[kind]
		if isKind(kind, goType) {
			add(goType)
			messages[nameOf(goType)].Kind = fmt.Sprintf("%s/%s/%s", kind.Group, kind.Version, kind.Kind)
		}
	}
	all := make([]*message, 0, len(messages))
	for _, one := range messages {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b *message) int { return strings.Compare(a.Name, b.Name) })
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		log.Fatal(err)
	}
}

// isKind picks what clients send: the kinds of each group, and the options of a deletion.
func isKind(kind schema.GroupVersionKind, goType reflect.Type) bool {
	if goType == reflect.TypeFor[meta.DeleteOptions]() {
		return kind.GroupVersion() == meta.SchemeGroupVersion
	}
	return goType.PkgPath() != reflect.TypeFor[meta.ObjectMeta]().PkgPath() && kind.Version != runtime.APIVersionInternal &&
		!strings.HasSuffix(kind.Kind, "List") && !strings.HasSuffix(kind.Kind, "Options")
}

func sorted(kinds map[schema.GroupVersionKind]reflect.Type) []schema.GroupVersionKind {
	keys := make([]schema.GroupVersionKind, 0, len(kinds))
	for kind := range kinds {
		keys = append(keys, kind)
	}
	slices.SortFunc(keys, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	return keys
}

func nameOf(goType reflect.Type) string { return goType.PkgPath() + "." + goType.Name() }

func add(goType reflect.Type) {
	if messages[nameOf(goType)] != nil {
		return
	}
	marshaler := reflect.TypeFor[json.Marshaler]()
	one := &message{Name: nameOf(goType), Marshals: goType.Implements(marshaler) || reflect.PointerTo(goType).Implements(marshaler), Fields: []field{}}
	messages[one.Name] = one
	if goType.Kind() == reflect.Slice {
		one.Marshals = true
		one.Fields = append(one.Fields, field{Number: "1", GoName: "Items", JSON: "items", Type: typeOf(goType.Elem(), "bytes"), Shape: "list"})
		return
	}
	if goType.Kind() != reflect.Struct {
		log.Fatalf("%s is not a struct", one.Name)
	}
	for index := range goType.NumField() {
		if read, ok := fieldOf(goType.Field(index)); ok {
			one.Fields = append(one.Fields, read)
		}
	}
}

func fieldOf(goField reflect.StructField) (field, bool) {
	protobuf := strings.Split(goField.Tag.Get("protobuf"), ",")
	if len(protobuf) < 2 {
		return field{}, false
	}
	tag := strings.Split(goField.Tag.Get("json"), ",")
	read := field{Number: protobuf[1], GoName: goField.Name, JSON: tag[0]}
	read.OmitEmpty = slices.Contains(tag, "omitempty")
	read.OmitZero = slices.Contains(tag, "omitzero")
	inner := goField.Type
	switch {
	case inner.Kind() == reflect.Pointer:
		read.Shape, inner = "pointer", inner.Elem()
	case inner.Kind() == reflect.Slice && !isMessage(inner) && inner.Elem().Kind() != reflect.Uint8:
		read.Shape, inner = "list", inner.Elem()
	case inner.Kind() == reflect.Map:
		if inner.Key().Kind() != reflect.String {
			log.Fatalf("%s: a map of other keys than strings", goField.Name)
		}
		read.Shape, inner = "map", inner.Elem()
	}
	if inner.Kind() == reflect.Pointer {
		inner = inner.Elem()
	}
	read.Type = typeOf(inner, protobuf[0])
	read.Named = nameOfValues(goField.Type, inner)
	return read, true
}

// nameOfValues is the name of a map or list, or of the scalars in it, if they have one.
func nameOfValues(outer reflect.Type, inner reflect.Type) string {
	isMapOfNames := outer.Kind() == reflect.Map && outer.Key().Name() != "string"
	isNamed := (outer.Kind() == reflect.Slice || outer.Kind() == reflect.Map) && outer.Name() != "" && !isMessage(outer)
	if isNamed || isMapOfNames {
		return outer.String()
	}
	if inner.PkgPath() == "" || isMessage(inner) {
		return ""
	}
	return inner.String()
}

// isMessage tells types with a message of their own: all structs, and lists that are named in place of a field.
func isMessage(goType reflect.Type) bool {
	unmarshaler := reflect.TypeFor[interface{ Unmarshal([]byte) error }]()
	return goType.Implements(unmarshaler) || reflect.PointerTo(goType).Implements(unmarshaler)
}

func typeOf(goType reflect.Type, wire string) string {
	if isMessage(goType) {
		add(goType)
		return nameOf(goType)
	}
	switch kind := goType.Kind(); kind {
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64, reflect.Float64, reflect.Uint8:
		return kind.String()
	case reflect.Slice:
		if goType.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
	}
	log.Fatalf("%s (%s) has no type in the table", goType, wire)
	return ""
}
