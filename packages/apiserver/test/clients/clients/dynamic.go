package main

import (
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/restmapper"
	"ots-apiserver-test-clients/facts"
)

var gadgets = schema.GroupVersionResource{Group: "clients.example.com", Version: "v1", Resource: "gadgets"}

// install defines gadgets and waits until they are served.
func install(s Session) {
	client := facts.Must(clientset.NewForConfig(s.config)).ApiextensionsV1().CustomResourceDefinitions()
	minimum := 0.0
	properties := map[string]apiextensions.JSONSchemaProps{
		"spec": {Type: "object", Properties: map[string]apiextensions.JSONSchemaProps{
			"size":  {Type: "integer", Minimum: &minimum},
			"color": {Type: "string", Default: &apiextensions.JSON{Raw: []byte(`"red"`)}},
		}},
		"status": {Type: "object", Properties: map[string]apiextensions.JSONSchemaProps{"ready": {Type: "boolean"}}},
	}
	definition := &apiextensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: gadgets.GroupResource().String()},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: gadgets.Group,
			Scope: apiextensions.NamespaceScoped,
			Names: apiextensions.CustomResourceDefinitionNames{Plural: "gadgets", Kind: "Gadget", ShortNames: []string{"gd"}},
			Versions: []apiextensions.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Subresources: &apiextensions.CustomResourceSubresources{Status: &apiextensions.CustomResourceSubresourceStatus{}},
				Schema: &apiextensions.CustomResourceValidation{
					OpenAPIV3Schema: &apiextensions.JSONSchemaProps{Type: "object", Properties: properties},
				},
			}},
		},
	}
	facts.Must(client.Create(s, definition, metav1.CreateOptions{}))
	s.eventually(func() bool {
		for _, condition := range facts.Must(client.Get(s, definition.Name, metav1.GetOptions{})).Status.Conditions {
			if condition.Type == apiextensions.Established && condition.Status == apiextensions.ConditionTrue {
				return true
			}
		}
		return false
	})
	custom := facts.Must(dynamic.NewForConfig(s.config)).Resource(gadgets)
	s.eventually(func() bool { _, err := custom.List(s, metav1.ListOptions{}); return err == nil })
}

func gadget(name string, spec map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "clients.example.com/v1", "kind": "Gadget",
		"metadata": map[string]any{"name": name}, "spec": spec,
	}}
}

// dynamicFacts: custom resources, found by a RESTMapper, and informers of them.
func dynamicFacts(s Session) facts.Facts {
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(s.client.Discovery()))
	_, unknown := mapper.KindFor(gadgets)
	install(s)
	s.eventually(func() bool { mapper.Reset(); _, err := mapper.KindFor(gadgets); return err == nil })
	expander := restmapper.NewShortcutExpander(mapper, s.client.Discovery(), nil)
	short := facts.Must(expander.ResourceFor(schema.GroupVersionResource{Resource: "gd"}))
	mapping := facts.Must(mapper.RESTMapping(schema.GroupKind{Group: gadgets.Group, Kind: "Gadget"}))
	deployments := facts.Must(mapper.RESTMapping(schema.GroupKind{Group: "apps", Kind: "Deployment"}))

	client := facts.Must(dynamic.NewForConfig(s.config))
	informers := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
	informer := informers.ForResource(gadgets)
	seen := &history{told: map[string][]string{}}
	facts.Must(informer.Informer().AddEventHandler(seen.handler()))
	informers.Start(s.Done())
	informers.WaitForCacheSync(s.Done())

	resource := client.Resource(mapping.Resource).Namespace(s.namespace("dynamic"))
	created := facts.Must(resource.Create(s, gadget("g", map[string]any{"size": int64(1), "pruned": true}), metav1.CreateOptions{}))
	_, invalid := resource.Create(s, gadget("h", map[string]any{"size": int64(-1)}), metav1.CreateOptions{})
	_, strict := resource.Create(s, gadget("h", map[string]any{"size": int64(1), "pruned": true}), metav1.CreateOptions{FieldValidation: "Strict"})
	status := facts.Must(resource.Patch(s, "g", types.MergePatchType, []byte(`{"spec":{"size":9},"status":{"ready":true}}`), metav1.PatchOptions{}, "status"))
	applied := facts.Must(resource.Apply(s, "g", gadget("g", map[string]any{"color": "blue"}), metav1.ApplyOptions{FieldManager: "me", Force: true}))
	facts.Check(resource.Delete(s, "g", metav1.DeleteOptions{}))
	s.eventually(func() bool { return len(seen.of("dynamic/g")) == 4 })
	return facts.Facts{
		"unknown":  meta.IsNoMatchError(unknown),
		"short":    short.String(),
		"mapping":  []string{mapping.GroupVersionKind.String(), string(mapping.Scope.Name())},
		"built-in": []string{deployments.Resource.String(), string(deployments.Scope.Name())},
		"created":  created.Object["spec"],
		"invalid":  facts.Outcome(invalid),
		"strict":   facts.Outcome(strict),
		"status":   []any{status.Object["spec"], status.Object["status"], status.GetGeneration()},
		"applied":  []any{applied.Object["spec"], applied.GetGeneration()},
		"seen":     seen.of("dynamic/g"),
	}
}
