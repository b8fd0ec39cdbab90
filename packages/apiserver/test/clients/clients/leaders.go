package main

import (
	"context"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"ots-apiserver-test-clients/facts"
)

// leaderFacts: two candidates, of which the second leads once the first has let go.
func leaderFacts(s Session) facts.Facts {
	namespace := s.namespace("leaders")
	var guard sync.Mutex
	story := []string{}
	tell := func(line string) { guard.Lock(); defer guard.Unlock(); story = append(story, line) }
	told := func() int { guard.Lock(); defer guard.Unlock(); return len(story) }

	candidate := func(identity string) (cancel func()) {
		ctx, stop := context.WithCancel(s)
		lock := facts.Must(resourcelock.New(resourcelock.LeasesResourceLock, namespace, "lock", s.client.CoreV1(), s.client.CoordinationV1(),
			resourcelock.ResourceLockConfig{Identity: identity}))
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
				Lock: lock, ReleaseOnCancel: true,
				LeaseDuration: 3 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: 200 * time.Millisecond,
				Callbacks: leaderelection.LeaderCallbacks{
					OnStartedLeading: func(ctx context.Context) { tell(identity + " leads"); <-ctx.Done() },
					OnStoppedLeading: func() { tell(identity + " stops") },
				},
			})
		}()
		return func() { stop(); <-ended }
	}
	stopFirst := candidate("first")
	s.eventually(func() bool { return told() == 1 })
	stopSecond := candidate("second")
	lease := func() []any {
		lease := facts.Must(s.client.CoordinationV1().Leases(namespace).Get(s, "lock", metav1.GetOptions{}))
		return []any{lease.Spec.HolderIdentity, lease.Spec.LeaseTransitions, lease.Spec.LeaseDurationSeconds}
	}
	held := lease()
	stopFirst()
	s.eventually(func() bool { return told() == 3 })
	taken := lease()
	stopSecond()
	return facts.Facts{"story": story, "held": held, "taken": taken, "released": lease()}
}
