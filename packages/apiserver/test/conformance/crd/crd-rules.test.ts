import { beforeAll, expect, test } from 'vitest';
import { crdOf, crdsPath, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';
import { withSortedKeys } from '../../support/with-sorted-keys.ts';
import { withoutCompiler } from '../../support/without-compiler.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };
const rules = (...list: any[]) => ({ 'x-kubernetes-validations': list });
const ruled = (schema: object, ...list: any[]) => ({ ...schema, ...rules(...list) });
const short = { type: 'string', maxLength: 10 };
const object = (properties: object, ...list: any[]) => ruled({ type: 'object', properties }, ...list);
const listOf = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
const keyedBy = (rule: string) => ({ ...object({ k: short, v: integer }, { rule }), required: ['k'] });
const listMap = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };

/** Definitions, by what is wrong with their rules. */
const badRules: Record<string, any> = {
  'a syntax error': { a: ruled(integer, { rule: 'self >' }) },
  'no such field': { a: object({ b: integer }, { rule: 'self.c > 0' }) },
  'no such overload': { a: ruled(integer, { rule: 'self > "a"' }) },
  'no such variable': { a: ruled(integer, { rule: 'foo == 1' }) },
  'several faults in one rule': { a: ruled(integer, { rule: 'foo == bar' }) },
  'no boolean': { a: ruled(integer, { rule: 'self + 1' }) },
  'an empty rule': { a: ruled(integer, { rule: ' ' }) },
  'no rule': { a: ruled(integer, { message: 'x' }) },
  'a blank message': { a: ruled(integer, { rule: 'self > 0', message: '  ' }) },
  'a message of two lines': { a: ruled(integer, { rule: 'self > 0', message: 'a\nb' }) },
  'a rule of two lines without a message': { a: ruled(integer, { rule: 'self >\n0' }) },
  'a rule of two lines with a message': { a: ruled(integer, { rule: 'self >\n"0"', message: 'x' }) },
  'a blank message expression': { a: ruled(integer, { rule: 'self > 0', messageExpression: ' ' }) },
  'a message expression that does not compile': {
    a: ruled(integer, { rule: 'self > 0', messageExpression: '"a" + self' }),
  },
  'a message expression of another type': {
    a: ruled(integer, { rule: 'self > 0', messageExpression: 'self' }),
  },
  'an unknown reason': { a: ruled(integer, { rule: 'self > 0', reason: 'Foo' }) },
  'a field path to nowhere': { a: object({ b: integer }, { rule: 'self.b > 0', fieldPath: '.c' }) },
  'a field path without a point': { a: object({ b: integer }, { rule: 'self.b > 0', fieldPath: 'b' }) },
  'a field path into a list': {
    a: object({ b: listOf(integer) }, { rule: 'true', fieldPath: '.b[0]' }),
  },
  'a blank field path': { a: object({ b: integer }, { rule: 'self.b > 0', fieldPath: ' ' }) },
  'a field path with a line break': { a: object({ b: integer }, { rule: 'self.b > 0', fieldPath: '.b\n' }) },
  'oldSelf in a list': { a: listOf(ruled(short, { rule: 'self == oldSelf' }), { maxItems: 3 }) },
  'oldSelf in a set': {
    a: listOf(ruled(short, { rule: 'self == oldSelf' }), { 'x-kubernetes-list-type': 'set', maxItems: 3 }),
  },
  'oldSelf deep in a list': {
    a: listOf(object({ b: listOf(object({ k: short }, { rule: 'self.k == oldSelf.k' }), { maxItems: 2 }) }), {
      maxItems: 3,
    }),
  },
  'an optional oldSelf that is not used': { a: ruled(integer, { rule: 'self > 0', optionalOldSelf: true }) },
  'an optional oldSelf in a rule that does not compile': {
    a: ruled(integer, { rule: 'self > "a"', optionalOldSelf: false }),
  },
  'an optional oldSelf taken for a value': {
    a: ruled(integer, { rule: 'self == oldSelf', optionalOldSelf: true }),
  },
  'a rule that costs too much': { a: ruled(listOf(string), { rule: 'self.all(x, self.all(y, x == y))' }) },
  'a rule that costs a little too much': {
    a: ruled(listOf({ type: 'string', maxLength: 100 }, { maxItems: 1000 }), {
      rule: 'self.all(x, self.exists_one(y, x == y))',
    }),
  },
  'a message that costs too much': {
    a: ruled(listOf(string), {
      rule: 'true',
      messageExpression: 'self.map(x, self.map(y, x + y).join()).join()',
    }),
  },
  'rules that cost too much together': {
    a: object(
      Object.fromEntries(
        Array.from({ length: 14 }, (_, index) => [
          `f${index}`,
          ruled(listOf({ type: 'string', maxLength: 50 }, { maxItems: 600 + index }), {
            rule: 'self.all(x, self.exists_one(y, x == y))',
          }),
        ]),
      ),
    ),
  },
  'a rule in a list without a bound': { a: listOf(object({ b: string }, { rule: 'self.b.contains("x")' })) },
  'a rule on a value without a type': {
    a: ruled({ 'x-kubernetes-preserve-unknown-fields': true }, { rule: 'true' }),
  },
  'a rule on a list of values without a type': {
    a: ruled(listOf({ 'x-kubernetes-preserve-unknown-fields': true }), { rule: 'true' }),
  },
  'a rule in an alternative': { a: { type: 'string', anyOf: [rules({ rule: 'true' })] } },
  'a rule in allOf': { a: { type: 'string', allOf: [rules({ rule: 'self == "a"' })] } },
  'rules beside a schema that is not structural': { a: ruled({}, { rule: 'self >' }) },
  'rules beside a bad default': { a: ruled({ type: 'string', default: 5 }, { rule: 'self >' }) },
  'rules around a bad keyword': {
    a: object({ b: { type: 'string', 'x-kubernetes-list-type': 'set' } }, { rule: 'self >' }),
    c: ruled(integer, { rule: 'self >' }),
  },
  'a default that breaks a rule': { a: ruled({ type: 'string', default: 'b' }, { rule: 'self == "a"' }) },
  'a default that breaks a rule inside': {
    a: { ...object({ b: ruled(integer, { rule: 'self > 5', message: 'too small' }) }), default: { b: 1 } },
  },
  'a default that breaks a transition rule': {
    a: ruled({ type: 'integer', default: 1 }, { rule: 'self > oldSelf' }),
  },
  'a default that breaks a rule of an optional oldSelf': {
    a: ruled({ type: 'integer', default: 1 }, { rule: 'oldSelf.hasValue()', optionalOldSelf: true }),
  },
  'a default that is no object for its rule': {
    a: { ...object({ b: integer }, { rule: 'self.b > 5', fieldPath: '.b' }), default: { b: 1 } },
  },
  'a property that cannot be named': { a: object({ 'x y': ruled(integer, { rule: 'self >' }) }) },
  'a property that is escaped': { a: object({ 'x-y': integer }, { rule: 'self.x__dash__y > "a"' }) },
  'quotes and less than': { a: ruled(string, { rule: 'self < 1 && self == "a"' }) },
};

