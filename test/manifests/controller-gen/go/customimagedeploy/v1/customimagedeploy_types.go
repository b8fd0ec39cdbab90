// Package v1 is a twin of an operator that runs one image.
// +groupName=customimagedeploy.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// CustomImageDeploySpec is what is wanted of a CustomImageDeploy.
type CustomImageDeploySpec struct {
	// The image and its tag.
	Image string `json:"image,omitempty"`

	// How many pods run it.
	Size int32 `json:"size"`

	// The port that its container listens on.
	Port int32 `json:"port"`
}

// CustomImageDeployStatus is what is seen of a CustomImageDeploy.
type CustomImageDeployStatus struct{}

// CustomImageDeploy runs an image.
// +kubebuilder:object:root=true
type CustomImageDeploy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   CustomImageDeploySpec   `json:"spec,omitempty"`
	Status CustomImageDeployStatus `json:"status,omitempty"`
}
