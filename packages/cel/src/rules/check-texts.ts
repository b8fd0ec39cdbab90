import type { StructuralSchema, ValidationRule } from '../schema/structural-schema.ts';
import { checkFieldPath } from './check-field-path.ts';
import type { ArgumentProblem } from './rule-problem.ts';

/** The kinds of errors that clients of the API server understand. */
const reasons = ['FieldValueRequired', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueDuplicate'];

const lineBreak = /[\n\r]/;

/** Checks the arguments of a rule that are not expressions, and that none is blank. */
export function checkTexts(rule: ValidationRule, schema: StructuralSchema): ArgumentProblem[] {
  const message = checkMessage(rule);
  return [
    ...(message ? [message] : []),
    ...checkMessageExpression(rule),
    ...checkReason(rule),
    ...checkPath(rule, schema),
  ];
}

function checkMessage({ rule, message = '' }: ValidationRule): ArgumentProblem | undefined {
  const text = message.trim();
  if (rule.trim() === '') {
    return {
      argument: 'rule',
      code: 'missing',
      message: 'a rule without an expression',
      hint: 'write a condition that is true for valid values',
    };
  }
  if (message !== '' && text === '') {
    return {
      argument: 'message',
      code: 'missing',
      message: 'a blank message',
      hint: 'write what is wrong with the value, or remove the message',
    };
  }
  if (lineBreak.test(text)) {
    return {
      argument: 'message',
      code: 'line-break',
      message: 'a message with line breaks',
      hint: 'write it on one line',
    };
  }
  if (!lineBreak.test(rule.trim()) || text !== '') return undefined;
  const hint =
    'without one the API server shows the rule, which has several lines: write a message, even beside a messageExpression';
  return { argument: 'message', code: 'missing', message: 'a rule of several lines without a message', hint };
}

function checkMessageExpression({ messageExpression = '' }: ValidationRule): ArgumentProblem[] {
  if (messageExpression === '' || messageExpression.trim() !== '') return [];
  const hint = 'write an expression that returns a string, or remove it';
  return [{ argument: 'messageExpression', code: 'missing', message: 'a blank messageExpression', hint }];
}

function checkReason({ reason }: ValidationRule): ArgumentProblem[] {
  if (reason === undefined || reasons.includes(reason)) return [];
  return [
    {
      argument: 'reason',
      code: 'unknown-reason',
      message: `unknown reason ${reason}`,
      hint: `write one of ${reasons.join(', ')}`,
    },
  ];
}

function checkPath({ fieldPath = '' }: ValidationRule, schema: StructuralSchema): ArgumentProblem[] {
  return fieldPath === '' ? [] : checkFieldPath(fieldPath, schema);
}
