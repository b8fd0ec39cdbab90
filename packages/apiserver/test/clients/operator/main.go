// Command operator runs a stock operator against the server of KUBECONFIG, takes it through the life of a Site, and prints
// the objects that it left behind on the way.
package main

import (
	"context"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgo "k8s.io/client-go/kubernetes/scheme"
	"ots-apiserver-test-clients/facts"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	ctrl.SetLogger(zap.New(zap.WriteTo(os.Stderr)))
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgo.AddToScheme(scheme))
	utilruntime.Must(apiextensions.AddToScheme(scheme))
	scheme.AddKnownTypes(groupVersion, &Site{}, &SiteList{})
	metav1.AddToGroupVersion(scheme, groupVersion)

	config := ctrl.GetConfigOrDie()
	facts.Must(envtest.InstallCRDs(config, envtest.CRDInstallOptions{
		Scheme: scheme, CRDs: []*apiextensions.CustomResourceDefinition{definition()},
	}))
	manager := facts.Must(ctrl.NewManager(config, ctrl.Options{
		Scheme: scheme, Metrics: server.Options{BindAddress: "0"},
		LeaderElection: true, LeaderElectionID: "sites", LeaderElectionNamespace: "default", LeaderElectionReleaseOnCancel: true,
	}))
	reconciler := &Reconciler{Client: manager.GetClient(), recorder: manager.GetEventRecorder("sites")}
	facts.Check(reconciler.Setup(manager))

	running, stop := context.WithCancel(ctx)
	ended := make(chan error)
	go func() { ended <- manager.Start(running) }()
	direct := facts.Must(client.New(config, client.Options{Scheme: scheme}))
	facts.Check(direct.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "sites"}}))
	told := scenario{ctx, direct, manager}.run()
	stop()
	facts.Check(<-ended)
	facts.Print(told)
}
