/**
 * @rbac groups=apps.example.com resources=myapps verbs=get;list;watch;create;update;patch;delete
 * @rbac groups=apps.example.com resources=myapps/status verbs=get;update;patch
 * @rbac groups=apps.example.com resources=myapps/finalizers verbs=update
 */
export const objects = {};

/**
 * @rbac groups=apps resources=deployments;statefulsets verbs=get;list;watch
 * @rbac groups=apps resources=deployments verbs=create;update
 * @rbac groups="" resources=pods;services verbs=list;get
 * @rbac groups=core resources=events verbs=create;patch
 * @rbac {groups: [batch, apps], resources: [jobs], verbs: ['*']}
 * @rbac groups=coordination.k8s.io resources=leases resourceNames=leader;other verbs=update
 * @rbac urls=/metrics;/healthz verbs=get
 * @rbac groups="" resources=secrets namespace=infra verbs=get
 */
export const others = {};
// +kubebuilder:rbac:groups="",resources=configmaps,namespace=infra,roleName=settings,verbs=get;list
// +kubebuilder:rbac:groups=apps.example.com,resources=myapps,roleName=viewer,verbs=get;list;watch

/**
 * @webhook {path: /mutate-apps-example-com-v1alpha1-myapp, mutating: true, failurePolicy: fail, sideEffects: None, groups: apps.example.com, resources: myapps, verbs: [create, update], versions: v1alpha1, name: mmyapp-v1alpha1.kb.io}
 * @webhook path=/validate-apps-example-com-v1alpha1-myapp mutating=false failurePolicy=ignore sideEffects=NoneOnDryRun groups=apps.example.com resources=myapps;myapps/status verbs=create;update;delete versions=v1alpha1;v1 name=vmyapp-v1alpha1.kb.io admissionReviewVersions=v1;v1beta1 matchPolicy=Exact timeoutSeconds=5
 */
export const webhooks = {};
// +kubebuilder:webhook:path=/mutate-pods,mutating=true,failurePolicy=fail,sideEffects=None,groups=core,resources=pods,verbs=*,versions=v1,name=mpod.kb.io,admissionReviewVersions=v1,reinvocationPolicy=IfNeeded
