import type { ValidationRule } from 'ots-kubernetes/apiextensions/v1';
import type { Schema } from '../../schema/json-schema.ts';
import { type FieldError, invalid, notSupported, required } from '../../status/field-error.ts';
import { resolveFieldPath } from '../resolve-field-path.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const lineBreak = /[\n\r]/;

/** Validates the fields of rules (`x-kubernetes-validations`) other than expressions. */
export function validateRuleTexts(schema: Schema, path: string): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
    const field = `${path}.x-kubernetes-validations[${index}]`;
    const { messageExpression = '', reason } = rule;
    return [
      ...validateMessage(rule, field),
      ...(messageExpression !== '' && messageExpression.trim() === ''
        ? [required(`${field}.messageExpression`, 'messageExpression must be non-empty if specified')]
        : []),
      ...(reason === undefined || reasons.includes(reason)
        ? []
        : [notSupported(`${field}.reason`, reason, reasons)]),
      ...validatePath(rule, schema, `${field}.fieldPath`),
    ];
  });
}

function validateMessage({ rule, message = '' }: ValidationRule, field: string): FieldError[] {
  const text = message.trim();
  if (rule.trim() === '') return [required(`${field}.rule`, 'rule is not specified')];
  if (message !== '' && text === '')
    return [invalid(`${field}.message`, message, 'must be non-empty if specified')];
  if (lineBreak.test(text)) return [invalid(`${field}.message`, message, 'must not contain line breaks')];
  if (!lineBreak.test(rule.trim()) || text !== '') return [];
  return [required(`${field}.message`, 'message must be specified if rule contains line breaks')];
}

function validatePath({ fieldPath = '' }: ValidationRule, schema: Schema, field: string): FieldError[] {
  if (fieldPath === '') return [];
  return [
    ...(fieldPath.trim() === '' ? [invalid(field, fieldPath, 'must be non-empty if specified')] : []),
    ...(lineBreak.test(fieldPath) ? [invalid(field, fieldPath, 'must not contain line breaks')] : []),
    ...('problem' in resolveFieldPath(fieldPath, schema)
      ? [invalid(field, fieldPath, 'must be a valid path')]
      : []),
  ];
}
