import type { Container } from 'ots-kubernetes/core/v1';
import { type FieldError, invalid } from '../../../status/field-error.ts';

/** Checks that no spaces surround an image. Templates may have them: somebody may count on it. */
export function validateImageSpaces({ image = '' }: Pick<Container, 'image'>, path: string): FieldError[] {
  if (image.trim() === image) return [];
  return [invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')];
}
