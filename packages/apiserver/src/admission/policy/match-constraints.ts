import type { MatchResources, NamedRuleWithOperations } from 'ots-kubernetes/admissionregistration/v1';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import type { Resource } from '../../registry/resource.ts';
import { matchResources } from '../match-resources.ts';

const anyRequest: NamedRuleWithOperations[] = [
  { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] },
];

/**
 * Tells whether a policy or a binding is about a request.
 *
 * @param match without rules it is about all requests that the selectors allow
 * @returns the resource in the version that the rules ask for
 */
export function matchConstraints(
  match: MatchResources | undefined,
  attributes: AdmissionAttributes,
  registry: ResourceRegistry,
): Resource | undefined {
  if (!match) return attributes.target.resource;
  const { resourceRules = [], excludeResourceRules = [], ...selectors } = match;
  const rules = resourceRules.length > 0 ? resourceRules : anyRequest;
  return matchResources({ ...selectors, rules, excludeRules: excludeResourceRules }, attributes, registry);
}

const policyResources = new Set([
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);
const reviewGroups = new Set(['authentication.k8s.io', 'authorization.k8s.io']);

/** Whether policies never see a request: those about policies, and reviews, without which nothing in the cluster works. */
export function isHiddenFromPolicies({ target: { resource } }: AdmissionAttributes): boolean {
  const { group, plural } = resource;
  return group === 'admissionregistration.k8s.io' ? policyResources.has(plural) : reviewGroups.has(group);
}
