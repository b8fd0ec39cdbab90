import type { FieldError } from 'ots-apiserver/validation';

/** The value in front of a detail: Go's text, JSON, or a plain word. */
const shownValue = /^Invalid value: (?:"(?:[^"\\]|\\.)*"|[{[].*[}\]]|[^:]*): /s;
/** The API server names the value in the detail again, and not always with a name. */
const namedAgain = /^\S* in body /;
const namedLast = / in \S*$/;
/** Hints give the form of a name. */
const form = / \(e\.g\. [^]*?regex used for validation is '[^]*?'\)/g;

/**
 * Returns the detail of an error of the API server. Leaves out the value, which the source shows, its path, which the
 * error has, and regular expressions of names.
 */
export function describeFieldError({ message }: FieldError): string {
  const detail = message.replace(shownValue, '').replace(namedAgain, '').replace(form, '');
  return detail.startsWith('Checked value ') ? detail.replace(namedLast, '') : detail;
}
