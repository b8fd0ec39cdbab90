import type { MutatingAdmissionPolicy, Mutation } from 'ots-kubernetes/admissionregistration/v1';
import { loadCelFor } from '../../../crd/rules/cel.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { requireChoice } from '../../validation/validate-choice.ts';
import { reinvocationPolicies } from './choices.ts';
import { setMatchDefaults, validateMutatingOperations } from './match-resources.ts';
import { validatePolicy } from './validate-policy.ts';

type Policy = BuiltInObject<MutatingAdmissionPolicy>;

const patchTypes = ['ApplyConfiguration', 'JSONPatch'];

/** MutatingAdmissionPolicies: expressions that change objects during admission. */
export class MutatingPolicyStrategy extends BuiltInStrategy {
  override setDefaults({ spec }: Policy): void {
    if (!spec) return;
    spec.failurePolicy ??= 'Fail';
    setMatchDefaults(spec.matchConstraints);
  }

  override loadFor(body: Buffer): Promise<void> {
    return loadCelFor(body, 'expression');
  }

  override validate({ spec = {} }: Policy): FieldError[] {
    return [...validatePolicy(spec), ...validateContent(spec)];
  }

  override validateUpdate({ spec = {} }: Policy, old: Policy): FieldError[] {
    return [...validatePolicy(spec, old.spec), ...validateContent(spec)];
  }
}

function validateContent(spec: NonNullable<Policy['spec']>): FieldError[] {
  const { mutations = [], reinvocationPolicy, matchConstraints } = spec;
  return [
    ...validateMutatingOperations(matchConstraints, 'spec.matchConstraints'),
    ...(mutations.length > 0
      ? mutations.flatMap((mutation, index) => validateMutation(mutation, `spec.mutations[${index}]`))
      : [required('spec.mutations', 'mutations must contain at least one item')]),
    ...requireChoice('spec.reinvocationPolicy', reinvocationPolicy, reinvocationPolicies),
  ];
}

function validateMutation(mutation: Mutation, path: string): FieldError[] {
  const { patchType, jsonPatch, applyConfiguration } = mutation;
  switch (patchType) {
    case 'JSONPatch':
      return [
        ...validateExpression(jsonPatch, `${path}.jsonPatch`, patchType),
        ...refuse(applyConfiguration, `${path}.applyConfiguration`, patchType),
      ];
    case 'ApplyConfiguration':
      return [
        ...validateExpression(applyConfiguration, `${path}.applyConfiguration`, patchType),
        ...refuse(jsonPatch, `${path}.jsonPatch`, patchType),
      ];
    default:
      return requireChoice(`${path}.patchType`, patchType, patchTypes);
  }
}

function validateExpression(
  patch: { expression?: string } | undefined,
  field: string,
  patchType: string,
): FieldError[] {
  if (!patch) return [required(field, `must be specified when patchType is ${patchType}`)];
  return patch.expression?.trim() ? [] : [required(`${field}.expression`)];
}

function refuse(patch: unknown, field: string, patchType: string): FieldError[] {
  const name = field.slice(field.lastIndexOf('.') + 1);
  return patch === undefined
    ? []
    : [invalid(field, `{${name}}`, `must not be specified when patchType is ${patchType}`)];
}
