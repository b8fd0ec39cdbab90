import type {
  MutatingAdmissionPolicyBindingSpec,
  MutatingAdmissionPolicySpec,
} from 'ots-kubernetes/admissionregistration/v1';
import type { ApiObject } from '../../json/api-object.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { OwnMachinery } from '../../registry/machinery.ts';
import { namespaceOf } from '../../registry/request-identity.ts';
import type { Resource } from '../../registry/resource.ts';
import { internalError } from '../../status/errors.ts';
import { StatusError } from '../../status/status-error.ts';
import { convertObject } from '../convert-object.ts';
import { forbid } from '../forbid.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import type { Reinvocation } from '../reinvocation.ts';
import type { VersionedRequest } from '../versioned-request.ts';
import { collectParams, paramResource } from './collect-params.ts';
import { ConfigurationError } from './configuration-error.ts';
import { isHiddenFromPolicies } from './match-constraints.ts';
import {
  type Conversions,
  type MatchedPolicy,
  convertFor,
  matchPolicies,
  requestIn,
} from './matched-policies.ts';
import { MutationError } from './mutation-error.ts';
import { Mutator } from './mutator.ts';
import { namespaceObject } from './namespace-object.ts';
import { type Binding, type BoundPolicy, PolicySource } from './policy-source.ts';

type Policy = BoundPolicy<MutatingAdmissionPolicySpec, MutatingAdmissionPolicyBindingSpec, Mutator>;

/** A request in one version, which the mutations in that version change in turn. */
interface State {
  request: VersionedRequest;
  isChanged: boolean;
}

/** A policy, a binding and a parameter for a request. */
interface Invocation {
  readonly policy: Policy;
  readonly binding: Binding;
  readonly state: State;
  readonly params: ApiObject | undefined;
}

/** Why a policy failed. */
interface PolicyFailure {
  readonly policy: Policy;
  readonly message: string;
  readonly reason?: string;
}

/** Applies the MutatingAdmissionPolicies. */
export class MutatingAdmissionPolicy implements AdmissionPlugin {
  readonly name = 'MutatingAdmissionPolicy';
  readonly #machinery: OwnMachinery;
  readonly #source: PolicySource<MutatingAdmissionPolicySpec, MutatingAdmissionPolicyBindingSpec, Mutator>;

