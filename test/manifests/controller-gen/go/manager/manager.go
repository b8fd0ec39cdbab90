// Package manager holds markers of controllers and webhooks; twins/manager.ts has the same.
package manager

// +kubebuilder:rbac:groups=apps.example.com,resources=myapps,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=apps.example.com,resources=myapps/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=apps.example.com,resources=myapps/finalizers,verbs=update

// +kubebuilder:rbac:groups=apps,resources=deployments;statefulsets,verbs=get;list;watch
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=create;update
// +kubebuilder:rbac:groups="",resources=pods;services,verbs=list;get
// +kubebuilder:rbac:groups=core,resources=events,verbs=create;patch
// +kubebuilder:rbac:groups=batch;apps,resources=jobs,verbs=*
// +kubebuilder:rbac:groups=coordination.k8s.io,resources=leases,resourceNames=leader;other,verbs=update
// +kubebuilder:rbac:urls=/metrics;/healthz,verbs=get
// +kubebuilder:rbac:groups="",resources=secrets,namespace=infra,verbs=get
// +kubebuilder:rbac:groups="",resources=configmaps,namespace=infra,roleName=settings,verbs=get;list
// +kubebuilder:rbac:groups=apps.example.com,resources=myapps,roleName=viewer,verbs=get;list;watch

// +kubebuilder:webhook:path=/mutate-apps-example-com-v1alpha1-myapp,mutating=true,failurePolicy=fail,sideEffects=None,groups=apps.example.com,resources=myapps,verbs=create;update,versions=v1alpha1,name=mmyapp-v1alpha1.kb.io,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/validate-apps-example-com-v1alpha1-myapp,mutating=false,failurePolicy=ignore,sideEffects=NoneOnDryRun,groups=apps.example.com,resources=myapps;myapps/status,verbs=create;update;delete,versions=v1alpha1;v1,name=vmyapp-v1alpha1.kb.io,admissionReviewVersions=v1;v1beta1,matchPolicy=Exact,timeoutSeconds=5
// +kubebuilder:webhook:path=/mutate-pods,mutating=true,failurePolicy=fail,sideEffects=None,groups=core,resources=pods,verbs=*,versions=v1,name=mpod.kb.io,admissionReviewVersions=v1,reinvocationPolicy=IfNeeded
