import type { Container } from 'ots-kubernetes/core/v1';
import { type FieldError, invalid } from '../../../status/field-error.ts';

/** Checks that an image has no surrounding spaces. Templates may have them for compatibility. */
export function validateImageSpaces({ image = '' }: Pick<Container, 'image'>, path: string): FieldError[] {
  if (image.trim() === image) return [];
  return [invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')];
}
