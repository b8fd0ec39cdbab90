import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeExactJson } from '../json/decode-json.ts';
import { parseJson } from '../json/parse-json.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';
import { DecodeError } from './decode-error.ts';
import { decodeTyped } from './decode-typed.ts';
import type { GoStruct, GoType } from './go-type.ts';
import { goTypeOfKind } from './go-type-of-kind.ts';
import { StrictErrors } from './strict-errors.ts';

interface RecordedBody {
  apiVersion: string;
  kind: string;
  body: string;
  /** Go's error. */
  error?: string;
  /** Go's strict-decoding errors. */
  strict?: string[];
  /** What Go decodes. */
  json?: unknown;
}

const file = new URL('../../test/data/json-bodies.jsonl', import.meta.url);
const recorded = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => parseJson(line) as RecordedBody);

function typeOf({ apiVersion, kind }: RecordedBody): GoStruct | undefined {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return goTypeOfKind(group, version, kind);
}

function decode(
  body: string,
  type: GoStruct,
): { error?: string; strict: readonly string[]; value?: JsonObject } {
  const strict = new StrictErrors();
  try {
    const value = decodeTyped(decodeExactJson(body) as JsonObject, type, strict);
    return { strict: strict.messages, value };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { error: error.message, strict: [] };
  }
}

/** Without defaults, which Go's types do not set by themselves. */
function withoutDefaults(ours: unknown, theirs: unknown, type: GoType | undefined): unknown {
  if (Array.isArray(ours) && Array.isArray(theirs) && type?.kind === 'list')
    return ours.map((item, index) => withoutDefaults(item, theirs[index], type.items));
  if (!isObject(ours) || !isObject(theirs)) return ours;
  const entries = Object.entries(ours).map(([name, value]) => {
    const field = type?.kind === 'struct' ? type.fields.get(name) : undefined;
    const isDefault = stringifyJson(field?.whenAbsent) === stringifyJson(value);
    if (field && isDefault && (theirs[name] ?? '') === '') return [name, theirs[name]] as const;
    const inner = type?.kind === 'map' ? type.items : field?.type;
    return [name, withoutDefaults(value, theirs[name], inner)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

describe('a body is decoded as in Go', () => {
  test.each(
    recorded.flatMap((line, index) => {
      const type = typeOf(line);
      return type ? [[`${index + 1}: ${line.kind} of ${line.apiVersion}`, line, type] as const] : [];
    }),
  )('line %s', (_, line, type) => {
    const { value, ...odd } = decode(line.body, type);
    const { apiVersion, kind, json } = line;
    expect(odd).toStrictEqual({ ...(line.error && { error: line.error }), strict: line.strict ?? [] });
    if (!value) return;
    const typed = isObject(json) ? json : {};
    expect({ apiVersion, kind, ...(withoutDefaults(value, typed, type) as JsonObject) }).toEqual(json);
  });

  test('many of them have errors or strict-decoding errors', () => {
    expect(recorded.filter(({ error }) => error !== undefined).length).toBeGreaterThan(50);
    expect(recorded.filter(({ strict }) => strict !== undefined).length).toBeGreaterThan(15);
  });
});

test('no key reaches the prototype of anything', () => {
  const type = goTypeOfKind('', 'v1', 'ConfigMap')!;
  const { value, strict } = decode('{"__proto__":{"a":1},"data":{"__proto__":"x","constructor":"y"}}', type);
  expect(Object.getOwnPropertyDescriptor(value?.['data'], '__proto__')?.value).toBe('x');
  expect(strict).toStrictEqual(['unknown field "__proto__"']);
  expect(Reflect.get({}, 'a')).toBeUndefined();
});

test('decoded objects share nothing with each other and with the table', () => {
  const type = goTypeOfKind('apps', 'v1', 'Deployment')!;
  const [first, second] = [decode('{}', type).value, decode('{}', type).value];
  expect(first).toStrictEqual(second);
  expect(first?.['spec']).not.toBe(second?.['spec']);
  Object.assign(first?.['spec'] ?? {}, { template: null });
  expect(decode('{}', type).value).toStrictEqual(second);
});
