import type { Condition } from 'ots-kubernetes';
import { type NameRule, qualifiedName } from 'ots-apimachinery/names';
import { type FieldError, duplicate, invalid, required, tooLong } from '../../status/field-error.ts';
import { errorsOfRule } from './errors-of-rule.ts';
import { validateChoice } from './validate-choice.ts';

const maxReasonLength = 1024;
const maxMessageLength = 32 * 1024;

const reasonRule: NameRule = (reason) =>
  /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason)
    ? []
    : [
        "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')",
      ];

/** Validates conditions of the common form (older kinds have their own). */
export function validateConditions(conditions: readonly Condition[], path: string): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap((condition, index) => [
    ...validateType(condition, seen, `${path}[${index}].type`),
    ...validateCondition(condition, `${path}[${index}]`),
  ]);
}

function validateType({ type }: Condition, seen: Set<string>, field: string): FieldError[] {
  if (seen.has(type)) return [duplicate(field, type)];
  seen.add(type);
  return [];
}

function validateCondition(condition: Condition, path: string): FieldError[] {
  const { type, status, observedGeneration, lastTransitionTime, reason, message } = condition;
  return [
    ...errorsOfRule(`${path}.type`, type, qualifiedName),
    ...validateChoice(`${path}.status`, status, ['False', 'True', 'Unknown']),
    ...(observedGeneration !== undefined && observedGeneration < 0
      ? [invalid(`${path}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero')]
      : []),
    ...(lastTransitionTime ? [] : [required(`${path}.lastTransitionTime`)]),
    ...(reason ? errorsOfRule(`${path}.reason`, reason, reasonRule) : [required(`${path}.reason`)]),
    ...(Buffer.byteLength(reason) > maxReasonLength ? [tooLong(`${path}.reason`, maxReasonLength)] : []),
    ...(Buffer.byteLength(message) > maxMessageLength ? [tooLong(`${path}.message`, maxMessageLength)] : []),
  ];
}
