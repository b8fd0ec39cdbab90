import { type FieldError, duplicate, required } from '../../../status/field-error.ts';

/** Checks that the types of a status' conditions are unique. */
export function validateConditionTypes(conditions: readonly { type?: string }[]): FieldError[] {
  const types = conditions.map(({ type = '' }) => type);
  return types.flatMap((type, index) => {
    const field = `status.conditions[${index}].type`;
    return [
      ...(types.indexOf(type) < index ? [duplicate(field, type)] : []),
      ...(type === '' ? [required(field)] : []),
    ];
  });
}
