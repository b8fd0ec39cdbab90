// Package v1alpha1 is a twin of an operator that runs a Deployment for each of its objects.
// +groupName=apps.example.com
package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MyAppSpec is what is wanted of a MyApp.
type MyAppSpec struct {
	// How many pods run.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:default=1
	Replicas *int32 `json:"replicas,omitempty"`

	// What they run.
	// +kubebuilder:validation:MinLength=1
	Image string `json:"image"`

	// What the pods may take.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`

	// The environment of the containers.
	// +listType=map
	// +listMapKey=name
	Env []corev1.EnvVar `json:"env,omitempty"`
}

// MyAppStatus is what is seen of a MyApp.
type MyAppStatus struct {
	// How many pods are ready.
	ReadyReplicas int32 `json:"readyReplicas,omitempty"`
	// The labels of the pods, for those who scale them.
	Selector string `json:"selector,omitempty"`
}

// MyApp is an application.
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=ma,categories=all
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.readyReplicas,selectorpath=.status.selector
// +kubebuilder:printcolumn:name="Replicas",type=integer,JSONPath=".spec.replicas"
// +kubebuilder:printcolumn:name="Image",type=string,JSONPath=".spec.image"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
type MyApp struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   MyAppSpec   `json:"spec"`
	Status MyAppStatus `json:"status,omitempty"`
}
