package main

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"ots-apiserver-test-clients/facts"
)

// metadataFacts: clients that want nothing but metadata.
func metadataFacts(s Session) facts.Facts {
	resource := corev1.SchemeGroupVersion.WithResource("configmaps")
	namespace := s.namespace("metadata")
	typed := s.client.CoreV1().ConfigMaps(namespace)
	facts.Must(typed.Create(s, configMap("a", map[string]string{"k": "v"}), metav1.CreateOptions{}))
	client := facts.Must(metadata.NewForConfig(s.config))
	objects := client.Resource(resource).Namespace(namespace)
	got := facts.Must(objects.Get(s, "a", metav1.GetOptions{}))
	listed := facts.Must(objects.List(s, metav1.ListOptions{}))
	patched := facts.Must(objects.Patch(s, "a", types.MergePatchType, []byte(`{"metadata":{"labels":{"x":"y"}}}`), metav1.PatchOptions{}))

	informers := metadatainformer.NewFilteredSharedInformerFactory(client, 0, namespace, nil)
	seen := &history{told: map[string][]string{}}
	facts.Must(informers.ForResource(resource).Informer().AddEventHandler(seen.handler()))
	informers.Start(s.Done())
	informers.WaitForCacheSync(s.Done())
	facts.Check(objects.Delete(s, "a", metav1.DeleteOptions{}))
	s.eventually(func() bool { return len(seen.of(namespace+"/a")) == 2 })
	return facts.Facts{
		"got":     []any{got.Kind, got.APIVersion, got.Name, got.Labels},
		"listed":  []any{listed.Kind, len(listed.Items), listed.ResourceVersion != "", reflect.DeepEqual(*got, listed.Items[0])},
		"patched": patched.Labels,
		"seen":    seen.of(namespace + "/a"),
	}
}
