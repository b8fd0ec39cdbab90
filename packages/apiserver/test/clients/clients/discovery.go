package main

import (
	"slices"
	"strings"

	"k8s.io/client-go/discovery"
	"ots-apiserver-test-clients/facts"
)

// discoveryFacts: what is served, as clients find it out.
func discoveryFacts(s Session) facts.Facts {
	client := s.client.Discovery()
	version := facts.Must(client.ServerVersion())
	groups := facts.Must(client.ServerGroups())
	preferred := map[string]string{}
	for _, group := range groups.Groups {
		// Gadgets come and go.
		if !strings.Contains(group.Name, "example") {
			preferred[group.Name] = group.PreferredVersion.GroupVersion
		}
	}
	core := facts.Must(client.ServerResourcesForGroupVersion("v1"))
	resources := []string{}
	for _, resource := range core.APIResources {
		// Not served everywhere: subresources that need nodes, and what tells of the machines of the control plane.
		if !strings.Contains(resource.Name, "/") && resource.Name != "componentstatuses" {
			resources = append(resources, resource.Name)
		}
	}
	slices.Sort(resources)
	namespaced := facts.Must(discovery.ServerPreferredNamespacedResources(client))
	_, unknown := client.ServerResourcesForGroupVersion("nothing.example.com/v1")
	schemas := facts.Must(client.OpenAPIV3().Paths())
	apps := facts.Must(schemas["apis/apps/v1"].Schema("application/json"))
	return facts.Facts{
		"version":    version.Major + "." + version.Minor,
		"preferred":  preferred,
		"core":       resources,
		"namespaced": len(namespaced) > 0,
		"unknown":    facts.Outcome(unknown),
		"schema":     strings.Contains(string(apps), "io.k8s.api.apps.v1.Deployment"),
	}
}
