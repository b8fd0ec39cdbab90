import type {
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from 'ots-kubernetes/admissionregistration/v1';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { OwnMachinery } from '../../registry/machinery.ts';
import { namespaceOf } from '../../registry/request-identity.ts';
import type { Resource } from '../../registry/resource.ts';
import { StatusError } from '../../status/status-error.ts';
import { forbid } from '../forbid.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { type VersionedRequest, versionedRequests } from '../versioned-request.ts';
import { collectParams, paramResource } from './collect-params.ts';
import { ConfigurationError } from './configuration-error.ts';
import { isHiddenFromPolicies, matchConstraints } from './match-constraints.ts';
import { namespaceObject } from './namespace-object.ts';
import { type Binding, type BoundPolicy, PolicySource } from './policy-source.ts';
import { type Failure, Validator, type Verdict } from './validator.ts';

type Policy = BoundPolicy<ValidatingAdmissionPolicySpec, ValidatingAdmissionPolicyBindingSpec, Validator>;

/** A failure that refuses the request. */
interface Denial extends Failure {
  readonly policy: string;
  /** Undefined when the policy cannot be used at all. */
  readonly binding?: string;
}

const codes: Readonly<Record<string, number>> = { Forbidden: 403, RequestEntityTooLarge: 413 };

/** Evaluates the ValidatingAdmissionPolicies. */
export class ValidatingAdmissionPolicy implements AdmissionPlugin {
  readonly name = 'ValidatingAdmissionPolicy';
  readonly #machinery: OwnMachinery;
  readonly #source: PolicySource<
    ValidatingAdmissionPolicySpec,
    ValidatingAdmissionPolicyBindingSpec,
    Validator
  >;

  constructor(machinery: OwnMachinery) {
    this.#machinery = machinery;
    this.#source = new PolicySource(
      machinery.registry,
      { policies: 'validatingadmissionpolicies', bindings: 'validatingadmissionpolicybindings' },
      (spec) => new Validator(spec),
    );
  }

  handles(attributes: AdmissionAttributes): boolean {
    return !this.#source.isEmpty && !isHiddenFromPolicies(attributes);
  }

  validate(attributes: AdmissionAttributes): Promise<void> | undefined {
    const matched = this.#source.all.flatMap((policy) => {
      const resource = matchConstraints(policy.spec.matchConstraints, attributes, this.#machinery.registry);
      return resource ? [{ policy, resource }] : [];
    });
    const decide = (requests: ReadonlyMap<Resource, VersionedRequest>) => {
      const [denial] = matched.flatMap(({ policy, resource }) => {
        const request = requests.get(resource);
        return request ? this.#denialsOf(policy, request) : [];
      });
      if (denial) throw refusal(attributes, denial);
    };
    const requests = versionedRequests(
      attributes,
      matched.map(({ resource }) => resource),
    );
    if (requests instanceof Promise) return requests.then(decide);
    decide(requests);
    return undefined;
  }

  #denialsOf({ name: policy, spec, bindings, evaluator }: Policy, request: VersionedRequest): Denial[] {
    const { registry } = this.#machinery;
    const { attributes } = request;
    const failedToConfigure = (what: string, { message }: Error) =>
      spec.failurePolicy === 'Ignore' ? [] : [{ policy, message: `failed to configure ${what}: ${message}` }];
    return attempt(
      () => {
        const params = spec.paramKind && paramResource(spec.paramKind, registry);
        return bindings.flatMap((binding) => {
          if (!matchConstraints(binding.spec.matchResources, attributes, registry)) return [];
          return attempt(
            () =>
              collectParams(params, binding.spec.paramRef, namespaceOf(attributes)).flatMap((one) =>
                this.#denialsBy(policy, binding, evaluator.validate(this.#input(request, one)), attributes),
              ),
            (error) =>
              failedToConfigure('binding', error).map((denial) => ({ ...denial, binding: binding.name })),
          );
        });
      },
      (error) => failedToConfigure('policy', error),
    );
  }

  #input(request: VersionedRequest, params: Parameters<Validator['validate']>[0]['params']) {
    const { authorizer, registry } = this.#machinery;
    return { ...request, params, authorizer, namespace: namespaceObject(request.attributes, registry) };
  }

  /** Does what the binding says about failures. Nothing records audits. */
  #denialsBy(
    policy: string,
    { name, spec: { validationActions: actions } }: Binding<ValidatingAdmissionPolicyBindingSpec>,
    { failures, refusals }: Verdict,
    { warnings }: AdmissionAttributes,
  ): Denial[] {
    if (actions.includes('Warn'))
      for (const { message } of failures)
        warnings.push(
          `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${name}': ${message}`,
        );
    const denied = actions.includes('Deny') ? failures : [];
    return [...denied, ...refusals].map((failure) => ({ ...failure, policy, binding: name }));
  }
}

function attempt<Result>(work: () => Result, recover: (error: ConfigurationError) => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConfigurationError) return recover(error);
    throw error;
  }
}

function refusal(
  attributes: AdmissionAttributes,
  { policy, binding, message, reason = 'Invalid' }: Denial,
): StatusError {
  const by = binding === undefined ? '' : ` with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${message}`;
  const { status } = forbid(attributes, text);
  const details = { ...status.details, causes: [{ message: text }] };
  return new StatusError(codes[reason] ?? 422, reason, status.message, details);
}
