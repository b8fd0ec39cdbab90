// Package v1 is one of two versions of the same API.
// +groupName=widget.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// WidgetSpec is what is wanted of a Widget.
type WidgetSpec struct {
	// Its color.
	Color string `json:"color,omitempty"`
}

// Widget is a thing in two versions.
// +kubebuilder:deprecatedversion:warning="widget.example.com/v1 goes; use v2"
// +kubebuilder:unservedversion
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