  constructor(machinery: OwnMachinery) {
    this.#machinery = machinery;
    this.#source = new PolicySource(
      machinery.registry,
      { policies: 'mutatingadmissionpolicies', bindings: 'mutatingadmissionpolicybindings' },
      (spec) => new Mutator(spec),
    );
  }

  handles(attributes: AdmissionAttributes): boolean {
    if (this.#source.isEmpty || attributes.operation === 'DELETE') return false;
    return !isHiddenFromPolicies(attributes);
  }

  mutate(attributes: AdmissionAttributes, reinvocation: Reinvocation): Promise<void> | undefined {
    const { registry } = this.#machinery;
    const matched = matchPolicies<MutatingAdmissionPolicyBindingSpec, Policy>(
      this.#source.all,
      attributes,
      registry,
    );
    const apply = (conversions: Conversions) => {
      const failures: PolicyFailure[] = [];
      const invocations = this.#invocations(matched, attributes, conversions, failures);
      const running =
        invocations.length > 0 ? this.#run(invocations, attributes, reinvocation, failures) : undefined;
      const refuse = () => {
        const refusing = failures.filter(({ policy }) => policy.spec.failurePolicy !== 'Ignore');
        if (refusing.length > 0) throw refusal(attributes, refusing);
      };
      if (running) return running.then(refuse);
      refuse();
      return undefined;
    };
    const conversions = convertFor(matched, attributes, registry);
    return conversions instanceof Promise ? conversions.then(apply) : apply(conversions);
  }

  /** All policies are matched with the object as the request states it, before the first one changes it. */
  #invocations(
    matched: readonly MatchedPolicy<MutatingAdmissionPolicyBindingSpec, Policy>[],
    attributes: AdmissionAttributes,
    conversions: Conversions,
    failures: PolicyFailure[],
  ): Invocation[] {
    const { registry } = this.#machinery;
    const states = new Map<Resource, State>();
    const stateIn = (resource: Resource): State => {
      const state = states.get(resource) ?? { request: requestIn(resource, conversions), isChanged: false };
      states.set(resource, state);
      return state;
    };
    return matched.flatMap(({ policy, resource, bindings }) =>
      attempt(policy, undefined, failures, () => {
        const { paramKind } = policy.spec;
        const kind = paramKind && paramResource(paramKind, registry);
        return bindings.flatMap((binding) =>
          attempt(policy, undefined, failures, () => {
            const state = stateIn(resource);
            return attempt(policy, binding, failures, () =>
              collectParams(kind, binding.spec.paramRef, namespaceOf(attributes)).map((params) => ({
                policy,
                binding,
                state,
                params,
              })),
            );
          }),
        );
      }),
    );
  }

  #run(
    invocations: readonly Invocation[],
    attributes: AdmissionAttributes,
    reinvocation: Reinvocation,
    failures: PolicyFailure[],
  ): Promise<void> | undefined {
    const reinvoked = reinvocation.of(this.name);
    reinvoked.start(attributes.object);
    let last: State | undefined;
    for (const invocation of invocations) {
      const { policy, state } = invocation;
      if (!this.#meetsConditions(invocation, failures)) continue;
      const id = idOf(invocation);
      if (!reinvoked.runs(id)) continue;
      const before = state.request.object;
      last = state;
      this.#mutate(invocation, failures);
      const isChanged = !jsonEqual(before, state.request.object);
      reinvoked.ran(id, isChanged, policy.spec.reinvocationPolicy === 'IfNeeded');
    }
    // The state of the last policy counts: what others did in another version is lost, as in kube-apiserver.
    const object = last?.isChanged ? last.request.object : undefined;
    const end = (changed: ApiObject | undefined) => {
      if (changed) {
        attributes.object = changed;
        reinvoked.ran('', true, false);
      }
      reinvoked.end(attributes.object);
    };
    const kind = last?.request.kind ?? attributes.kind;
    const converted =
      object && kind !== attributes.kind ? convertObject(object, kind, attributes.kind) : object;
    if (converted instanceof Promise) return converted.then(end, failToConvert);
    end(converted);
    return undefined;
  }

  #meetsConditions({ policy, binding, state, params }: Invocation, failures: PolicyFailure[]): boolean {
    const { authorizer } = this.#machinery;
    const result = policy.evaluator.policy.conditions.match({ ...state.request, params, authorizer });
    if ('matches' in result) return result.matches;
    failures.push({ policy, message: described(policy, binding, result.error), reason: 'Invalid' });
    return false;
  }

  /** A mutation that fails does not stop the others. */
  #mutate({ policy, binding, state, params }: Invocation, failures: PolicyFailure[]): void {
    const { authorizer, registry } = this.#machinery;
    const namespace = namespaceObject(state.request.attributes, registry);
    for (const mutation of policy.evaluator.mutations) {
      const { object } = state.request;
      if (!object) continue;
      try {
        const changed = mutation.apply({ ...state.request, object, params, authorizer, namespace });
        state.request = { ...state.request, object: changed };
        state.isChanged = true;
      } catch (error) {
        if (!(error instanceof MutationError)) throw error;
        failures.push({ policy, message: described(policy, binding, error.message), reason: 'Invalid' });
      }
    }
  }
}

function failToConvert(error: unknown): never {
  throw error instanceof StatusError ? internalError(`failed to convert object: ${error.message}`) : error;
}

function idOf({ policy, binding, params }: Invocation): string {
  const { name = '', namespace = '' } = params?.metadata ?? {};
  return JSON.stringify([policy.name, binding.name, namespace, name]);
}

/** @returns nothing when the policy, or the binding, cannot be used */
function attempt(
  policy: Policy,
  binding: Binding | undefined,
  failures: PolicyFailure[],
  work: () => Invocation[],
): Invocation[] {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const problem = `failed to configure ${binding ? 'binding' : 'policy'}: ${error.message}`;
    failures.push({ policy, message: described(policy, binding, problem) });
    return [];
  }
}

function described({ name }: Policy, binding: Binding | undefined, problem: string): string {
  const subject = binding
    ? `policy '${name}' with binding '${binding.name}'`
    : `policy ${JSON.stringify(name)}`;
  return `${subject} denied request: ${problem}`;
}

/** The first failure is the message, with its reason but not its code. */
function refusal(attributes: AdmissionAttributes, failures: readonly PolicyFailure[]): StatusError {
  const { status } = forbid(attributes, '');
  const [{ message, reason = status.reason }] = failures as [PolicyFailure];
  const causes = failures.map(({ message: one }) => ({ message: one }));
  return new StatusError(status.code, reason, message, { ...status.details, causes });
}
