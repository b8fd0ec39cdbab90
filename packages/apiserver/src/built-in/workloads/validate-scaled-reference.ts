import type { CrossVersionObjectReference } from 'ots-kubernetes/autoscaling/v2';
import { pathSegment } from 'ots-apimachinery/names';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { errorsOfRule } from '../validation/errors-of-rule.ts';

/** Which apiVersion a reference needs: any text, a version of any group, or one of a named group. */
export type ReferenceRule = 'any' | 'optional group' | 'group';

/** Validates a reference of an autoscaler to another object. */
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

/** A required name that is valid as a path segment. */
export function requireSegment(field: string, name: string, detail = ''): FieldError[] {
  return name === '' ? [required(field, detail)] : errorsOfRule(field, name, pathSegment);
}

/** The error in the apiVersion of a reference. */
export function apiVersionProblem(
  { apiVersion = '' }: CrossVersionObjectReference,
  allowsCore: boolean,
): string | undefined {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const group = parts.length === 2 ? parts[0] : '';
  return allowsCore || group !== '' ? undefined : 'apiVersion must specify API group';
}
