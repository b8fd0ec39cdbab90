package main

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"ots-apiserver-test-clients/facts"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// scenario is the life of a Site, with what a user, a Deployment controller and a garbage collector do.
type scenario struct {
	context.Context
	client.Client
	manager ctrl.Manager
}

var key = client.ObjectKey{Namespace: "sites", Name: "home"}

func (s scenario) run() facts.Facts {
	one := int32(1)
	site := &Site{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}, Spec: SiteSpec{Text: "hello"}}
	refused := s.Create(s, &Site{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: "empty"}, Spec: SiteSpec{Replicas: &one}})
	facts.Check(s.Create(s, site))
	left := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: "home-left"}}
	facts.Check(s.Create(s, left))
	s.until(site, func() bool { return ready(site) == "Waiting" && site.Status.ObservedGeneration == 1 })
	config, deployment := &corev1.ConfigMap{}, &appsv1.Deployment{}
	facts.Check(s.Get(s, key, config))
	facts.Check(s.Get(s, key, deployment))
	told := facts.Facts{
		"refused": facts.Outcome(refused),
		"made":    facts.Facts{"site": facts.Object(site), "config": facts.Object(config), "deployment": facts.Object(deployment)},
	}

	// What its Deployment controller would do.
	deployment.Status = appsv1.DeploymentStatus{ObservedGeneration: 1, Replicas: 1, ReadyReplicas: 1, AvailableReplicas: 1}
	facts.Check(s.Status().Update(s, deployment))
	s.until(site, func() bool { return ready(site) == "Serving" })
	told["serving"] = facts.Object(site.Status.Conditions)

	// The owned object is deleted and the spec changes.
	facts.Check(s.Delete(s, config))
	s.until(config, func() bool { return config.Data["text"] == "hello" && config.DeletionTimestamp.IsZero() })
	before := site.DeepCopyObject().(*Site)
	two := int32(2)
	site.Spec = SiteSpec{Text: "bye", Replicas: &two}
	facts.Check(s.Patch(s, site, client.MergeFrom(before)))
	s.until(site, func() bool { return ready(site) == "Waiting" && site.Status.ObservedGeneration == 2 })
	s.until(config, func() bool { return config.Data["text"] == "bye" })
	s.until(deployment, func() bool { return *deployment.Spec.Replicas == 2 })
	told["changed"] = facts.Facts{"site": facts.Object(site), "config": facts.Object(config.Data), "deployment": facts.Object(deployment)}
	told["found"] = s.found()
	told["events"] = s.events()

	facts.Check(s.Delete(s, site))
	s.gone(site)
	s.gone(left)
	told["owned"] = []any{owners(config.OwnerReferences), owners(deployment.OwnerReferences)}
	return told
}

// found: the cache of the operator has an index.
func (s scenario) found() []string {
	names := []string{}
	for _, text := range []string{"hello", "bye"} {
		list := &SiteList{}
		for len(list.Items) == 0 && text == "bye" {
			facts.Check(s.Err())
			facts.Check(s.manager.GetClient().List(s, list, client.InNamespace(key.Namespace), client.MatchingFields{byText: text}))
		}
		for _, site := range list.Items {
			names = append(names, text+"="+site.Name)
		}
	}
	return names
}

// events: what the recorder wrote about the ConfigMap, which was made, made again, and changed.
func (s scenario) events() []string {
	for {
		list := &eventsv1.EventList{}
		facts.Check(s.List(s, list, client.InNamespace(key.Namespace)))
		notes := map[string]bool{}
		for _, event := range list.Items {
			notes[strings.Join([]string{event.Type, event.Reason, event.Action, event.Note, event.Regarding.Kind, event.ReportingController}, " | ")] = true
		}
		if len(notes) == 2 {
			return slices.Sorted(maps.Keys(notes))
		}
		facts.Check(s.Err())
		time.Sleep(20 * time.Millisecond)
	}
}

func (s scenario) until(object client.Object, holds func() bool) {
	name := client.ObjectKey{Namespace: key.Namespace, Name: key.Name}
	for {
		err := s.Get(s, name, object)
		if err == nil && holds() {
			return
		}
		facts.Check(client.IgnoreNotFound(err))
		facts.Check(s.Err())
		time.Sleep(20 * time.Millisecond)
	}
}

func (s scenario) gone(object client.Object) {
	for !apierrors.IsNotFound(s.Get(s, client.ObjectKeyFromObject(object), object)) {
		facts.Check(s.Err())
		time.Sleep(20 * time.Millisecond)
	}
}

func ready(site *Site) string {
	condition := meta.FindStatusCondition(site.Status.Conditions, "Ready")
	if condition == nil {
		return ""
	}
	return condition.Reason
}

func owners(references []metav1.OwnerReference) []string {
	names := []string{}
	for _, owner := range references {
		names = append(names, owner.Kind+"/"+owner.Name)
	}
	return names
}
