import { isLabelValue, isQualifiedName, isSubdomain } from 'ots-apimachinery/names';
import { SelectorError } from './selector-error.ts';

const hint =
  'See https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set.';

/** @throws {SelectorError} when no object could have a label of this key. */
export function checkLabelKey(key: string): void {
  if (isQualifiedName(key)) return;
  const parts = key.split('/');
  const name = parts.at(-1) ?? '';
  const prefix = parts.length > 1 ? parts[0] : undefined;
  if (parts.length > 2) refuse('key', key, 'has more than one slash');
  if (prefix === '') refuse('key', key, 'has nothing before the slash');
  if (prefix !== undefined && !isSubdomain(prefix)) {
    refuse('key', key, 'has a prefix that is no DNS subdomain in lower case of at most 253 characters');
  }
  if (name === '') refuse('key', key, 'has no name');
  if (name.length > 63) refuse('key', key, 'has a name of more than 63 characters');
  refuse(
    'key',
    key,
    "has a name that is not made of letters, digits, '-', '_' and '.', with a letter or digit at both ends",
  );
}

/** @throws {SelectorError} when no label could have this value. */
export function checkLabelValue(value: string): void {
  if (isLabelValue(value)) return;
  if (value.length > 63) refuse('value', value, 'is longer than 63 characters');
  refuse(
    'value',
    value,
    "is not made of letters, digits, '-', '_' and '.', with a letter or digit at both ends",
  );
}

function refuse(what: string, text: string, why: string): never {
  throw new SelectorError(`The label ${what} ${JSON.stringify(text)} ${why}`, hint);
}
