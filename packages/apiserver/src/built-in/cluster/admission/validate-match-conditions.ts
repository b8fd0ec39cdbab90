import type { MatchCondition } from 'ots-kubernetes/admissionregistration/v1';
import { qualifiedName } from 'ots-apimachinery/names';
import { type FieldError, duplicate, required, tooMany } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { validateExpression } from './validate-expression.ts';

const maxConditions = 64;

/**
 * Validates match conditions: expressions that must all be true for a webhook or a policy to run.
 *
 * @param others further variables besides the objects and the request
 */
export function validateMatchConditions(
  conditions: readonly MatchCondition[],
  field: string,
  others: readonly string[],
): FieldError[] {
  const names = conditions.map(({ name }) => name);
  return [
    ...(conditions.length > maxConditions ? [tooMany(field, conditions.length, maxConditions)] : []),
    ...conditions.flatMap(({ name, expression }, index) => {
      const path = `${field}[${index}]`;
      return [
        ...(expression.trim() === ''
          ? [required(`${path}.expression`)]
          : validateExpression(expression, `${path}.expression`, 'bool', others)),
        ...(name === '' ? [required(`${path}.name`)] : errorsOfRule(`${path}.name`, name, qualifiedName)),
        ...(name !== '' && names.indexOf(name) < index ? [duplicate(`${path}.name`, name)] : []),
      ];
    }),
  ];
}
