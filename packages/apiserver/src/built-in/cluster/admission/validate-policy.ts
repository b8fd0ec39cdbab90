import type { ParamKind, Variable } from 'ots-kubernetes/admissionregistration/v1';
import type { MatchCondition, MatchResources } from 'ots-kubernetes/admissionregistration/v1';
import { dns1035Label, subdomain } from 'ots-apimachinery/names';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { jsonEqual } from '../../../json/json-equal.ts';
import { validateChoice } from '../../validation/validate-choice.ts';
import { failurePolicies } from './choices.ts';
import { validateMatch } from './match-resources.ts';
import type { ExpressionCompiler } from '../../../expressions/expression-compiler.ts';
import { expressionErrors } from './validate-expression.ts';
import { validateMatchConditions } from './validate-match-conditions.ts';

/** The spec that validating and mutating policies share. */
export interface PolicySpec {
  failurePolicy?: string;
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  matchConditions?: MatchCondition[];
  variables?: Variable[];
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/**
 * Validates what all policies share.
 *
 * @param compiler compiles the variables, and then knows them
 * @param old the policy before an update: unchanged conditions are not validated again
 */
export function validatePolicy(
  spec: PolicySpec,
  compiler: ExpressionCompiler,
  old?: PolicySpec,
): FieldError[] {
  const { failurePolicy, paramKind, matchConstraints, matchConditions = [], variables = [] } = spec;
  const keepsConditions =
    old && jsonEqual(old.paramKind, paramKind) && jsonEqual(old.matchConditions, spec.matchConditions);
  return [
    ...validateChoice('spec.failurePolicy', failurePolicy, failurePolicies),
    ...(paramKind ? validateParamKind(paramKind) : []),
    ...(matchConstraints
      ? validateConstraints(matchConstraints, 'spec.matchConstraints')
      : [required('spec.matchConstraints')]),
    ...(keepsConditions
      ? []
      : validateMatchConditions(matchConditions, 'spec.matchConditions', paramKind !== undefined)),
    ...variables.flatMap((variable, index) =>
      validateVariable(variable, `spec.variables[${index}]`, compiler),
    ),
  ];
}

function validateConstraints(match: MatchResources, path: string): FieldError[] {
  return [
    ...validateMatch(match, path),
    ...(match.resourceRules?.length ? [] : [required(`${path}.resourceRules`)]),
  ];
}

function validateParamKind({ apiVersion = '', kind = '' }: ParamKind): FieldError[] {
  const field = 'spec.paramKind.kind';
  const faults = dns1035Label(kind.toLowerCase());
  return [
    ...validateGroupVersion(apiVersion, 'spec.paramKind.apiVersion'),
    ...(kind === ''
      ? [required(field)]
      : faults.length === 0
        ? []
        : [invalid(field, kind, `may have mixed case, but should otherwise match: ${faults.join(',')}`)]),
  ];
}

function validateGroupVersion(apiVersion: string, field: string): FieldError[] {
  if (apiVersion === '') return [required(field)];
  const parts = apiVersion === '/' ? ['', ''] : apiVersion.split('/');
  if (parts.length > 2) return [invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const version = parts.at(-1) ?? '';
  const group = parts.length === 2 ? (parts[0] ?? '') : '';
  const groupFaults = group === '' ? [] : subdomain(group);
  const versionFaults = dns1035Label(version);
  return [
    ...(groupFaults.length > 0 ? [invalid(field, group, groupFaults.join(','))] : []),
    ...(version === ''
      ? [invalid(field, apiVersion, 'version must be specified')]
      : versionFaults.length > 0
        ? [invalid(field, version, versionFaults.join(','))]
        : []),
  ];
}

function validateVariable(variable: Variable, path: string, compiler: ExpressionCompiler): FieldError[] {
  const { name, expression } = variable;
  return [
    ...(name.trim() === ''
      ? [required(`${path}.name`, 'name is not specified')]
      : isIdentifier(name)
        ? []
        : [invalid(`${path}.name`, name, 'must be a valid CEL identifier')]),
    ...(expression.trim() === ''
      ? [required(`${path}.expression`, 'expression is not specified')]
      : expressionErrors(compiler.compileVariable(variable), expression, `${path}.expression`)),
  ];
}

function isIdentifier(name: string): boolean {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !reserved.has(name);
}
