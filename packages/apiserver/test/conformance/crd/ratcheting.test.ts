import { beforeAll, expect, test } from 'vitest';
import { crdOf, crdsPath, installCrd, objectOf, pathOf, until } from '../../support/fixtures.ts';
import { loosen } from './loosen.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';
import { withSortedKeys } from '../../support/with-sorted-keys.ts';

const string = { type: 'string' };
const short = { type: 'string', maxLength: 3 };
const small = { type: 'integer', maximum: 5 };
const rule = (text: string, more: object = {}) => ({
  'x-kubernetes-validations': [{ rule: text, ...more }],
});
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const list = (items: object, more: object = {}) => ({ type: 'array', maxItems: 10, items, ...more });
const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
const item = (properties: object, more: object = {}) =>
  object({ k: { type: 'string', maxLength: 10 }, ...properties }, { required: ['k'], ...more });
const good = { type: 'string', maxLength: 10, ...rule('self != "bad"') };

/** The second schema of the definition. The first one has the same fields without limits. */
const strict: Record<string, any> = {
  text: short,
  choice: { type: 'string', enum: ['a', 'b'] },
  date: { type: 'string', format: 'date' },
  number: { type: 'number', multipleOf: 2 },
  object: object({ a: short, b: short }),
  deep: object({ a: object({ b: object({ c: short, d: short }) }) }),
  required: object({ a: string, b: string }, { required: ['a'] }),
  sized: object({ a: string, b: string }, { minProperties: 2 }),
  map: { type: 'object', maxProperties: 5, additionalProperties: short },
  atomic: list(short),
  set: list(short, { 'x-kubernetes-list-type': 'set' }),
  keyed: list(item({ v: small, w: small }), keyed),
  keyedRequired: list(item({ v: small, w: small }, { required: ['k', 'v'] }), keyed),
  few: list(string, { minItems: 2 }),
  many: list(string, { maxItems: 1 }),
  any: object({ a: string, b: string }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
  all: object({ a: string, b: string }, { allOf: [{ properties: { a: { maxLength: 1 } } }] }),
  one: object({ a: string, b: string }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
  not: { type: 'string', not: { enum: ['x'] } },
  nullable: { type: 'string', nullable: true, maxLength: 1 },
  open: object({ known: short }, { 'x-kubernetes-preserve-unknown-fields': true, maxProperties: 1 }),
  mistaken: object({ c: string, b: object({ c: short }) }),
  defaulted: object({ a: short, b: { type: 'string', default: 'x' } }),
  embedded: object(
    {},
    { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  ),
  rule: good,
  ruledObject: object({ a: small, b: small }, rule('self.a < self.b')),
  ruledAtomic: list(good),
  ruledKeyed: list(item({ v: good, w: string }), keyed),
  ruledMap: { type: 'object', maxProperties: 5, additionalProperties: good },
  ruledList: list(string, rule('self.size() < 2', { message: 'one is enough' })),
  transition: { type: 'string', maxLength: 10, ...rule('self == oldSelf') },
  optional: {
    type: 'string',
    maxLength: 10,
    ...rule('oldSelf.hasValue() || self == "a"', { optionalOldSelf: true }),
  },
  pathed: object(
    { a: small, b: small },
    rule('self.a < self.b', { fieldPath: '.a', reason: 'FieldValueForbidden' }),
  ),
  messaged: { type: 'integer', ...rule('self > 5', { messageExpression: 'self == 1 ? "one" : "other"' }) },
};
const lenient: Record<string, any> = Object.fromEntries(
  Object.entries(strict).map(([name, schema]) => [name, loosen(schema)]),
);
const statusSchema = object({ phase: good, count: small, text: short });

/** What was stored before the limits existed, and what is written afterwards. */
const updates: Record<string, { from: any; to: any }> = {
  'a text that stays too long': { from: { text: 'long' }, to: { text: 'long', choice: 'a' } },
  'a text that stays too long in another way': { from: { text: 'long' }, to: { text: 'longer' } },
  'a text that becomes too long': { from: { text: 'ok' }, to: { text: 'long' } },
  'a new text that is too long': { from: {}, to: { text: 'long' } },
  'a choice that stays wrong': { from: { choice: 'z' }, to: { choice: 'z', text: 'ok' } },
  'a format that stays wrong': { from: { date: 'x' }, to: { date: 'x', text: 'ok' } },
  'a number that stays wrong': { from: { number: 3 }, to: { number: 3, text: 'ok' } },
  'one fault stays, one comes': { from: { text: 'long' }, to: { text: 'long', choice: 'z' } },
  'a field beside the wrong one': { from: { object: { a: 'long' } }, to: { object: { a: 'long', b: 'ok' } } },
  'a wrong field beside the wrong one': {
    from: { object: { a: 'long' } },
    to: { object: { a: 'long', b: 'long' } },
  },
  'deep faults': {
    from: { deep: { a: { b: { c: 'long' } } } },
    to: { deep: { a: { b: { c: 'long', d: 'ok' } } } },
  },
  'a deep fault that moves': {
    from: { deep: { a: { b: { c: 'long' } } } },
    to: { deep: { a: { b: { d: 'long' } } } },
  },
  'a missing field of an object that stays': {
    from: { required: { b: 'x' } },
    to: { required: { b: 'x' }, text: 'ok' },
  },
  'a missing field of an object that changes': {
    from: { required: { b: 'x' } },
    to: { required: { b: 'y' } },
  },
  'too few fields': { from: { sized: { a: 'x' } }, to: { sized: { a: 'x' }, text: 'ok' } },
  'too few other fields': { from: { sized: { a: 'x' } }, to: { sized: { a: 'y' } } },
  'a value of a map': { from: { map: { a: 'long' } }, to: { map: { a: 'long', b: 'ok' } } },
  'a value of a map under another key': { from: { map: { a: 'long' } }, to: { map: { b: 'long' } } },
  'an atomic list that stays': { from: { atomic: ['long'] }, to: { atomic: ['long'], text: 'ok' } },
  'an atomic list that grows': { from: { atomic: ['long'] }, to: { atomic: ['long', 'ok'] } },
  'a set that stays': { from: { set: ['long'] }, to: { set: ['long'], text: 'ok' } },
  'a set that grows': { from: { set: ['long'] }, to: { set: ['long', 'ok'] } },
  'an item with a key that stays': {
    from: { keyed: [{ k: 'a', v: 9 }] },
    to: {
      keyed: [
        { k: 'b', v: 1 },
        { k: 'a', v: 9 },
      ],
    },
  },
  'an item with a key that changes elsewhere': {
    from: { keyed: [{ k: 'a', v: 9 }] },
    to: { keyed: [{ k: 'a', v: 9, w: 1 }] },
  },
  'an item with a key that changes': {
    from: { keyed: [{ k: 'a', v: 9 }] },
    to: { keyed: [{ k: 'a', v: 8 }] },
  },
  'an item under another key': { from: { keyed: [{ k: 'a', v: 9 }] }, to: { keyed: [{ k: 'b', v: 9 }] } },
  'an item that lacks a field and stays': {
    from: { keyedRequired: [{ k: 'a' }] },
    to: { keyedRequired: [{ k: 'a' }, { k: 'b', v: 1 }] },
  },
  'an item that lacks a field and changes': {
    from: { keyedRequired: [{ k: 'a' }] },
    to: { keyedRequired: [{ k: 'a', w: 1 }] },
  },
  'too few items': { from: { few: ['a'] }, to: { few: ['a'], text: 'ok' } },
  'too few other items': { from: { few: ['a'] }, to: { few: ['b'] } },
  'too many items': { from: { many: ['a', 'b'] }, to: { many: ['a', 'b'], text: 'ok' } },
  'too many other items': { from: { many: ['a', 'b'] }, to: { many: ['a', 'c'] } },
  'anyOf that stays': { from: { any: {} }, to: { any: {}, text: 'ok' } },
  'allOf that stays': { from: { all: { a: 'xx' } }, to: { all: { a: 'xx' }, text: 'ok' } },
  'allOf beside a change': { from: { all: { a: 'xx' } }, to: { all: { a: 'xx', b: 'y' } } },
  'oneOf that stays': { from: { one: { a: '', b: '' } }, to: { one: { a: '', b: '' }, text: 'ok' } },
  'oneOf that changes': { from: { one: { a: '', b: '' } }, to: { one: { a: '', b: 'x' } } },
  'not that stays': { from: { not: 'x' }, to: { not: 'x', text: 'ok' } },
  'null that becomes too long': { from: { nullable: null }, to: { nullable: 'ab' } },
  'unknown fields that stay': { from: { open: { x: 1, y: 1 } }, to: { open: { x: 1, y: 1 }, text: 'ok' } },
  'known fields that stay': { from: { open: { known: 'long' } }, to: { open: { known: 'long', y: 1 } } },
  'a new object beside a field of the same name': {
    from: { mistaken: { c: 'ok' } },
    to: { mistaken: { c: 'ok', b: { c: 'long' } } },
  },
  'a new good object beside a wrong field of the same name': {
    from: { mistaken: { c: 'long' } },
    to: { mistaken: { c: 'long', b: { c: 'ok' } } },
  },
  'a default that comes': {
    from: { defaulted: { a: 'long' } },
    to: { defaulted: { a: 'long' }, text: 'ok' },
  },
  'an embedded object without a kind': {
    from: { embedded: { apiVersion: 'v1', kind: 'A', metadata: { name: 'x' } } },
    to: { embedded: { apiVersion: 'v1', metadata: { name: 'x/y' } } },
  },
  'a rule that stays broken': { from: { rule: 'bad' }, to: { rule: 'bad', text: 'ok' } },
  'a rule that is broken': { from: { rule: 'fine' }, to: { rule: 'bad' } },
  'a rule of an object that stays': {
    from: { ruledObject: { a: 2, b: 1 } },
    to: { ruledObject: { a: 2, b: 1 }, text: 'ok' },
  },
  'a rule of an object that changes': {
    from: { ruledObject: { a: 2, b: 1 } },
    to: { ruledObject: { a: 3, b: 1 } },
  },
  'a rule that cannot be run': { from: { ruledObject: { a: 2 } }, to: { ruledObject: { a: 2 }, text: 'ok' } },
  'a rule of the items of a list that stays': {
    from: { ruledAtomic: ['bad'] },
    to: { ruledAtomic: ['bad'], text: 'ok' },
  },
  'a rule of the items of a list that grows': {
    from: { ruledAtomic: ['bad'] },
    to: { ruledAtomic: ['bad', 'a'] },
  },
  'a rule of an item with a key': {
    from: { ruledKeyed: [{ k: 'a', v: 'bad' }] },
    to: {
      ruledKeyed: [
        { k: 'b', v: 'x' },
        { k: 'a', v: 'bad', w: 'x' },
      ],
    },
  },
  'a rule of a value of a map': { from: { ruledMap: { a: 'bad' } }, to: { ruledMap: { a: 'bad', b: 'x' } } },
  'a rule of a list': { from: { ruledList: ['a', 'b'] }, to: { ruledList: ['a', 'b'], text: 'ok' } },
  'a rule of a list that changes': { from: { ruledList: ['a', 'b'] }, to: { ruledList: ['a', 'c'] } },
  'a transition rule': { from: { transition: 'a' }, to: { transition: 'b' } },
  'an optional oldSelf': { from: { optional: 'b' }, to: { optional: 'c' } },
  'a field path': { from: { pathed: { a: 2, b: 1 } }, to: { pathed: { a: 2, b: 1 }, text: 'ok' } },
  'a message expression': { from: { messaged: 1 }, to: { messaged: 1, text: 'ok' } },
  'several rules, one of them new': {
    from: { rule: 'bad', ruledMap: { a: 'bad' } },
    to: { rule: 'bad', ruledMap: { a: 'bad', b: 'bad' } },
  },
  'rules beside a fault that blocks them': { from: { rule: 'bad' }, to: { rule: 'bad', text: 'long' } },
  'rules beside a fault that stays': {
    from: { rule: 'bad', text: 'long' },
    to: { rule: 'bad', text: 'long', choice: 'a' },
  },
};

function outcome(answer: Answer): unknown {
  const { code, body, warnings } = answer;
  const told = warnings.length > 0 && { warnings: warnings.toSorted() };
  return code >= 400 ? { ...(refusal(answer) as object), ...told } : { code, spec: body.spec, ...told };
}

onEachServer('ratcheting', (server) => {
  const path = pathOf('Ratchet');
  const names = Object.keys(updates);
  const nameOf = (name: string) => `object-${names.indexOf(name)}`;
  beforeAll(async () => {
    const crd = crdOf('Ratchet', lenient);
    const status = loosen(statusSchema);
    crd.spec.versions[0].schema.openAPIV3Schema.properties.status = status;
    await installCrd(server.session, crd);
    const objects = names.map((name) => objectOf('Ratchet', nameOf(name), updates[name]?.from));
    for (const body of [...objects, objectOf('Ratchet', 'status', { rule: 'bad' })]) {
      const { code } = await server.session.post(path, body);
      if (code !== 201) throw new Error(`${body.metadata.name}: ${code}`);
    }
    await server.session.merge(`${path}/status/status`, { status: { phase: 'bad', count: 9, text: 'long' } });
    const limited = crdOf('Ratchet', strict);
    limited.spec.versions[0].schema.openAPIV3Schema.properties.status = statusSchema;
    const { code } = await server.session.merge(`${crdsPath}/${crd.metadata.name}`, { spec: limited.spec });
    if (code !== 200) throw new Error(`${code}`);
    const probe = objectOf('Ratchet', 'probe', { text: 'long' });
    await until(async () => (await server.session.post(`${path}?dryRun=All`, probe)).code === 422);
  });

  test.each(names)('%s', async (name) => {
    const { body } = await server.session.get(`${path}/${nameOf(name)}`);
    const answer = await server.session.put(`${path}/${nameOf(name)}`, { ...body, spec: updates[name]?.to });
    await expect(asRecorded(withSortedKeys(outcome(answer)))).toMatchFileSnapshot(
      `../recorded/ratcheting/${name.replaceAll(/[ ,]+/g, '-')}.yaml`,
    );
  });

  test('a status that stays partly invalid', async () => {
    const said: Record<string, unknown> = {};
    for (const status of [
      { count: 9 },
      { text: 'ok' },
      { phase: 'bad' },
      { count: 8 },
      { text: 'longer' },
      { phase: 'fine' },
    ]) {
      const answer = await server.session.merge(`${path}/status/status`, { status });
      const { code, body, warnings } = answer;
      said[JSON.stringify(status)] =
        code === 200 ? { status: body.status, warnings: warnings.toSorted() } : outcome(answer);
    }
    await expect(asRecorded(withSortedKeys(said))).toMatchFileSnapshot(
      '../recorded/ratcheting-of-status.yaml',
    );
  });

  test('a patch of the labels of an invalid object', async () => {
    const { code } = await server.session.merge(`${path}/${nameOf('a new text that is too long')}`, {
      metadata: { labels: { a: 'b' } },
    });
    expect(code).toBe(200);
  });
});
