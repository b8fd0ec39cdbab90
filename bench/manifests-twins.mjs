// The projects that bench/manifests.mjs times: the same kinds in TypeScript and in Go.

/**
 * `template` embeds a PodTemplateSpec in each kind; `operator` adds what every operator has: a program with a manager and
 * a controller. controller-gen loads what these import, too.
 *
 * @typedef {{ name: string, kinds: number, template?: boolean, operator?: boolean }} Project
 * @type {readonly Project[]}
 */
export const projects = [
  { name: 'one kind', kinds: 1, operator: true },
  { name: 'one kind, its types alone', kinds: 1 },
  { name: 'PodTemplateSpec', kinds: 1, template: true, operator: true },
  { name: '100 kinds', kinds: 100, operator: true },
];

const group = 'bench.example.com';

/**
 * A project for ots, by path.
 * @param {Project} project
 */
export function typescriptFiles({ kinds, template, operator }) {
  const files = {
    PROJECT: 'domain: example.com\nlayout: [typescript.ots/v1]\nprojectName: bench\nversion: "3"\n',
    ...(operator && {
      'src/main.ts': typescriptMain,
      'src/controllers/kind0.controller.ts': typescriptController,
    }),
  };
  for (let index = 0; index < kinds; index++) {
    files[`src/api/v1/kind${index}.ts`] = typescriptKind(`Kind${index}`, template);
  }
  return files;
}

const typescriptMain = `import { Manager } from 'ots-runtime';
import { Kind0Reconciler } from './controllers/kind0.controller.ts';

const manager = new Manager();
manager.add(new Kind0Reconciler(manager.client));
await manager.start();
`;

const typescriptController = `import type { Client, ReconcileContext, Reconciler, Request } from 'ots-runtime';
import { Kind0 } from '../api/v1/kind0.ts';

/**
 * Reconciles Kind0.
 * @rbac groups=${group} resources=kind0s verbs=get;list;watch;update;patch
 * @rbac groups=${group} resources=kind0s/status verbs=get;update;patch
 * @rbac groups=apps resources=deployments verbs=get;list;watch;create;update;patch;delete
 */
export class Kind0Reconciler implements Reconciler {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<void> {
    const object = await this.#client.get(Kind0, request);
    context.log.info('reconciled', { found: object !== undefined });
  }
}
`;

function typescriptKind(kind, withTemplate) {
  const imports = withTemplate ? "import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';\n" : '';
  const template = withTemplate ? '  /** The pods to run. */\n  template: PodTemplateSpec;\n' : '';
  return `import { type Condition, type KubernetesObject, defineKind, type int32 } from 'ots-runtime';
${imports}
/** A port that is opened. */
export interface ${kind}Port {
  /** The name of the port. @minLength 1 @maxLength 15 */
  name: string;
  /** The number of the port. @minimum 1 @maximum 65535 */
  port: int32;
  /** The protocol. @default TCP */
  protocol?: 'TCP' | 'UDP';
}

/** The desired state of ${kind}. */
export interface ${kind}Spec {
  /**
   * What is said.
   * @minLength 1
   * @maxLength 64
   */
  message: string;
  /**
   * How many copies there should be.
   * @minimum 0
   * @maximum 100
   * @default 1
   */
  replicas?: int32;
  /** Whether anything happens. @default Active */
  mode?: 'Active' | 'Paused';
  /** The name of the image. @pattern ^[a-z0-9./:-]+$ */
  image?: string;
  /** Labels of everything that is made. */
  labels?: Record<string, string>;
  /**
   * The ports to open.
   * @listType map
   * @listMapKey name
   */
  ports?: ${kind}Port[];
  /** Whether the object is taken away with the last user. */
  ephemeral?: boolean;
${template}}

/** The observed state of ${kind}. */
export interface ${kind}Status {
  /** How many copies are ready. */
  readyReplicas?: int32;
  /**
   * What is true now.
   * @listType map
   * @listMapKey type
   */
  conditions?: Condition[];
}

/**
 * ${kind} is a kind of the benchmark.
 * @subresource status
 * @printcolumn {name: Ready, type: integer, jsonPath: .status.readyReplicas}
 */
export interface ${kind} extends KubernetesObject {
  apiVersion: '${group}/v1';
  kind: '${kind}';
  spec: ${kind}Spec;
  status?: ${kind}Status;
}

export const ${kind} = defineKind<${kind}>({
  apiVersion: '${group}/v1',
  kind: '${kind}',
  plural: '${kind.toLowerCase()}s',
  scope: 'Namespaced',
});
`;
}