/** Properties of `spec` in the definition that checks the writes. */
const checked = {
  min: ruled(integer, { rule: 'self >= 1' }),
  message: ruled(integer, { rule: 'self > 0', message: ' must be positive ' }),
  expression: ruled(integer, { rule: 'self > 0', messageExpression: 'self == 0 ? "got zero" : "got less"' }),
  failing: ruled(integer, {
    rule: 'self > 0',
    messageExpression: '["a"][self + 5]',
    message: 'no',
  }),
  lines: ruled(integer, { rule: 'self > 0', messageExpression: '"a\\nb"' }),
  empty: ruled(integer, { rule: 'self > 0', messageExpression: '" "', message: 'fallback' }),
  required: ruled(integer, { rule: 'self > 0', reason: 'FieldValueRequired' }),
  forbidden: ruled(integer, { rule: 'self > 0', reason: 'FieldValueForbidden' }),
  duplicate: ruled(integer, { rule: 'self > 0', reason: 'FieldValueDuplicate' }),
  invalid: ruled(integer, { rule: 'self > 0', reason: 'FieldValueInvalid' }),
  object: object({ a: integer, b: integer }, { rule: 'self.a < self.b' }),
  missing: object({ a: integer }, { rule: 'self.a > 0', message: 'needs a' }),
  path: object({ a: integer, 'x.y': integer }, { rule: 'self.a > 0', fieldPath: '.a' }),
  quoted: object({ a: integer, 'x.y': integer }, { rule: 'self.a > 0', fieldPath: "['x.y']" }),
  nested: object(
    { inner: object({ a: integer }) },
    { rule: 'self.inner.a > 0', fieldPath: '.inner.a', reason: 'FieldValueRequired' },
  ),
  mapPath: ruled(
    { type: 'object', maxProperties: 5, additionalProperties: integer },
    {
      rule: '!("k" in self) || self["k"] > 0',
      fieldPath: '.k',
    },
  ),
  map: { type: 'object', maxProperties: 5, additionalProperties: ruled(integer, { rule: 'self > 0' }) },
  list: listOf(ruled(integer, { rule: 'self > 0' }), { maxItems: 5 }),
  unique: ruled(listOf(short, { maxItems: 5 }), { rule: 'self.all(x, self.exists_one(y, x == y))' }),
  keyed: listOf(keyedBy('!has(self.v) || self.v > 0'), {
    maxItems: 5,
    ...listMap,
  }),
  bool: ruled({ type: 'boolean' }, { rule: 'self' }),
  number: ruled({ type: 'number' }, { rule: 'self < 1.5' }),
  text: ruled(short, { rule: 'self.startsWith("a")' }),
  date: ruled({ type: 'string', format: 'date-time' }, { rule: 'self > timestamp("2026-01-01T00:00:00Z")' }),
  duration: ruled({ type: 'string', format: 'duration' }, { rule: 'self < duration("1h")' }),
  either: ruled(
    { 'x-kubernetes-int-or-string': true },
    { rule: 'type(self) == int ? self > 0 : self == "a"' },
  ),
  overload: ruled({ 'x-kubernetes-int-or-string': true }, { rule: 'self > 0' }),
  quantity: ruled(short, { rule: 'quantity(self).isGreaterThan(quantity("1Mi"))' }),
  nullable: ruled({ type: 'integer', nullable: true }, { rule: 'self > 0' }),
  several: ruled(integer, { rule: 'self > 0' }, { rule: 'self > 1', message: 'more' }, { rule: 'self > 2' }),
  division: ruled(integer, { rule: '10 / self > 1' }),
  expensive: ruled(listOf({ type: 'string', maxLength: 20 }, { maxItems: 260 }), {
    rule: 'self.all(x, self.all(y, x.contains(y) || !x.contains(y)))',
  }),
  immutable: ruled(short, { rule: 'self == oldSelf', message: 'stays' }),
  growing: ruled(integer, { rule: 'self >= oldSelf' }),
  once: ruled(short, {
    rule: 'oldSelf.hasValue() ? self == oldSelf.value() : self == "a"',
    optionalOldSelf: true,
  }),
  oldItems: listOf(keyedBy('!has(self.v) || self.v >= oldSelf.v'), {
    maxItems: 5,
    ...listMap,
  }),
  plain: { type: 'string', maxLength: 3 },
  choice: { type: 'string', enum: ['a'] },
  pattern: { type: 'string', pattern: '^a' },
};

