package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
)

// jsonLine is one body and what Go makes of it: an error, or strict errors and JSON.
type jsonLine struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Body       string          `json:"body"`
	Error      string          `json:"error,omitempty"`
	Strict     []string        `json:"strict,omitempty"`
	JSON       json.RawMessage `json:"json,omitempty"`
}

var strictJSON = kjson.NewSerializerWithOptions(kjson.DefaultMetaFactory, scheme, scheme, kjson.SerializerOptions{Strict: true})

// writeJSONBodies writes bodies of every kind as JSON, with some values replaced by others, and what Go reads of them.
func writeJSONBodies(number int, mutations int, nilChance float64, seed int64) {
	filler := newFiller(nilChance, seed)
	random := rand.New(rand.NewSource(seed))
	for _, kind := range kinds() {
		for range number {
			object, err := scheme.New(kind)
			check(err)
			filler.Fill(object)
			object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
			text, err := json.Marshal(object)
			check(err)
			decoder := json.NewDecoder(bytes.NewReader(text))
			decoder.UseNumber()
			var value any
			check(decoder.Decode(&value))
			for range random.Intn(mutations + 1) {
				value = mutate(random, value, true)
			}
			body := &strings.Builder{}
			writeJSON(random, body, value)
			check(output.Encode(decodeJSON(kind, body.String())))
		}
	}
}

func decodeJSON(kind schema.GroupVersionKind, body string) jsonLine {
	one := jsonLine{APIVersion: kind.GroupVersion().String(), Kind: kind.Kind, Body: body}
	object, _, err := strictJSON.Decode([]byte(body), &kind, nil)
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		for _, each := range strict.Errors() {
			one.Strict = append(one.Strict, each.Error())
		}
	} else if err != nil {
		one.Error = err.Error()
		return one
	}
	object.GetObjectKind().SetGroupVersionKind(kind)
	// By way of the store, which cannot tell an empty list from none.
	var stored bytes.Buffer
	check(serializer.Encode(object, &stored))
	object, _, err = serializer.Decode(stored.Bytes(), nil, nil)
	check(err)
	object.GetObjectKind().SetGroupVersionKind(kind)
	one.JSON, err = json.Marshal(object)
	check(err)
	return one
}

// odd are values that stand where others are expected.
var odd = []string{`null`, `null`, `true`, `false`, `0`, `1`, `-1`, `1.5`, `1e3`, `99999999999`, `9007199254740993`, `9223372036854775807`, `9223372036854775808`,
	`-0`, `1.0`, `1e400`, `""`, `"a"`, `"5"`, `"1.5Gi"`, `"1024Mi"`, `"0.5"`, `"0.0000000001"`, `"1e3"`, `"1E2"`, `"12e"`, `" 1 "`, `"YQ=="`, `"YQ="`, `"Y\nQ=="`, `"YQ==a"`, `"a=="`,
	`"2024-01-02T03:04:05Z"`, `"2024-01-02T03:04:05.123456Z"`, `"2024-01-02T03:04:05.1234567+01:30"`, `"2024-13-02T03:04:05Z"`, `"2023-02-29T03:04:05Z"`, `"2024-01-02"`,
	`"2024-01-02T03:04:05z"`, `"0001-01-01T00:00:00Z"`, `"2024-01-02T3:04:05Z"`, `"2024-01-02T03:04:60Z"`, `"2024-01-02T03:04:05+25:00"`, `"20é4"`,
	`{}`, `[]`, `[null]`, `{"a":null}`, `["a"]`, `[1]`, `[{}]`, `{"a":"b"}`, `{"a":1}`, `{"a":{}}`, `{"name":"a","Name":"b","x":{"y":1}}`, `[{"name":"a","nope":[{"a":1}]}]`, `"\ud800"`, `"\u0000"`}

func mutate(random *rand.Rand, value any, isRoot bool) any {
	if !isRoot && random.Intn(4) == 0 {
		return json.RawMessage(odd[random.Intn(len(odd))])
	}
	switch at := value.(type) {
	case map[string]any:
		switch random.Intn(16) {
		case 0:
			at[[]string{"unknown", "__proto__", "constructor", "Metadata", "a b", "ü"}[random.Intn(6)]] = json.RawMessage(odd[random.Intn(len(odd))])
			return at
		}
		keys := sortedKeys(at)
		if len(keys) > 0 {
			key := keys[random.Intn(len(keys))]
			at[key] = mutate(random, at[key], false)
		}
		return at
	case []any:
		if len(at) > 0 {
			index := random.Intn(len(at))
			at[index] = mutate(random, at[index], false)
		}
		return at
	case json.RawMessage:
		return at
	}
	return json.RawMessage(odd[random.Intn(len(odd))])
}

func sortedKeys(object map[string]any) []string {
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// writeJSON writes objects with their keys in any order, and a few of them twice.
func writeJSON(random *rand.Rand, to *strings.Builder, value any) {
	switch at := value.(type) {
	case map[string]any:
		keys := sortedKeys(at)
		random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		if len(keys) > 0 && random.Intn(300) == 0 {
			keys = append(keys, keys[0])
		}
		to.WriteString("{")
		for index, key := range keys {
			if index > 0 {
				to.WriteString(",")
			}
			quoted, _ := json.Marshal(key)
			fmt.Fprintf(to, "%s:", quoted)
			writeJSON(random, to, at[key])
		}
		to.WriteString("}")
	case []any:
		to.WriteString("[")
		for index, item := range at {
			if index > 0 {
				to.WriteString(",")
			}
			writeJSON(random, to, item)
		}
		to.WriteString("]")
	case json.RawMessage:
		to.Write(at)
	default:
		text, err := json.Marshal(value)
		check(err)
		to.Write(text)
	}
}
