import { objectSchema } from 'ots-kubernetes/object-schemas';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../schema/json-schema.ts';
import { type Atom, deducedAtom } from './atom.ts';
import { builtInAtom } from './built-in-atom.ts';
import { compareTyped } from './compare-typed.ts';
import { customAtom } from './custom-atom.ts';
import { type Writer, applyConfiguration, trackUpdate } from './field-manager.ts';
import { FieldSet, displayPath } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';
import { encodeManagers } from './managers.ts';
import { mergeTyped } from './merge-typed.ts';
import { sortElements } from './path-element.ts';

const string: Schema = { type: 'string' };

function kind(group: string, version: string, name: string): Atom {
  const schema = objectSchema(group, version, name);
  if (!schema) throw new Error(`no ${name}`);
  return builtInAtom(schema);
}

function custom(properties: Record<string, Schema>): Atom {
  return customAtom({ type: 'object', properties }, deducedAtom);
}

function textOf(set: FieldSet): string {
  return JSON.stringify(encodeFieldsV1(set, sortElements));
}

function writerOf(atom: Atom, manager: string, time: string): Writer {
  const versions = {
    order: sortElements,
    atomOf: (apiVersion: string) => (apiVersion === 'v1' ? atom : undefined),
    convert: (object: object) => ({ ...object }),
    resetFields: () => undefined,
  };
  return { versions, apiVersion: 'v1', subresource: '', manager, time };
}

describe('FieldsV1', () => {
  test('fields come before keys, keys before values, values before indexes', () => {
    const text =
      '{"f:a":{".":{},"f:b":{},"k:{\\"n\\":2}":{},"k:{\\"n\\":10}":{},"k:{\\"n\\":\\"a\\",\\"p\\":1}":{},"v:2":{},"v:10":{},"v:\\"a\\"":{},"v:true":{},"i:2":{},"i:10":{}}}';
    const shuffled = Object.fromEntries(Object.entries(JSON.parse(text)['f:a']).toReversed());
    expect(textOf(decodeFieldsV1({ 'f:a': shuffled }))).toBe(text);
  });

  test('keys have one canonical form, and unknown path elements are skipped', () => {
    const set = decodeFieldsV1({ 'k:{"b":"<","a":1}': {}, 'x:y': {}, 'v: "z"': null });
    expect(textOf(set)).toBe('{"k:{\\"a\\":1,\\"b\\":\\"\\\\u003c\\"}":{},"v:\\"z\\"":{}}');
    expect([...set.paths()].map(displayPath)).toStrictEqual(['[a=1,b="<"]', '[="z"]']);
  });

  test.each(['', 'f', 'f.a', 'k:x', 'k:[]', 'v:', 'i:x', 'i:1.5'])('%j is not a path element', (step) => {
    expect(() => decodeFieldsV1({ [step]: {} })).toThrow(SyntaxError);
  });

  test('a set with all paths of another one stays the same set, which is encoded once', () => {
    const set = FieldSet.of(['f:a', 'f:b'], ['f:a'], ['f:c']);
    expect(set.union(FieldSet.of(['f:a', 'f:b'], ['f:c']))).toBe(set);
    expect(encodeFieldsV1(set, sortElements)).toBe(encodeFieldsV1(set, sortElements));
    const more = set.union(FieldSet.of(['f:a', 'f:d'], ['f:e']));
    expect([...more.paths()].map(displayPath)).toStrictEqual(['.a', '.c', '.e', '.a.b', '.a.d']);
    expect([...set.paths()].map(displayPath)).toStrictEqual(['.a', '.c', '.a.b']);
  });

  test('strings are compared by code point', () => {
    const set = FieldSet.of(['f:\u{1f600}'], ['f:\uff5e'], ['f:a']);
    expect([...set.paths()].flat()).toStrictEqual(['f:a', 'f:\uff5e', 'f:\u{1f600}']);
  });
});

describe('comparing', () => {
  const service = kind('', 'v1', 'Service');
  const ports = (...list: object[]) => ({ spec: { ports: list } });

  test('a new container owns the fields that Go always writes', () => {
    const pod = kind('', 'v1', 'Pod');
    const { added } = compareTyped({}, { spec: { containers: [{ name: 'a' }] } }, pod);
    expect(textOf(added)).toBe(
      '{"f:spec":{"f:containers":{"k:{\\"name\\":\\"a\\"}":{".":{},"f:name":{},"f:resources":{}}}}}',
    );
  });

  test('duplicate items are compared as a whole', () => {
    const twice = ports({ port: 1, name: 'a' }, { port: 1, name: 'b' });
    const changed = ports({ port: 1, name: 'a' }, { port: 1, name: 'c' });
    const once = ports({ port: 1, name: 'a' });
    const item = '{"f:spec":{"f:ports":{"k:{\\"port\\":1,\\"protocol\\":\\"TCP\\"}":{';
    expect(textOf(compareTyped(twice, changed, service).modified)).toBe(`${item}}}}}`);
    expect(textOf(compareTyped(twice, structuredClone(twice), service).modified)).toBe('{}');
    expect(textOf(compareTyped(once, twice, service).removed)).toContain(`${item}".":{},"f:name":{}`);
    expect(textOf(fieldSetOf(twice, service))).toBe(`${item}}}}}`);
  });

  test('a value that changes its type is compared by both', () => {
    const atom = custom({ free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } });
    const { removed, modified } = compareTyped({ free: { a: { b: 1 } } }, { free: { a: [1] } }, atom);
    expect(textOf(removed)).toBe('{"f:free":{"f:a":{"f:b":{}}}}');
    expect(textOf(modified)).toBe('{"f:free":{"f:a":{}}}');
  });
});