const badSpecs: Record<string, any> = {
  'a failed rule': { min: 0 },
  'a message': { message: 0 },
  'a message expression': { expression: -5 },
  'a message expression that fails': { failing: 0 },
  'a message expression of two lines': { lines: 0 },
  'a message expression that says nothing': { empty: 0 },
  'the reason required': { required: 0 },
  'the reason forbidden': { forbidden: 0 },
  'the reason duplicate': { duplicate: 0 },
  'the reason invalid': { invalid: 0 },
  'an object': { object: { a: 2, b: 1 } },
  'a missing field': { missing: {} },
  'a field path': { path: { a: 0 } },
  'a quoted field path': { quoted: { a: 0 } },
  'a field path further inside': { nested: { inner: { a: 0 } } },
  'a field path to a key': { mapPath: { k: 0 } },
  'a value of a map': { map: { 'a.b': 0, c: 1 } },
  'an item of a list': { list: [1, 0, -1] },
  'a list': { unique: ['a', 'a'] },
  'an item with a key': {
    keyed: [
      { k: 'a', v: 1 },
      { k: 'b', v: 0 },
    ],
  },
  'a boolean': { bool: false },
  'a number': { number: 2.5 },
  'a text': { text: 'b"c' },
  'a time': { date: '2025-01-01T00:00:00Z' },
  'a duration': { duration: '2h' },
  'an integer or string': { either: 'b' },
  'an integer for either': { either: 0 },
  'a string where an integer is compared': { overload: 'a' },
  'a quantity': { quantity: '1Ki' },
  'a quantity that is none': { quantity: 'x' },
  'several rules': { several: 0 },
  'a division by zero': { division: 0 },
  'too much to do': { expensive: Array.from({ length: 260 }, (_, index) => `text-${index}-of-the-list`) },
  'several fields': { min: 0, message: 0, object: { a: 1, b: 1 } },
  'a wrong type beside': { min: 'x', message: 0 },
  'something too long beside': { plain: 'abcd', message: 0 },
  'a wrong choice beside': { choice: 'b', message: 0 },
  'a wrong pattern beside': { pattern: 'b', message: 0 },
  'a wrong format beside': { date: 'x', message: 0 },
  'the first value of a rule with an optional oldSelf': { once: 'b' },
};

const goodSpecs: Record<string, any> = {
  'what all rules allow': { min: 1, object: { a: 1, b: 2 }, text: 'ab', unique: ['a', 'b'], either: 'a' },
  'null, which rules do not see': { nullable: null },
  'transition rules without an old value': { immutable: 'x', growing: -1, oldItems: [{ k: 'a', v: -1 }] },
  'a quantity': { quantity: '1Gi' },
};

