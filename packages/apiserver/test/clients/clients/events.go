package main

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	typedcore "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"ots-apiserver-test-clients/facts"
)

// eventFacts: both recorders, which patch an event that happens again, and both views of what they wrote.
func eventFacts(s Session) facts.Facts {
	namespace := s.namespace("events")
	regarding := facts.Must(s.client.CoreV1().ConfigMaps(namespace).Create(s, configMap("a", nil), metav1.CreateOptions{}))
	client := s.client.CoreV1().Events(namespace)

	broadcaster := record.NewBroadcaster(record.WithContext(s))
	broadcaster.StartRecordingToSink(&typedcore.EventSinkImpl{Interface: s.client.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "clients"})
	for range 3 {
		recorder.Event(regarding, corev1.EventTypeNormal, "Counted", "it happened")
	}
	recorder.AnnotatedEventf(regarding, map[string]string{"a": "b"}, corev1.EventTypeWarning, "Once", "%d", 1)
	s.eventually(func() bool {
		list := facts.Must(client.List(s, metav1.ListOptions{FieldSelector: "reason=Counted"}))
		return len(list.Items) == 1 && list.Items[0].Count == 3
	})
	broadcaster.Shutdown()

	modern := events.NewBroadcaster(&events.EventSinkImpl{Interface: s.client.EventsV1()})
	facts.Check(modern.StartRecordingToSinkWithContext(s))
	modern.NewRecorder(scheme.Scheme, "clients.example.com/modern").
		Eventf(regarding, nil, corev1.EventTypeNormal, "Noted", "Noting", "note %d", 7)
	s.eventually(func() bool { return len(facts.Must(client.List(s, metav1.ListOptions{})).Items) == 3 })
	modern.Shutdown()

	old := []any{}
	for _, event := range facts.Must(client.List(s, metav1.ListOptions{})).Items {
		old = append(old, facts.Facts{"reason": event.Reason, "count": event.Count, "type": event.Type, "message": event.Message,
			"about": event.InvolvedObject.Kind, "component": event.Source.Component, "reporter": event.ReportingController,
			"action": event.Action, "timed": !event.EventTime.IsZero(), "annotations": event.Annotations})
	}
	list := facts.Must(s.client.EventsV1().Events(namespace).List(s, metav1.ListOptions{}))
	slices.SortFunc(list.Items, func(a, b eventsv1.Event) int { return len(b.Reason) - len(a.Reason) })
	modernView := []any{}
	for _, event := range list.Items {
		modernView = append(modernView, facts.Facts{"reason": event.Reason, "note": event.Note, "about": event.Regarding.Name,
			"count": event.DeprecatedCount, "source": event.DeprecatedSource.Component, "reporter": event.ReportingController})
	}
	selected := facts.Must(client.List(s, metav1.ListOptions{FieldSelector: "involvedObject.name=a,type=Warning"}))
	return facts.Facts{"old": old, "modern": modernView, "selected": len(selected.Items)}
}
