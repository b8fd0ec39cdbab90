import type { CrossVersionObjectReference } from 'ots-kubernetes/autoscaling/v2';
import { pathSegment } from 'ots-apimachinery/names';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { errorsOfRule } from '../validation/errors-of-rule.ts';

/** What the version of a reference has to say: anything goes, a version of any group, or one of a named group. */
export type ReferenceRule = 'any' | 'optional group' | 'group';

/** Checks a reference of an autoscaler to another object. */
export function validateReference(
  reference: CrossVersionObjectReference,
  path: string,
  rule: ReferenceRule,
): FieldError[] {
  const { apiVersion = '' } = reference;
  const problem = rule === 'any' ? undefined : apiVersionProblem(reference, rule === 'optional group');
  return [
    ...requireSegment(`${path}.kind`, reference.kind),
    ...requireSegment(`${path}.name`, reference.name),
    ...(problem === undefined ? [] : [invalid(`${path}.apiVersion`, apiVersion, problem)]),
  ];
}

/** A name that has to be there and fit into a path. */
export function requireSegment(field: string, name: string, detail = ''): FieldError[] {
  return name === '' ? [required(field, detail)] : errorsOfRule(field, name, pathSegment);
}

/** What is wrong with the version of a reference. */
export function apiVersionProblem(
  { apiVersion = '' }: CrossVersionObjectReference,
  allowsCore: boolean,
): string | undefined {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const group = parts.length === 2 ? parts[0] : '';
  return allowsCore || group !== '' ? undefined : 'apiVersion must specify API group';
}
