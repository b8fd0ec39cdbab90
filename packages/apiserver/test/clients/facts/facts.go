// Package facts holds what the programs here tell of a server: JSON that is the same for every server that behaves alike.
package facts

import (
	"encoding/json"
	"fmt"
	"os"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Facts are values by name.
type Facts map[string]any

// Print writes facts to stdout.
func Print(facts Facts) {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	Check(encoder.Encode(facts))
}

// Check ends the program with an error.
func Check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Must gives the value that comes without an error.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}

// Outcome says what became of a request: "ok", or the reason of its refusal.
func Outcome(err error) string {
	if err == nil {
		return "ok"
	}
	return fmt.Sprintf("%s: %s", apierrors.ReasonForError(err), err)
}

// Object is a value as its JSON says it.
func Object(value any) (object any) {
	Check(json.Unmarshal(Must(json.Marshal(value)), &object))
	return object
}