/** Updates of a `spec`. */
const updates: Record<string, { from: any; to: any }> = {
  'a change that a transition rule refuses': { from: { immutable: 'x' }, to: { immutable: 'y' } },
  'no change': { from: { immutable: 'x' }, to: { immutable: 'x', min: 1 } },
  'a first value': { from: {}, to: { immutable: 'y', growing: 1 } },
  'a removal': { from: { immutable: 'x' }, to: {} },
  'a value that shrinks': { from: { growing: 5 }, to: { growing: 4 } },
  'a value that grows': { from: { growing: 5 }, to: { growing: 6 } },
  'an item that shrinks, moved': {
    from: {
      oldItems: [
        { k: 'a', v: 1 },
        { k: 'b', v: 5 },
      ],
    },
    to: {
      oldItems: [
        { k: 'b', v: 4 },
        { k: 'a', v: 1 },
      ],
    },
  },
  'a new item': { from: { oldItems: [{ k: 'a', v: 1 }] }, to: { oldItems: [{ k: 'b', v: -4 }] } },
  'an item without the old field': { from: { oldItems: [{ k: 'a' }] }, to: { oldItems: [{ k: 'a', v: 1 }] } },
  'an optional oldSelf that changes': { from: { once: 'a' }, to: { once: 'b' } },
  'an optional oldSelf that stays': { from: { once: 'a' }, to: { once: 'a', min: 2 } },
};

/** The outcome of a write: the refusal, or the stored object and the warnings. */
function outcome(answer: Answer): unknown {
  const { code, body, warnings } = answer;
  if (code >= 400) return { ...(refusal(answer) as object), ...(warnings.length > 0 && { warnings }) };
  return { code, spec: body.spec, ...(warnings.length > 0 && { warnings }) };
}

onEachServer('rules', (server) => {
  const path = pathOf('Checked');
  beforeAll(async () => {
    const crd = crdOf('Checked', checked);
    crd.spec.versions[0].schema.openAPIV3Schema.properties.status = object(
      { phase: ruled(short, { rule: 'self != "Bad"' }), count: ruled(integer, { rule: 'self >= oldSelf' }) },
      { rule: '!has(self.count) || has(self.phase)', message: 'a count needs a phase' },
    );
    await installCrd(server.session, crd);
  });

  test.each(Object.keys(badRules))('a definition is checked: %s', async (name) => {
    const answer = await server.session.post(`${crdsPath}?dryRun=All`, crdOf('Bad', badRules[name]));
    const said = answer.code === 201 ? { code: 201 } : withoutCompiler(refusal(answer));
    await expect(asRecorded(withSortedKeys(said))).toMatchFileSnapshot(
      `../recorded/crd-rules/${name.replaceAll(' ', '-')}.yaml`,
    );
  });

  test('objects that break rules are refused', async () => {
    const said: Record<string, unknown> = {};
    for (const [name, spec] of Object.entries(badSpecs))
      said[name] = outcome(await server.session.post(`${path}?dryRun=All`, objectOf('Checked', 'bad', spec)));
    await expect(asRecorded(withSortedKeys(said))).toMatchFileSnapshot('../recorded/crd-rules/objects.yaml');
  });

  test.each(Object.keys(goodSpecs))('%s is accepted', async (name) => {
    const { code } = await server.session.post(
      `${path}?dryRun=All`,
      objectOf('Checked', 'good', goodSpecs[name]),
    );
    expect(code).toBe(201);
  });

  test('updates are checked against the stored object', async () => {
    const said: Record<string, unknown> = {};
    for (const [index, [name, { from, to }]] of Object.entries(updates).entries()) {
      const { body } = await server.session.post(path, objectOf('Checked', `update-${index}`, from));
      said[name] = outcome(await server.session.put(`${path}/update-${index}`, { ...body, spec: to }));
    }
    await expect(asRecorded(withSortedKeys(said))).toMatchFileSnapshot('../recorded/crd-rules/updates.yaml');
  });

  test('rules of the status run on its endpoint', async () => {
    await server.session.post(path, objectOf('Checked', 'status', {}));
    const said: Record<string, unknown> = {};
    const statuses = [
      { phase: 'Bad' },
      { count: 1 },
      { phase: 'Good', count: 5 },
      { phase: 'Good', count: 4 },
      { phase: 5 },
      { phase: 'Good', count: 6, unknown: true },
    ];
    for (const [index, status] of statuses.entries()) {
      const answer = await server.session.merge(`${path}/status/status`, { status });
      said[`${index} ${JSON.stringify(status)}`] =
        answer.code === 200 ? { status: answer.body.status, warnings: answer.warnings } : refusal(answer);
    }
    await expect(asRecorded(withSortedKeys(said))).toMatchFileSnapshot('../recorded/crd-rules/status.yaml');
  });
});
