package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	applyapps "k8s.io/client-go/applyconfigurations/apps/v1"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	applymeta "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const (
	finalizer = "sites.example.com/cleanup"
	byText    = "spec.text"
)

// Reconciler makes of each Site a ConfigMap and a Deployment, and removes what belongs to neither when it goes.
type Reconciler struct {
	client.Client
	recorder events.EventRecorder
}

// Setup says what is watched.
func (r *Reconciler) Setup(manager ctrl.Manager) error {
	err := manager.GetFieldIndexer().IndexField(context.Background(), &Site{}, byText, func(object client.Object) []string {
		return []string{object.(*Site).Spec.Text}
	})
	if err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(manager).For(&Site{}).Owns(&corev1.ConfigMap{}).Owns(&appsv1.Deployment{}).Complete(r)
}

func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	site := &Site{}
	if err := r.Get(ctx, request.NamespacedName, site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !site.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.cleanUp(ctx, site)
	}
	if controllerutil.AddFinalizer(site, finalizer) {
		return ctrl.Result{}, r.Update(ctx, site)
	}
	made, err := r.keepConfigMap(ctx, site)
	if err != nil {
		return ctrl.Result{}, err
	}
	if made != controllerutil.OperationResultNone {
		r.recorder.Eventf(site, nil, corev1.EventTypeNormal, "Written", "Writing", "the text was %s", made)
	}
	if err := r.Apply(ctx, deploymentOf(site), client.FieldOwner("sites"), client.ForceOwnership); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.report(ctx, site)
}

// keepConfigMap reads, changes and writes.
func (r *Reconciler) keepConfigMap(ctx context.Context, site *Site) (controllerutil.OperationResult, error) {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: site.Name, Namespace: site.Namespace}}
	return controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = map[string]string{"text": site.Spec.Text}
		return controllerutil.SetControllerReference(site, config, r.Scheme())
	})
}

// deploymentOf is applied by the server.
func deploymentOf(site *Site) *applyapps.DeploymentApplyConfiguration {
	labels := map[string]string{"site": site.Name}
	owner := applymeta.OwnerReference().WithAPIVersion(groupVersion.String()).WithKind("Site").WithName(site.Name).
		WithUID(site.UID).WithController(true).WithBlockOwnerDeletion(true)
	container := applycore.Container().WithName("web").WithImage("example.com/web:1").
		WithEnv(applycore.EnvVar().WithName("TEXT").WithValue(site.Spec.Text)).
		WithPorts(applycore.ContainerPort().WithContainerPort(8080))
	return applyapps.Deployment(site.Name, site.Namespace).WithOwnerReferences(owner).WithSpec(applyapps.DeploymentSpec().
		WithReplicas(*site.Spec.Replicas).
		WithSelector(applymeta.LabelSelector().WithMatchLabels(labels)).
		WithTemplate(applycore.PodTemplateSpec().WithLabels(labels).WithSpec(applycore.PodSpec().WithContainers(container))))
}

// report writes the status as a patch of what has changed.
func (r *Reconciler) report(ctx context.Context, site *Site) error {
	before := site.DeepCopyObject().(*Site)
	deployment := &appsv1.Deployment{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(site), deployment); err != nil {
		return client.IgnoreNotFound(err)
	}
	condition := metav1.Condition{Type: "Ready", Status: metav1.ConditionFalse, Reason: "Waiting", ObservedGeneration: site.Generation,
		Message: fmt.Sprintf("%d of %d", deployment.Status.ReadyReplicas, *site.Spec.Replicas)}
	if deployment.Status.ReadyReplicas == *site.Spec.Replicas {
		condition.Status, condition.Reason = metav1.ConditionTrue, "Serving"
	}
	meta.SetStatusCondition(&site.Status.Conditions, condition)
	site.Status.ObservedGeneration = site.Generation
	return r.Status().Patch(ctx, site, client.MergeFrom(before))
}

// cleanUp removes what garbage collection does not know of.
func (r *Reconciler) cleanUp(ctx context.Context, site *Site) error {
	left := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: site.Name + "-left", Namespace: site.Namespace}}
	if err := r.Delete(ctx, left); client.IgnoreNotFound(err) != nil {
		return err
	}
	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
	if err := r.Patch(ctx, site, patch); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	return nil
}
