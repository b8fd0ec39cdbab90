import { type FieldError, forbidden } from '../../status/field-error.ts';
import { validateChoice } from './validate-choice.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Validates access modes of volumes. */
export function validateAccessModes(field: string, modes: readonly string[]): FieldError[] {
  const isAlone = !modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode));
  return [
    ...modes.flatMap((mode) => validateChoice(field, mode, accessModes)),
    ...(modes.includes('ReadWriteOncePod') && !isAlone
      ? [forbidden(field, 'may not use ReadWriteOncePod with other access modes')]
      : []),
  ];
}
