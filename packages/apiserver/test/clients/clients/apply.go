package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apply "k8s.io/client-go/applyconfigurations/core/v1"
	"ots-apiserver-test-clients/facts"
)

// applyFacts: apply configurations, their conflicts, and what a manager gets back of its fields.
func applyFacts(s Session) facts.Facts {
	namespace := s.namespace("applied")
	client := s.client.CoreV1().ConfigMaps(namespace)
	of := func(data map[string]string) *apply.ConfigMapApplyConfiguration {
		return apply.ConfigMap("a", namespace).WithData(data)
	}
	options := func(manager string, force bool) metav1.ApplyOptions {
		return metav1.ApplyOptions{FieldManager: manager, Force: force}
	}
	facts.Must(client.Apply(s, of(map[string]string{"x": "1", "y": "1"}), options("one", false)))
	_, conflict := client.Apply(s, of(map[string]string{"x": "2"}), options("two", false))
	forced := facts.Must(client.Apply(s, of(map[string]string{"x": "2", "z": "2"}), options("two", true)))
	reduced := facts.Must(client.Apply(s, of(map[string]string{"y": "1"}), options("one", false)))
	extracted := facts.Must(apply.ExtractConfigMap(reduced, "two"))
	reapplied := facts.Must(client.Apply(s, extracted, options("two", false)))
	managers := []string{}
	for _, entry := range reapplied.ManagedFields {
		managers = append(managers, entry.Manager+" "+string(entry.Operation))
	}
	return facts.Facts{
		"conflict":  facts.Outcome(conflict),
		"forced":    forced.Data,
		"reduced":   reduced.Data,
		"extracted": extracted.Data,
		"unchanged": reapplied.ResourceVersion == reduced.ResourceVersion,
		"managers":  managers,
	}
}
