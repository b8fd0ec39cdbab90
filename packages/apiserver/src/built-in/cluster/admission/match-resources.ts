import type { MatchResources } from 'ots-kubernetes/admissionregistration/v1';
import type { FieldError } from '../../../status/field-error.ts';
import { validateChoice } from '../../validation/validate-choice.ts';
import { validateLabelSelector } from '../../validation/validate-label-selector.ts';
import { matchPolicies, mutatingOperations } from './choices.ts';
import { validateNamedRule } from './validate-rule.ts';

/** Sets the defaults of what a policy is about. Changes it. */
export function setMatchDefaults(match: MatchResources | undefined): void {
  if (!match) return;
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])])
    rule.scope ??= '*';
}

/** Checks what a policy is about. */
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

/** Checks that a policy which changes objects is about requests that write some. */
export function validateMutatingOperations(match: MatchResources | undefined, path: string): FieldError[] {
  return (match?.resourceRules ?? [])
    .flatMap(({ operations = [] }) => operations)
    .flatMap((operation) =>
      validateChoice(`${path}.resourceRules.operations`, operation, mutatingOperations),
    );
}
