package main

import (
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "sites.example.com", Version: "v1"}

// Site wants a text to be served.
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              SiteSpec   `json:"spec,omitempty"`
	Status            SiteStatus `json:"status,omitempty"`
}

type SiteSpec struct {
	Text     string `json:"text"`
	Replicas *int32 `json:"replicas,omitempty"`
}

type SiteStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// SiteList is a list of Site.
type SiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Site `json:"items"`
}

func (s *Site) DeepCopyObject() runtime.Object {
	copied := &Site{TypeMeta: s.TypeMeta, Spec: s.Spec, Status: s.Status}
	s.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	if s.Spec.Replicas != nil {
		replicas := *s.Spec.Replicas
		copied.Spec.Replicas = &replicas
	}
	copied.Status.Conditions = append([]metav1.Condition(nil), s.Status.Conditions...)
	return copied
}

func (l *SiteList) DeepCopyObject() runtime.Object {
	copied := &SiteList{TypeMeta: l.TypeMeta, ListMeta: *l.ListMeta.DeepCopy()}
	for i := range l.Items {
		copied.Items = append(copied.Items, *l.Items[i].DeepCopyObject().(*Site))
	}
	return copied
}

// definition is what controller-gen would make of the types.
func definition() *apiextensions.CustomResourceDefinition {
	zero, one := 0.0, int64(1)
	text := func(schema apiextensions.JSONSchemaProps) apiextensions.JSONSchemaProps {
		schema.Type = "string"
		return schema
	}
	condition := apiextensions.JSONSchemaProps{
		Type: "object", Required: []string{"lastTransitionTime", "message", "reason", "status", "type"},
		Properties: map[string]apiextensions.JSONSchemaProps{
			"lastTransitionTime": text(apiextensions.JSONSchemaProps{Format: "date-time"}),
			"message":            text(apiextensions.JSONSchemaProps{}),
			"observedGeneration": {Type: "integer", Format: "int64", Minimum: &zero},
			"reason":             text(apiextensions.JSONSchemaProps{MinLength: &one}),
			"status": text(apiextensions.JSONSchemaProps{Enum: []apiextensions.JSON{
				{Raw: []byte(`"True"`)}, {Raw: []byte(`"False"`)}, {Raw: []byte(`"Unknown"`)}}}),
			"type": text(apiextensions.JSONSchemaProps{}),
		},
	}
	listType := "map"
	properties := map[string]apiextensions.JSONSchemaProps{
		"apiVersion": text(apiextensions.JSONSchemaProps{}),
		"kind":       text(apiextensions.JSONSchemaProps{}),
		"metadata":   {Type: "object"},
		"spec": {Type: "object", Required: []string{"text"}, Properties: map[string]apiextensions.JSONSchemaProps{
			"text":     text(apiextensions.JSONSchemaProps{MinLength: &one}),
			"replicas": {Type: "integer", Format: "int32", Minimum: &zero, Default: &apiextensions.JSON{Raw: []byte("1")}},
		}},
		"status": {Type: "object", Properties: map[string]apiextensions.JSONSchemaProps{
			"observedGeneration": {Type: "integer", Format: "int64"},
			"conditions": {Type: "array", XListType: &listType, XListMapKeys: []string{"type"},
				Items: &apiextensions.JSONSchemaPropsOrArray{Schema: &condition}},
		}},
	}
	return &apiextensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "sites." + groupVersion.Group},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: groupVersion.Group, Scope: apiextensions.NamespaceScoped,
			Names: apiextensions.CustomResourceDefinitionNames{Plural: "sites", Singular: "site", Kind: "Site", ListKind: "SiteList"},
			Versions: []apiextensions.CustomResourceDefinitionVersion{{
				Name: groupVersion.Version, Served: true, Storage: true,
				Subresources: &apiextensions.CustomResourceSubresources{Status: &apiextensions.CustomResourceSubresourceStatus{}},
				Schema: &apiextensions.CustomResourceValidation{
					OpenAPIV3Schema: &apiextensions.JSONSchemaProps{Type: "object", Properties: properties}},
			}},
		},
	}
}
