import type { Secret } from 'ots-kubernetes/core/v1';
import { getKey, isObject } from '../../json/json-object.ts';
import { type FieldError, invalid, required, tooLong } from '../../status/field-error.ts';
import { maxConfigBytes, sizeOfValues, validateConfigKeys } from './validate-config-data.ts';

/** The keys that a type of Secret requires. */
const neededKeys = new Map([
  ['kubernetes.io/dockercfg', ['.dockercfg']],
  ['kubernetes.io/dockerconfigjson', ['.dockerconfigjson']],
  ['kubernetes.io/ssh-auth', ['ssh-privatekey']],
  ['kubernetes.io/tls', ['tls.crt', 'tls.key']],
]);
const jsonTypes = new Set(['kubernetes.io/dockercfg', 'kubernetes.io/dockerconfigjson']);
const accountAnnotation = 'kubernetes.io/service-account.name';

/** Validates a Secret: its keys, its total size, and the keys that its type requires. */
export function validateSecret({ metadata, type = '', data = {} }: Secret): FieldError[] {
  const isUnnamed =
    type === 'kubernetes.io/service-account-token' && !metadata.annotations?.[accountAnnotation];
  return [
    ...validateConfigKeys(data, 'data'),
    ...(sizeOfValues(data, 'base64') > maxConfigBytes ? [tooLong('data', maxConfigBytes)] : []),
    ...(isUnnamed ? [required(`metadata.annotations[${accountAnnotation}]`)] : []),
    ...validateBasicAuth(type, data),
    ...(neededKeys.get(type) ?? []).flatMap((key) => validateNeeded(type, data, key)),
  ];
}

/** One of the two is enough. */
function validateBasicAuth(type: string, data: Record<string, string>): FieldError[] {
  const keys = ['username', 'password'];
  if (type !== 'kubernetes.io/basic-auth' || keys.some((key) => Object.hasOwn(data, key))) return [];
  return keys.map((key) => required(`data[${key}]`));
}

function validateNeeded(type: string, data: Record<string, string>, key: string): FieldError[] {
  const value = getKey(data, key);
  const isMissing = type === 'kubernetes.io/ssh-auth' ? !value : value === undefined;
  if (isMissing) return [required(`data[${key}]`)];
  if (!jsonTypes.has(type)) return [];
  const problem = problemOfJson(Buffer.from(String(value), 'base64').toString());
  return problem === undefined ? [] : [invalid(`data[${key}]`, '<secret contents redacted>', problem)];
}

/** Go's error about a text that is not a JSON object. */
function problemOfJson(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) || value === null) return undefined;
    const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
  } catch (error) {
    const [, character] = /Unexpected token '?(.)/u.exec(String(error)) ?? [];
    if (character === undefined) return 'unexpected end of JSON input';
    return `invalid character '${character}' looking for beginning of value`;
  }
}
