import type {
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from 'ots-kubernetes/admissionregistration/v1';
import type { ApiObject } from '../../json/api-object.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { OwnMachinery } from '../../registry/machinery.ts';
import { namespaceOf } from '../../registry/request-identity.ts';
import { StatusError } from '../../status/status-error.ts';
import { forbid } from '../forbid.ts';
import type { AdmissionPlugin } from '../plugin.ts';
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
import { namespaceObject } from './namespace-object.ts';
import { PolicyAudit } from './policy-audit.ts';
import { type Binding, type BoundPolicy, PolicySource } from './policy-source.ts';
import { type Failure, Validator, type Verdict } from './validator.ts';

type Policy = BoundPolicy<ValidatingAdmissionPolicySpec, ValidatingAdmissionPolicyBindingSpec, Validator>;
type Bound = Binding<ValidatingAdmissionPolicyBindingSpec>;
type Matched = MatchedPolicy<ValidatingAdmissionPolicyBindingSpec, Policy>;

/** A failure that refuses the request. */
interface Denial extends Omit<Failure, 'index'> {
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
    const { registry } = this.#machinery;
    const matched = matchPolicies<ValidatingAdmissionPolicyBindingSpec, Policy>(
      this.#source.all,
      attributes,
      registry,
    );
    const decide = (conversions: Conversions) => {
      const [denial] = matched.flatMap((one) => this.#denialsOf(one, attributes, conversions));
      if (denial) throw refusal(attributes, denial);
    };
    const conversions = convertFor(matched, attributes, registry);
    if (conversions instanceof Promise) return conversions.then(decide);
    decide(conversions);
    return undefined;
  }

  #denialsOf(
    { policy: { name: policy, spec, evaluator }, resource, bindings }: Matched,
    attributes: AdmissionAttributes,
    conversions: Conversions,
  ): Denial[] {
    const failedToConfigure = (what: string, { message }: Error) =>
      spec.failurePolicy === 'Ignore' ? [] : [{ policy, message: `failed to configure ${what}: ${message}` }];
    const audit = attributes.audit && new PolicyAudit(attributes.audit, policy);
    const decide = (binding: Bound, params: ApiObject | undefined) => {
      const request = requestIn(resource, conversions, 'failed to convert object version: ');
      const verdict = evaluator.validate(this.#input(request, params));
      return denialsBy({ policy, binding, verdict }, { warnings: attributes.warnings, audit });
    };
    const denials = attempt(
      () => {
        const kind = spec.paramKind && paramResource(spec.paramKind, this.#machinery.registry);
        return bindings.flatMap((binding) =>
          attempt(
            () =>
              collectParams(kind, binding.spec.paramRef, namespaceOf(attributes)).flatMap((params) =>
                decide(binding, params),
              ),
            (error) =>
              failedToConfigure('binding', error).map((denial) => ({ ...denial, binding: binding.name })),
          ),
        );
      },
      (error) => failedToConfigure('policy', error),
    );
    audit?.end();
    return denials;
  }

  #input(request: VersionedRequest, params: Parameters<Validator['validate']>[0]['params']) {
    const { authorizer, registry } = this.#machinery;
    return { ...request, params, authorizer, namespace: namespaceObject(request.attributes, registry) };
  }
}

/** What a policy says about a request, for one binding and one parameter. */
interface Decision {
  readonly policy: string;
  readonly binding: Bound;
  readonly verdict: Verdict;
}

/** Does what the binding says about failures. */
function denialsBy(
  { policy, binding: { name, spec }, verdict: { failures, errors, annotations } }: Decision,
  { warnings, audit }: { warnings: string[]; audit: PolicyAudit | undefined },
): Denial[] {
  const { validationActions: actions } = spec;
  for (const failure of failures) {
    if (actions.includes('Audit')) audit?.addFailure(name, actions, failure);
    if (actions.includes('Warn'))
      warnings.push(
        `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${name}': ${failure.message}`,
      );
  }
  audit?.collect(annotations);
  const denied = actions.includes('Deny') ? failures : [];
  return [...denied, ...errors.map((message) => ({ message }))].map((failure) => ({
    ...failure,
    policy,
    binding: name,
  }));
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
