// Package v1alpha1 is a twin of the API that operator-sdk's tutorial builds.
// +groupName=cache.example.com
package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// MemcachedSpec is what is wanted of a Memcached.
type MemcachedSpec struct {
	// How many instances run.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=5
	// +kubebuilder:validation:ExclusiveMaximum=false
	Size int32 `json:"size,omitempty"`

	// The port that the container listens on.
	ContainerPort int32 `json:"containerPort,omitempty"`
}

// MemcachedStatus is what is seen of a Memcached.
type MemcachedStatus struct {
	// The names of the pods.
	// +optional
	Nodes []string `json:"nodes,omitempty"`

	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type" protobuf:"bytes,1,rep,name=conditions"`
}

// Memcached is a set of memcached servers.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Memcached struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   MemcachedSpec   `json:"spec,omitempty"`
	Status MemcachedStatus `json:"status,omitempty"`
}
