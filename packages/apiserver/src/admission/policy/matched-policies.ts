import type { AdmissionAttributes } from '../../registry/admission.ts';
import { namespaceOf } from '../../registry/request-identity.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import type { Resource } from '../../registry/resource.ts';
import { StatusError } from '../../status/status-error.ts';
import { type VersionedRequest, versionedRequest } from '../versioned-request.ts';
import { prepareParams } from './collect-params.ts';
import { ConfigurationError } from './configuration-error.ts';
import { matchConstraints } from './match-constraints.ts';
import type { Binding, BindingSpec, BoundPolicy, PolicySpec } from './policy-source.ts';

/** A policy that is about a request. */
export interface MatchedPolicy<Bound extends BindingSpec, Policy> {
  readonly policy: Policy;
  /** The resource of the request in the version that the policy asks for. */
  readonly resource: Resource;
  /** Those of its bindings that are about the request. */
  readonly bindings: readonly Binding<Bound>[];
}

/** Finds the policies that are about a request. */
export function matchPolicies<
  Bound extends BindingSpec,
  Policy extends BoundPolicy<PolicySpec, Bound, unknown>,
>(
  policies: readonly Policy[],
  attributes: AdmissionAttributes,
  registry: ResourceRegistry,
): MatchedPolicy<Bound, Policy>[] {
  return policies.flatMap((policy) => {
    const resource = matchConstraints(policy.spec.matchConstraints, attributes, registry);
    if (!resource) return [];
    const bindings = policy.bindings.filter(({ spec }) =>
      matchConstraints(spec.matchResources, attributes, registry),
    );
    return [{ policy, resource, bindings }];
  });
}

/** A request in the versions that policies ask for, or why it could not be converted. */
export type Conversions = ReadonlyMap<Resource, VersionedRequest | StatusError>;

/**
 * Converts a request to the versions that policies ask for, and their parameters.
 *
 * @returns a promise only where a webhook converts
 */
export function convertFor(
  matched: readonly MatchedPolicy<BindingSpec, BoundPolicy<PolicySpec, BindingSpec, unknown>>[],
  attributes: AdmissionAttributes,
  registry: ResourceRegistry,
): Conversions | Promise<Conversions> {
  const conversions = new Map<Resource, VersionedRequest | StatusError>();
  const waiting: Promise<unknown>[] = [];
  for (const { policy, resource, bindings } of matched) {
    if (bindings.length === 0) continue;
    const preparing = bindings.map(({ spec }) =>
      prepareParams(policy.spec.paramKind, spec.paramRef, namespaceOf(attributes), registry),
    );
    waiting.push(...preparing.filter((one) => one !== undefined));
    if (conversions.has(resource)) continue;
    const request = versionedRequest(attributes, resource);
    if (request instanceof Promise) waiting.push(settle(request, (one) => conversions.set(resource, one)));
    else conversions.set(resource, request);
  }
  return waiting.length === 0 ? conversions : Promise.all(waiting).then(() => conversions);
}

async function settle(
  request: Promise<VersionedRequest>,
  keep: (result: VersionedRequest | StatusError) => void,
): Promise<void> {
  try {
    keep(await request);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    keep(error);
  }
}

/**
 * The request in the version of a resource, from {@link convertFor}.
 *
 * @param task begins the message of an error
 * @throws {ConfigurationError} when it could not be converted
 */
export function requestIn(resource: Resource, conversions: Conversions, task = ''): VersionedRequest {
  const request = conversions.get(resource);
  if (request && !(request instanceof StatusError)) return request;
  throw new ConfigurationError(`${task}${request?.message}`);
}
