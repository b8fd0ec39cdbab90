import type { MatchCondition } from 'ots-kubernetes/admissionregistration/v1';
import { qualifiedName } from 'ots-apimachinery/names';
import { type FieldError, duplicate, required, tooMany } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { ExpressionCompiler } from '../../../expressions/expression-compiler.ts';
import { expressionErrors } from './validate-expression.ts';

const maxConditions = 64;

/**
 * Validates match conditions: expressions that must all be true for a webhook or a policy to run.
 *
 * @param params whether they may use `params`
 */
export function validateMatchConditions(
  conditions: readonly MatchCondition[],
  field: string,
  params: boolean,
): FieldError[] {
  const compiler = new ExpressionCompiler({ params });
  const names = conditions.map(({ name }) => name);
  return [
    ...(conditions.length > maxConditions ? [tooMany(field, conditions.length, maxConditions)] : []),
    ...conditions.flatMap(({ name, expression }, index) => {
      const path = `${field}[${index}]`;
      const text = expression.trim();
      return [
        ...(text === ''
          ? [required(`${path}.expression`)]
          : expressionErrors(compiler.compile(text, 'bool'), text, `${path}.expression`)),
        ...(name === '' ? [required(`${path}.name`)] : errorsOfRule(`${path}.name`, name, qualifiedName)),
        ...(name !== '' && names.indexOf(name) < index ? [duplicate(`${path}.name`, name)] : []),
      ];
    }),
  ];
}
