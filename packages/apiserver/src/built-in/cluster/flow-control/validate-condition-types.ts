import { type FieldError, duplicate, required } from '../../../status/field-error.ts';

/** Checks that conditions of a status are told apart by their types. */
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
