import type { ResourceQuota, ScopedResourceSelectorRequirement } from 'ots-kubernetes/core/v1';
import type { ApiObject } from '../../json/api-object.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { Amounts } from './amounts.ts';

/** One condition of a quota on the objects that it counts. */
export type ScopeSelector = ScopedResourceSelectorRequirement;

/** Knows what the objects of one resource use of a quota. */
export interface Evaluator {
  /** Whether the resource uses a thing that quotas count. */
  tracks(name: string): boolean;
  /** Whether a request can change what its object uses. */
  handles(attributes: AdmissionAttributes): boolean;
  isInScope(object: ApiObject, selector: ScopeSelector): boolean;
  /** What a new object lacks although quotas count it, in one line. */
  missing?(object: ApiObject, tracked: readonly string[]): string | undefined;
  usageOf(object: ApiObject, now: Date): Amounts;
}

/** The conditions of a quota, all of which an object must meet to count. */
export function selectorsOf({ spec }: ResourceQuota): ScopeSelector[] {
  const scopes = (spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' }) as const);
  return [...scopes, ...(spec?.scopeSelector?.matchExpressions ?? [])];
}

/**
 * Whether one of the names that an object refers to meets a condition.
 *
 * @param names without empty ones
 */
export function selectsName({ operator, values = [] }: ScopeSelector, names: readonly string[]): boolean {
  if (operator === 'Exists') return names.length > 0;
  if (operator === 'In') return names.some((name) => values.includes(name));
  if (names.length === 0) return true;
  return operator === 'NotIn' && names.some((name) => !values.includes(name));
}
