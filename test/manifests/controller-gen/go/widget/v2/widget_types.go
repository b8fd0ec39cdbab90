// Package v2 is one of two versions of the same API.
// +groupName=widget.example.com
package v2

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// WidgetSpec is what is wanted of a Widget.
type WidgetSpec struct {
	// Its colors.
	// +listType=set
	Colors []string `json:"colors,omitempty"`
}

// Widget is a thing in two versions.
// +kubebuilder:storageversion
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}
