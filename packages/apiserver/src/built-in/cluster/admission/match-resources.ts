import type { MatchResources } from 'ots-kubernetes/admissionregistration/v1';
import type { FieldError } from '../../../status/field-error.ts';
import { validateChoice } from '../../validation/validate-choice.ts';
import { validateLabelSelector } from '../../validation/validate-label-selector.ts';
import { matchPolicies, mutatingOperations } from './choices.ts';
import { validateNamedRule } from './validate-rule.ts';

/** Sets the defaults of a policy's match constraints. Changes it. */
export function setMatchDefaults(match: MatchResources | undefined): void {
  if (!match) return;
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])])
    rule.scope ??= '*';
}

/** Validates the match constraints of a policy. */
export function validateMatch(match: MatchResources, path: string): FieldError[] {
  const { matchPolicy, namespaceSelector = {}, objectSelector = {} } = match;
  const { resourceRules = [], excludeResourceRules = [] } = match;
  return [
    ...validateChoice(`${path}.matchPolicy`, matchPolicy, matchPolicies),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`),
    ...validateLabelSelector(objectSelector, `${path}.objectSelector`),
    ...resourceRules.flatMap((rule, index) => validateNamedRule(rule, `${path}.resourceRules[${index}]`)),
    ...excludeResourceRules.flatMap((rule, index) =>
      validateNamedRule(rule, `${path}.excludeResourceRules[${index}]`),
    ),
  ];
}

/** Checks that a mutating policy only matches requests that write objects. */
export function validateMutatingOperations(match: MatchResources | undefined, path: string): FieldError[] {
  return (match?.resourceRules ?? [])
    .flatMap(({ operations = [] }) => operations)
    .flatMap((operation) =>
      validateChoice(`${path}.resourceRules.operations`, operation, mutatingOperations),
    );
}