/**
 * The same project for controller-gen, by path.
 * @param {Project} project
 */
export function goFiles({ kinds, template, operator }) {
  const files = {
    'go.mod': `module example.com/bench

go 1.26.0

require (
	k8s.io/api v0.37.0
	k8s.io/apimachinery v0.37.0
	sigs.k8s.io/controller-runtime v0.25.2
)
`,
    'api/v1/doc.go': `// Package v1 holds the kinds of the benchmark.
// +groupName=${group}
package v1
`,
    ...(operator && { 'cmd/main.go': goMain, 'internal/controller/kind0.go': goController }),
  };
  for (let index = 0; index < kinds; index++) {
    files[`api/v1/kind${index}.go`] = goKind(`Kind${index}`, template);
  }
  return files;
}

const goMain = `package main

import (
	"os"

	"example.com/bench/internal/controller"
	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err == nil {
		err = (&controller.Kind0Reconciler{Client: manager.GetClient()}).SetupWithManager(manager)
	}
	if err == nil {
		err = manager.Start(ctrl.SetupSignalHandler())
	}
	if err != nil {
		os.Exit(1)
	}
}
`;

const goController = `// Package controller reconciles.
package controller

import (
	"context"

	v1 "example.com/bench/api/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// Kind0Reconciler reconciles Kind0.
type Kind0Reconciler struct {
	client.Client
}

// +kubebuilder:rbac:groups=${group},resources=kind0s,verbs=get;list;watch;update;patch
// +kubebuilder:rbac:groups=${group},resources=kind0s/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update;patch;delete

// Reconcile reconciles one object.
func (r *Kind0Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	log.FromContext(ctx).Info("reconciled", "spec", v1.Kind0Spec{})
	return ctrl.Result{}, nil
}

// SetupWithManager adds the reconciler to a manager.
func (r *Kind0Reconciler) SetupWithManager(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).Named("kind0").Complete(r)
}
`;

function goKind(kind, withTemplate) {
  const imports = withTemplate ? '\tcorev1 "k8s.io/api/core/v1"\n' : '';
  const template = withTemplate
    ? '\t// The pods to run.\n\tTemplate corev1.PodTemplateSpec `json:"template"`\n'
    : '';
  return `package v1

import (
${imports}	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ${kind}Port is a port that is opened.
type ${kind}Port struct {
	// The name of the port.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=15
	Name string \`json:"name"\`
	// The number of the port.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	Port int32 \`json:"port"\`
	// The protocol.
	// +kubebuilder:validation:Enum=TCP;UDP
	// +kubebuilder:default=TCP
	// +optional
	Protocol string \`json:"protocol,omitempty"\`
}

// ${kind}Spec is the desired state of ${kind}.
type ${kind}Spec struct {
	// What is said.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	Message string \`json:"message"\`
	// How many copies there should be.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	// +kubebuilder:default=1
	// +optional
	Replicas *int32 \`json:"replicas,omitempty"\`
	// Whether anything happens.
	// +kubebuilder:validation:Enum=Active;Paused
	// +kubebuilder:default=Active
	// +optional
	Mode string \`json:"mode,omitempty"\`
	// The name of the image.
	// +kubebuilder:validation:Pattern=\`^[a-z0-9./:-]+$\`
	// +optional
	Image string \`json:"image,omitempty"\`
	// Labels of everything that is made.
	// +optional
	Labels map[string]string \`json:"labels,omitempty"\`
	// The ports to open.
	// +listType=map
	// +listMapKey=name
	// +optional
	Ports []${kind}Port \`json:"ports,omitempty"\`
	// Whether the object is taken away with the last user.
	// +optional
	Ephemeral bool \`json:"ephemeral,omitempty"\`
${template}}

// ${kind}Status is the observed state of ${kind}.
type ${kind}Status struct {
	// How many copies are ready.
	// +optional
	ReadyReplicas int32 \`json:"readyReplicas,omitempty"\`
	// What is true now.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition \`json:"conditions,omitempty"\`
}

// ${kind} is a kind of the benchmark.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name=Ready,type=integer,JSONPath=.status.readyReplicas
type ${kind} struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata,omitempty"\`

	Spec   ${kind}Spec   \`json:"spec"\`
	Status ${kind}Status \`json:"status,omitempty"\`
}

// ${kind}List is a list of ${kind}.
// +kubebuilder:object:root=true
type ${kind}List struct {
	metav1.TypeMeta \`json:",inline"\`
	metav1.ListMeta \`json:"metadata,omitempty"\`

	Items []${kind} \`json:"items"\`
}
`;
}
