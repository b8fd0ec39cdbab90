package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "bench.example.com", Version: "v1"}

// Sample is what the operators reconcile: a ConfigMap with its payload, and its seed in the status.
type Sample struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   SampleSpec   `json:"spec"`
	Status SampleStatus `json:"status,omitempty"`
}

type SampleSpec struct {
	Seed    int64  `json:"seed"`
	Payload string `json:"payload"`
}

type SampleStatus struct {
	Observed int64 `json:"observed,omitempty"`
}

type SampleList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Sample `json:"items"`
}

func (s *Sample) DeepCopyObject() runtime.Object {
	out := *s
	s.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

func (l *SampleList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = make([]Sample, len(l.Items))
	for i := range l.Items {
		out.Items[i] = *l.Items[i].DeepCopyObject().(*Sample)
	}
	return &out
}
