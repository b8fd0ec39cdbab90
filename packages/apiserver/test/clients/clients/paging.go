package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/pager"
	"ots-apiserver-test-clients/facts"
)

// pagingFacts: a list in pages shows the moment of its first page.
func pagingFacts(s Session) facts.Facts {
	client := s.client.CoreV1().ConfigMaps(s.namespace("paged"))
	for i := range 7 {
		facts.Must(client.Create(s, configMap(fmt.Sprintf("m%d", i), nil), metav1.CreateOptions{}))
	}
	pages := [][]string{}
	list := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		page, err := client.List(ctx, options)
		names := []string{}
		for _, item := range page.Items {
			names = append(names, item.Name)
		}
		pages = append(pages, names)
		if len(pages) == 1 {
			facts.Check(client.Delete(ctx, "m5", metav1.DeleteOptions{}))
		}
		return page, err
	})
	list.PageSize = 3
	seen := 0
	facts.Check(list.EachListItem(s, metav1.ListOptions{}, func(object runtime.Object) error {
		seen++
		_ = object.(*corev1.ConfigMap)
		return nil
	}))
	counted := facts.Must(client.List(s, metav1.ListOptions{Limit: 2}))
	return facts.Facts{"pages": pages, "seen": seen, "remaining": counted.RemainingItemCount}
}
