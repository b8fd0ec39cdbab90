import type { NamedRuleWithOperations, RuleWithOperations } from 'ots-kubernetes/admissionregistration/v1';
import { pathSegment } from 'ots-apimachinery/names';
import { type FieldError, duplicate, invalid, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { validateChoice } from '../../validation/validate-choice.ts';
import { operations as allOperations, ruleScopes } from './choices.ts';
import { validateRuleResources } from './validate-rule-resources.ts';

/** Validates which requests a webhook or a policy matches. */
export function validateRule(rule: RuleWithOperations, path: string): FieldError[] {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  return [
    ...(operations.length > 0 ? [] : [required(`${path}.operations`)]),
    ...aloneIfWildcard(operations, `${path}.operations`, 'operations'),
    ...operations.flatMap((operation, index) =>
      validateChoice(`${path}.operations[${index}]`, operation, allOperations),
    ),
    ...(apiGroups.length > 0 ? [] : [required(`${path}.apiGroups`)]),
    ...aloneIfWildcard(apiGroups, `${path}.apiGroups`, 'API groups'),
    ...(apiVersions.length > 0 ? [] : [required(`${path}.apiVersions`)]),
    ...aloneIfWildcard(apiVersions, `${path}.apiVersions`, 'API versions'),
    ...apiVersions.flatMap((version, index) =>
      version === '' ? [required(`${path}.apiVersions[${index}]`)] : [],
    ),
    ...validateRuleResources(resources, `${path}.resources`),
    ...(scope === undefined ? [] : validateChoice(`${path}.scope`, scope, ruleScopes)),
  ];
}

/** {@link validateRule} for a rule that can name objects. */
export function validateNamedRule(rule: NamedRuleWithOperations, path: string): FieldError[] {
  const { resourceNames = [] } = rule;
  return [
    ...resourceNames.flatMap((name, index) => {
      const field = `${path}.resourceNames[${index}]`;
      const isKnown = resourceNames.indexOf(name) < index;
      return [...errorsOfRule(field, name, pathSegment), ...(isKnown ? [duplicate(field, name)] : [])];
    }),
    ...validateRule(rule, path),
  ];
}

/** `*` matches everything, so it must be the only entry. */
function aloneIfWildcard(values: readonly string[], field: string, what: string): FieldError[] {
  return values.length > 1 && values.includes('*')
    ? [invalid(field, values, `if '*' is present, must not specify other ${what}`)]
    : [];
}
