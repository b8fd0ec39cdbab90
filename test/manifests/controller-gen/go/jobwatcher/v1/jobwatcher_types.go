// Package v1 is a twin of an operator that deletes jobs some time after they ended.
// +groupName=batch.my.github.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// JobWatcherSpec is what is wanted of a JobWatcher.
type JobWatcherSpec struct {
	// How many seconds a job that completed is kept.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:default=3600
	CompletedTTL int64 `json:"completedTTL,omitempty"`

	// How many seconds a job that failed is kept.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:default=86400
	FailedTTL int64 `json:"failedTTL,omitempty"`

	// Regular expressions: only jobs of namespaces that match one of them are deleted.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:items:MinLength=1
	NamespacePatterns []string `json:"namespacePatterns"`

	// Regular expressions: only jobs of names that match one of them are deleted.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:items:MinLength=1
	JobNamePatterns []string `json:"jobNamePatterns"`

	// How long to wait between two looks.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:default=60
	Frequency int64 `json:"frequency,omitempty"`
}

// JobWatcherStatus is what is seen of a JobWatcher.
type JobWatcherStatus struct {
	// When the last look began.
	LastStarted *metav1.Time `json:"lastStarted,omitempty"`
	// When the last look ended.
	LastFinished *metav1.Time `json:"lastFinished,omitempty"`
}

// JobWatcher deletes jobs that ended.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:printcolumn:name="Last",type=date,JSONPath=".status.lastFinished"
type JobWatcher struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   JobWatcherSpec   `json:"spec"`
	Status JobWatcherStatus `json:"status,omitempty"`
}
