package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
	"ots-apiserver-test-clients/facts"
)

// watchFacts: watches that resume, and waiting for what a watch will tell.
func watchFacts(s Session) facts.Facts {
	namespace := s.namespace("watches")
	client := s.client.CoreV1().ConfigMaps(namespace)
	start := facts.Must(client.List(s, metav1.ListOptions{})).ResourceVersion
	for _, name := range []string{"a", "b"} {
		facts.Must(client.Create(s, configMap(name, nil), metav1.CreateOptions{}))
	}
	facts.Check(client.Delete(s, "a", metav1.DeleteOptions{}))
	watcher := facts.Must(watchtools.NewRetryWatcherWithContext(s, start, &cache.ListWatch{
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return client.Watch(ctx, options)
		},
	}))
	seen := []string{}
	for event := range watcher.ResultChan() {
		seen = append(seen, string(event.Type)+" "+event.Object.(*corev1.ConfigMap).Name)
		if len(seen) == 3 {
			watcher.Stop()
			break
		}
	}

	list := cache.NewListWatchFromClient(s.client.CoreV1().RESTClient(), "configmaps", namespace, fields.OneTermEqualSelector("metadata.name", "c"))
	facts.Must(client.Create(s, configMap("c", nil), metav1.CreateOptions{}))
	last := facts.Must(watchtools.UntilWithSync(s, list, &corev1.ConfigMap{}, nil, func(event watch.Event) (bool, error) {
		return event.Type == watch.Added, nil
	}))
	_, old := client.Watch(s, metav1.ListOptions{ResourceVersion: "nonsense"})
	return facts.Facts{"seen": seen, "until": last.Object.(*corev1.ConfigMap).Name, "old": facts.Outcome(old)}
}
