import type { MatchResources, ParamKind, ParamRef } from 'ots-kubernetes/admissionregistration/v1';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import type { Resource } from '../../registry/resource.ts';
import { viewOf } from '../../registry/views.ts';

/** What the specs of both kinds of policies have. */
export interface PolicySpec {
  readonly failurePolicy?: string;
  readonly matchConstraints?: MatchResources;
  readonly paramKind?: ParamKind;
}

/** What the specs of both kinds of bindings have. */
export interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
}

/** A binding of a policy. */
export interface Binding<Spec extends BindingSpec = BindingSpec> {
  readonly name: string;
  readonly spec: Spec;
}

/** A policy with its bindings. One without bindings has no effect. */
export interface BoundPolicy<Spec extends PolicySpec, Bound extends BindingSpec, Evaluator> {
  readonly name: string;
  readonly spec: Spec;
  readonly bindings: readonly Binding<Bound>[];
  /** Compiled once per generation. */
  readonly evaluator: Evaluator;
}

/** All policies of one kind that have bindings, sorted by name. */
export class PolicySource<Spec extends PolicySpec, Bound extends BindingSpec, Evaluator> {
  readonly #policies: Resource;
  readonly #bindings: Resource;
  readonly #compile: (spec: Spec) => Evaluator;
  #compiled = new Map<string, Evaluator>();
  #all: readonly BoundPolicy<Spec, Bound, Evaluator>[] | undefined;

  /**
   * @param kind the plural of the policies and of their bindings
   * @param compile compiles a policy
   */
  constructor(
    registry: ResourceRegistry,
    kind: { policies: string; bindings: string },
    compile: (spec: Spec) => Evaluator,
  ) {
    this.#policies = find(registry, kind.policies);
    this.#bindings = find(registry, kind.bindings);
    this.#compile = compile;
    for (const { table } of [this.#policies, this.#bindings])
      table.subscribers.add('', () => (this.#all = undefined));
  }

  /** Whether no policy can have an effect. */
  get isEmpty(): boolean {
    return this.#bindings.table.size === 0 || this.#policies.table.size === 0;
  }

  get all(): readonly BoundPolicy<Spec, Bound, Evaluator>[] {
    return (this.#all ??= this.#read());
  }

  #read(): BoundPolicy<Spec, Bound, Evaluator>[] {
    const bindings = new Map<string, Binding<Bound>[]>();
    for (const binding of objectsOf(this.#bindings) as Keyed<Bound>[]) {
      const { policyName = '' } = binding.spec;
      bindings.set(policyName, [...(bindings.get(policyName) ?? []), binding]);
    }
    const known = this.#compiled;
    this.#compiled = new Map();
    return (objectsOf(this.#policies) as Keyed<Spec>[]).flatMap(({ name, spec, key }) => {
      const bound = bindings.get(name);
      if (!bound) return [];
      const evaluator = known.get(key) ?? this.#compile(spec);
      this.#compiled.set(key, evaluator);
      return [{ name, spec, bindings: bound, evaluator }];
    });
  }
}

function find(registry: ResourceRegistry, plural: string): Resource {
  const resource = registry.find('admissionregistration.k8s.io', 'v1', plural);
  if (!resource) throw new Error(`the server does not serve ${plural}`);
  return resource;
}

/** A spec. The key changes when it does. */
interface Keyed<Spec> {
  readonly name: string;
  readonly spec: Spec;
  readonly key: string;
}

function objectsOf(resource: Resource): Keyed<unknown>[] {
  return resource.table.list().map((record) => {
    const { metadata, spec } = viewOf(resource, record);
    const { name = '', uid = '', generation = 0 } = metadata;
    return { name, spec, key: `${uid}/${generation}` };
  });
}
