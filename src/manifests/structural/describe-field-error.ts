import type { FieldError } from 'ots-apiserver/validation';

/** The value in front of a detail: Go's text, JSON, or a plain word. */
const shownValue = /^Invalid value: (?:"(?:[^"\\]|\\.)*"|[{[].*[}\]]|[^:]*): /s;
/** The API server names the value in the detail again, and not always with a name. */
const namedAgain = /^\S* in body /;
const namedLast = / in (?:\S*)$/;

/**
 * Returns the detail of an error of the API server. Leaves out the value, which the source shows, and its path, which
 * the error has.
 */
export function describeFieldError({ message }: FieldError): string {
  const detail = message.replace(shownValue, '').replace(namedAgain, '');
  return detail.startsWith('Checked value ') ? detail.replace(namedLast, '') : detail;
}