describe('merging', () => {
  const atom = custom({ set: { type: 'array', items: string, 'x-kubernetes-list-type': 'set' } });

  test.each([
    [
      ['a', 'b', 'c'],
      ['c', 'a'],
      ['b', 'c', 'a'],
    ],
    [
      ['a', 'b'],
      ['x', 'b', 'y'],
      ['a', 'x', 'b', 'y'],
    ],
    [
      ['a', 'b', 'a'],
      ['b', 'a'],
      ['b', 'a'],
    ],
    [[], ['b', 'a'], ['b', 'a']],
    [['b', 'a'], [], ['b', 'a']],
  ])('%j and %j make %j', (live, applied, merged) => {
    expect(mergeTyped({ set: live }, { set: applied }, atom)).toStrictEqual({ set: merged });
  });

  test('inherited property names are ordinary keys', () => {
    const map = custom({ map: { type: 'object', additionalProperties: string } });
    const applied: unknown = JSON.parse('{"map":{"__proto__":"1","constructor":"2"}}');
    const merged = mergeTyped({ map: { toString: '0' } }, applied, map);
    expect(JSON.stringify(merged)).toBe('{"map":{"toString":"0","__proto__":"1","constructor":"2"}}');
    expect(textOf(fieldSetOf(applied, map))).toBe('{"f:map":{"f:__proto__":{},"f:constructor":{}}}');
  });
});

describe('managers', () => {
  const atom = custom({ data: { type: 'object', additionalProperties: string } });
  const object = (data: object, managedFields?: any[]): any => ({
    apiVersion: 'v1',
    kind: 'K',
    metadata: { ...(managedFields && { managedFields }) },
    data,
  });

  test('applied entries come first, then the oldest, then by name', () => {
    const entry = (manager: string, operation: string, time: string) => ({
      manager,
      operation,
      apiVersion: 'v1',
      time,
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { [`f:${manager}`]: {} } },
    });
    const live = object({ a: '', b: '', c: '', d: '' }, [
      entry('a', 'Update', '2020-01-02T00:00:00Z'),
      entry('c', 'Update', '2020-01-01T00:00:00Z'),
      entry('b', 'Update', '2020-01-01T00:00:00Z'),
      entry('d', 'Apply', '2020-01-03T00:00:00Z'),
    ]);
    const { data } = live;
    const managedFields = trackUpdate(
      writerOf(atom, 'e', '2020-01-01T00:00:00Z'),
      live,
      object({ ...data, e: '' }),
    );
    expect(managedFields?.map(({ manager }) => manager)).toStrictEqual(['d', 'b', 'c', 'e', 'a']);
  });

  test('parts of a value that became atomic are owned as a whole', () => {
    const atomic = custom({
      data: { type: 'object', additionalProperties: string, 'x-kubernetes-map-type': 'atomic' },
    });
    const managedFields = trackUpdate(
      writerOf(atom, 'a', '2020-01-01T00:00:00Z'),
      undefined,
      object({ a: '1' }),
    );
    const live = object({ a: '1' }, managedFields);
    const writer = writerOf(atomic, 'b', '2020-01-02T00:00:00Z');
    const { managers } = applyConfiguration(writer, live, object({ a: '1' }), false);
    expect(encodeManagers(managers, sortElements)?.map(({ fieldsV1 }) => fieldsV1)).toStrictEqual([
      { 'f:data': {} },
      { 'f:data': {} },
    ]);
  });

  test('entries of versions that are no longer served disappear with the next write', () => {
    const gone = {
      manager: 'a',
      operation: 'Update',
      apiVersion: 'v0',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': {} },
    };
    const writer = writerOf(atom, 'b', '2020-01-01T00:00:00Z');
    const entries = trackUpdate(writer, object({}, [gone]), object({ x: '1' }));
    expect(entries?.map(({ manager }) => manager)).toStrictEqual(['b']);
  });
});
