// Command type-schemas asks controller-gen's parser for the schemas of Kubernetes types, as a Go user gets them with
// `crd:generateEmbeddedObjectMeta=true,maxDescLen=0`.
//
//	go run . -dir kubernetes < request.json > schemas.json
//
// The request maps the path of a Go package to names of its types; the answer maps both to a schema, or to the reason
// why there is none.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"

	"golang.org/x/tools/go/packages"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// answer is the schema of one type, or why it has none.
type answer struct {
	Schema  *apiextensionsv1.JSONSchemaProps `json:"schema,omitempty"`
	Missing string                           `json:"missing,omitempty"`
}

func main() {
	log.SetFlags(0)
	dir := flag.String("dir", ".", "directory of the module that requires the packages")
	flag.Parse()
	var request map[string][]string
	if err := json.NewDecoder(os.Stdin).Decode(&request); err != nil {
		log.Fatal(err)
	}
	answers, err := answerAll(*dir, request)
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		log.Fatal(err)
	}
}

func answerAll(dir string, request map[string][]string) (map[string]map[string]answer, error) {
	paths := make([]string, 0, len(request))
	for path := range request {
		paths = append(paths, path)
	}
	roots, err := loader.LoadRootsWithConfig(&packages.Config{Dir: dir}, paths...)
	if err != nil {
		return nil, err
	}
	answers := map[string]map[string]answer{}
	for _, root := range roots {
		answers[root.PkgPath] = map[string]answer{}
		for _, name := range request[root.PkgPath] {
			found, err := answerOne(crd.TypeIdent{Package: root, Name: name})
			if err != nil {
				return nil, err
			}
			answers[root.PkgPath][name] = found
		}
	}
	return answers, nil
}

func newParser() (*crd.Parser, error) {
	registry := &markers.Registry{}
	if err := crdmarkers.Register(registry); err != nil {
		return nil, err
	}
	parser := &crd.Parser{
		Collector:                  &markers.Collector{Registry: registry},
		Checker:                    &loader.TypeChecker{},
		GenerateEmbeddedObjectMeta: true,
	}
	crd.AddKnownTypes(parser)
	return parser, nil
}

// answerOne has a parser of its own: a parser reports what is wrong with a type only to the first that asks.
func answerOne(ident crd.TypeIdent) (answer, error) {
	parser, err := newParser()
	if err != nil {
		return answer{}, err
	}
	parser.NeedSchemaFor(ident)
	recursive := isRecursive(parser, ident, nil)
	if !recursive {
		parser.NeedFlattenedSchemaFor(ident)
	}
	problem := takeProblem(parser)
	if recursive {
		return answer{Missing: "it contains itself"}, nil
	}
	if problem != "" {
		return answer{Missing: "controller-gen refuses it: " + problem}, nil
	}
	schema := parser.FlattenedSchemata[ident]
	crd.TruncateDescription(&schema, 0)
	return answer{Schema: &schema}, nil
}

// takeProblem returns what the parser reported, if anything, and forgets it: packages outlive parsers.
func takeProblem(parser *crd.Parser) string {
	var first string
	for ident := range parser.Types {
		for _, problem := range ident.Package.Errors {
			// The loader type-checks only what it needs; controller-gen does not report these either.
			if problem.Kind != packages.TypeError && (first == "" || problem.Msg < first) {
				first = problem.Msg
			}
		}
		ident.Package.Errors = nil
	}
	return first
}

// isRecursive says whether the references of a type lead back to one of those that led to it.
func isRecursive(parser *crd.Parser, ident crd.TypeIdent, path []crd.TypeIdent) bool {
	for _, seen := range path {
		if seen == ident {
			return true
		}
	}
	schema := parser.Schemata[ident]
	visitor := &referenceVisitor{}
	crd.EditSchema(&schema, visitor)
	for _, reference := range visitor.references {
		next, err := resolve(reference, ident.Package)
		if err != nil {
			log.Fatal(err)
		}
		if isRecursive(parser, next, append(path, ident)) {
			return true
		}
	}
	return false
}

// resolve finds the type that a reference means; one without a package is of the package that it is written in.
func resolve(reference string, from *loader.Package) (crd.TypeIdent, error) {
	name, path, err := crd.RefParts(reference)
	if err != nil || path == "" {
		return crd.TypeIdent{Package: from, Name: name}, err
	}
	target, known := from.Imports()[path]
	if !known {
		return crd.TypeIdent{}, fmt.Errorf("%s does not import %s", from.PkgPath, path)
	}
	return crd.TypeIdent{Package: target, Name: name}, nil
}

// referenceVisitor collects the references of one schema.
type referenceVisitor struct {
	references []string
}

func (v *referenceVisitor) Visit(schema *apiextensionsv1.JSONSchemaProps) crd.SchemaVisitor {
	if schema != nil && schema.Ref != nil {
		v.references = append(v.references, *schema.Ref)
	}
	return v
}
