// Command operator is the benchmark's operator on controller-runtime, with its default settings.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgo "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func main() {
	mode := flag.String("mode", "reconcile", "reconcile, or sync: fill the cache and do nothing")
	workers := flag.Int("workers", 1, "concurrent reconciles")
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.WriteTo(os.Stderr), zap.Level(logLevel)))

	scheme := runtime.NewScheme()
	utilruntime.Must(clientgo.AddToScheme(scheme))
	scheme.AddKnownTypes(groupVersion, &Sample{}, &SampleList{})
	metav1.AddToGroupVersion(scheme, groupVersion)

	manager := must(ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme: scheme, Metrics: server.Options{BindAddress: "127.0.0.1:0"},
	}))
	builder := ctrl.NewControllerManagedBy(manager).For(&Sample{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: *workers})
	if *mode == "sync" {
		check(builder.Complete(reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
			return reconcile.Result{}, nil
		})))
	} else {
		check(builder.Owns(&corev1.ConfigMap{}).Complete(&reconciler{Client: manager.GetClient(), scheme: scheme}))
	}
	ctx := ctrl.SetupSignalHandler()
	go func() {
		if manager.GetCache().WaitForCacheSync(ctx) {
			var samples SampleList
			check(manager.GetClient().List(ctx, &samples))
			fmt.Println("synced", len(samples.Items))
		}
	}()
	check(manager.Start(ctx))
}

type reconciler struct {
	client.Client
	scheme *runtime.Scheme
}

func (r *reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var sample Sample
	if err := r.Get(ctx, request.NamespacedName, &sample); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	child := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: sample.Namespace, Name: sample.Name}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, child, func() error {
		child.Data = map[string]string{"seed": strconv.FormatInt(sample.Spec.Seed, 10), "payload": sample.Spec.Payload}
		return controllerutil.SetControllerReference(&sample, child, r.scheme)
	}); err != nil {
		return reconcile.Result{}, err
	}
	if sample.Status.Observed == sample.Spec.Seed {
		return reconcile.Result{}, nil
	}
	before := sample.DeepCopyObject().(*Sample)
	sample.Status.Observed = sample.Spec.Seed
	return reconcile.Result{}, r.Status().Patch(ctx, &sample, client.MergeFrom(before))
}
