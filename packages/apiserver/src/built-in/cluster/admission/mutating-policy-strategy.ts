import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicySpec,
  Mutation,
} from 'ots-kubernetes/admissionregistration/v1';
import { ExpressionCompiler } from '../../../expressions/expression-compiler.ts';
import { loadCelFor } from '../../../crd/rules/cel.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { requireChoice } from '../../validation/validate-choice.ts';
import { reinvocationPolicies } from './choices.ts';
import { setMatchDefaults, validateMutatingOperations } from './match-resources.ts';
import { expressionErrors } from './validate-expression.ts';
import { validatePolicy } from './validate-policy.ts';

type Policy = BuiltInObject<MutatingAdmissionPolicy>;

/** What the expression of each type of patch evaluates to. */
const patchResults = { ApplyConfiguration: 'object', JSONPatch: 'patches' } as const;
const patchTypes = Object.keys(patchResults);

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
    return validateSpec(spec);
  }

  override validateUpdate({ spec = {} }: Policy, old: Policy): FieldError[] {
    return validateSpec(spec, old.spec);
  }
}

function validateSpec(spec: MutatingAdmissionPolicySpec, old?: MutatingAdmissionPolicySpec): FieldError[] {
  const compiler = new ExpressionCompiler({ params: spec.paramKind !== undefined, composed: true });
  return [...validatePolicy(spec, compiler, old), ...validateContent(spec, compiler)];
}

function validateContent(spec: MutatingAdmissionPolicySpec, compiler: ExpressionCompiler): FieldError[] {
  const { mutations = [], reinvocationPolicy, matchConstraints } = spec;
  return [
    ...validateMutatingOperations(matchConstraints, 'spec.matchConstraints'),
    ...(mutations.length > 0
      ? mutations.flatMap((mutation, index) =>
          validateMutation(mutation, `spec.mutations[${index}]`, compiler),
        )
      : [required('spec.mutations', 'mutations must contain at least one item')]),
    ...requireChoice('spec.reinvocationPolicy', reinvocationPolicy, reinvocationPolicies),
  ];
}

function validateMutation(mutation: Mutation, path: string, compiler: ExpressionCompiler): FieldError[] {
  const { patchType, jsonPatch, applyConfiguration } = mutation;
  switch (patchType) {
    case 'JSONPatch':
      return [
        ...validatePatch(jsonPatch, `${path}.jsonPatch`, patchType, compiler),
        ...refuse(applyConfiguration, `${path}.applyConfiguration`, patchType),
      ];
    case 'ApplyConfiguration':
      return [
        ...validatePatch(applyConfiguration, `${path}.applyConfiguration`, patchType, compiler),
        ...refuse(jsonPatch, `${path}.jsonPatch`, patchType),
      ];
    default:
      return requireChoice(`${path}.patchType`, patchType, patchTypes);
  }
}

function validatePatch(
  patch: { expression?: string } | undefined,
  field: string,
  patchType: keyof typeof patchResults,
  compiler: ExpressionCompiler,
): FieldError[] {
  if (!patch) return [required(field, `must be specified when patchType is ${patchType}`)];
  const text = patch.expression?.trim() ?? '';
  if (text === '') return [required(`${field}.expression`)];
  const compiled = compiler.compile(text, patchResults[patchType], { createsObjects: true });
  return expressionErrors(compiled, text, `${field}.expression`);
}

function refuse(patch: unknown, field: string, patchType: string): FieldError[] {
  const name = field.slice(field.lastIndexOf('.') + 1);
  return patch === undefined
    ? []
    : [invalid(field, `{${name}}`, `must not be specified when patchType is ${patchType}`)];
}
