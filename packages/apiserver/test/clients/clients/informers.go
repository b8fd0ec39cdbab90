package main

import (
	"fmt"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"ots-apiserver-test-clients/facts"
)

// history is what an informer told of each object, in order.
type history struct {
	sync.Mutex
	told map[string][]string
}

func (h *history) handler() cache.ResourceEventHandler {
	add := func(object any, what string) {
		meta := facts.Must(cache.DeletionHandlingMetaNamespaceKeyFunc(object))
		h.Lock()
		defer h.Unlock()
		h.told[meta] = append(h.told[meta], what)
	}
	valueOf := func(object any) string {
		if config, ok := object.(*corev1.ConfigMap); ok {
			return config.Data["v"]
		}
		return ""
	}
	return cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(object any, initial bool) {
			add(object, fmt.Sprintf("add %s initial=%t", valueOf(object), initial))
		},
		UpdateFunc: func(old, object any) { add(object, fmt.Sprintf("update %s to %s", valueOf(old), valueOf(object))) },
		DeleteFunc: func(object any) { add(object, "delete "+valueOf(object)) },
	}
}

func (h *history) of(key string) []string {
	h.Lock()
	defer h.Unlock()
	return slices.Clone(h.told[key])
}

// informerFacts: shared informers with selectors, indexes and listers.
func informerFacts(s Session) facts.Facts {
	namespace := s.namespace("informed")
	client := s.client.CoreV1().ConfigMaps(namespace)
	create := func(name, value string, labels map[string]string) *corev1.ConfigMap {
		object := configMap(name, map[string]string{"v": value})
		object.Labels = labels
		return facts.Must(client.Create(s, object, metav1.CreateOptions{}))
	}
	watched := map[string]string{"watched": "yes"}
	before := create("before", "1", watched)
	create("ignored", "1", nil)

	factory := informers.NewSharedInformerFactoryWithOptions(s.client, 0, informers.WithNamespace(namespace),
		informers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = "watched=yes" }))
	shared := factory.Core().V1().ConfigMaps()
	seen := &history{told: map[string][]string{}}
	facts.Must(shared.Informer().AddEventHandler(seen.handler()))
	facts.Check(shared.Informer().AddIndexers(cache.Indexers{"value": func(object any) ([]string, error) {
		return []string{object.(*corev1.ConfigMap).Data["v"]}, nil
	}}))
	factory.Start(s.Done())
	synced := factory.WaitForCacheSync(s.Done())

	before.Data["v"] = "2"
	before = facts.Must(client.Update(s, before, metav1.UpdateOptions{}))
	after := create("after", "2", watched)
	s.eventually(func() bool { return len(seen.of(namespace+"/after")) == 1 })
	after.Labels = nil
	after = facts.Must(client.Update(s, after, metav1.UpdateOptions{}))
	s.eventually(func() bool { return len(seen.of(namespace+"/after")) == 2 })
	after.Labels = watched
	facts.Must(client.Update(s, after, metav1.UpdateOptions{}))
	s.eventually(func() bool { return len(seen.of(namespace+"/after")) == 3 })
	indexed := facts.Must(shared.Informer().GetIndexer().IndexKeys("value", "2"))
	slices.Sort(indexed)
	facts.Check(client.Delete(s, "before", metav1.DeleteOptions{}))
	s.eventually(func() bool { return len(seen.of(namespace+"/before")) == 3 })

	// A handler that is added later receives the objects in the store.
	late := &history{told: map[string][]string{}}
	facts.Must(shared.Informer().AddEventHandler(late.handler()))
	s.eventually(func() bool { return len(late.of(namespace+"/after")) == 1 })
	listed := facts.Must(shared.Lister().ConfigMaps(namespace).List(labels.Everything()))
	_, missing := shared.Lister().ConfigMaps(namespace).Get("before")
	return facts.Facts{
		"synced":  len(synced),
		"before":  seen.of(namespace + "/before"),
		"after":   seen.of(namespace + "/after"),
		"ignored": seen.of(namespace + "/ignored"),
		"late":    late.of(namespace + "/after"),
		"indexed": indexed,
		"listed":  len(listed),
		"missing": facts.Outcome(missing),
	}
}
