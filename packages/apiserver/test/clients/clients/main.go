// Command clients uses a server through everything that client-go has, and prints what it saw. Its server is that of
// KUBECONFIG.
package main

import (
	"context"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"ots-apiserver-test-clients/facts"
)

// Session is what every part of the program starts from.
type Session struct {
	context.Context
	config *rest.Config
	client kubernetes.Interface
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	config := facts.Must(clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG")))
	config.QPS = -1
	session := Session{ctx, config, facts.Must(kubernetes.NewForConfig(config))}
	facts.Print(facts.Facts{
		"typed":     typedFacts(session),
		"apply":     applyFacts(session),
		"paging":    pagingFacts(session),
		"informers": informerFacts(session),
		"dynamic":   dynamicFacts(session),
		"metadata":  metadataFacts(session),
		"discovery": discoveryFacts(session),
		"leaders":   leaderFacts(session),
		"events":    eventFacts(session),
		"watches":   watchFacts(session),
	})
}

// namespace makes a namespace.
func (s Session) namespace(name string) string {
	object := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	facts.Must(s.client.CoreV1().Namespaces().Create(s, object, metav1.CreateOptions{}))
	return name
}

// eventually looks again and again until something holds. What never holds runs into the timeout of the program.
func (s Session) eventually(holds func() bool) {
	for !holds() {
		facts.Check(s.Err())
		time.Sleep(10 * time.Millisecond)
	}
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"of": name}}, Data: data}
}
