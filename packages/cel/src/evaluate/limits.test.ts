import { describe, expect, test } from 'vitest';
import { isThorough } from '../../../../test/support/property-runs.ts';
import type { Expr } from '../ast.ts';
import { parse } from '../parse/parse.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import { fromJson } from '../values/from-json.ts';
import { evaluate } from './evaluate.ts';
import { Program } from './program.ts';
import { validateRules } from './validate-rules.ts';

const items = Array.from({ length: 100_000 }, (_, i) => i);
/** Zeros and ones with a long period. */
const noise = Array.from({ length: 200_000 }, (_, i) => Math.imul(i, 0x9e37_79b1) >>> 31).join('');
const self = fromJson(
  { items, text: 'a'.repeat(200_000), digits: '1'.repeat(200_000), noise },
  {
    type: 'object',
    properties: {
      items: { type: 'array', items: { type: 'integer' } },
      text: { type: 'string' },
      digits: { type: 'string' },
      noise: { type: 'string' },
    },
  },
);

describe('an expensive evaluation ends', () => {
  test.each([
    [
      'a loop in a loop',
      'self.items.all(x, self.items.all(y, x != y + 200000))',
      'operation cancelled: actual cost limit exceeded',
    ],
    [
      'loops that cost nothing',
      'self.items.filter(x, self.items.filter(y, false) != []) == []',
      'operation interrupted',
    ],
    [
      'a pattern that looks far back',
      'self.noise.matches("^(?:0|1)*0(?:0|1){999}2$")',
      'the regular expression takes too long for this text',
    ],
    [
      'a pattern that is looked for again and again',
      'self.text.find("((a{100}){10}){1}b") != ""',
      'the regular expression takes too long for this text',
    ],
  ])('%s', (_, text, message) => {
    expect(evaluate(parse(text), { self }).value).toMatchObject({ message });
  });

  test.each([
    ['a pattern that takes others forever', 'self.text.matches("^(?:(a?){30})+$b")'],
    ['a pattern that grows', 'self.text.matches("((a{100}){10}){1}b")'],
    ['digits for a duration', 'duration(self.digits + "x") == duration("1s")'],
    ['digits for a number', 'double(self.digits + "x") == 1.0'],
    ['digits for an int', 'int(self.digits) == 1'],
    ['digits for a quantity', 'isQuantity(self.digits + "x")'],
    ['digits for a version', 'isSemver(self.digits)'],
    ['digits for an address', 'isIP(self.digits) || isCIDR(self.digits) || isURL(self.digits)'],
    [
      'a quantity out of this world',
      'quantity("1e1000000000").isLessThan(quantity("1e-1000000000").add(quantity("1e2000000000")))',
    ],
    ['a long precision', '"%.999999999f".format([1.0]) == ""'],
    ['lists that are appended', 'lists.range(1000).all(i, (self.items + self.items).size() > i)'],
    ['a name that is long', 'format.dns1123Subdomain().validate(self.text + "!").hasValue()'],
  ])('%s', (_, text) => {
    expect(evaluate(parse(text), { self }).cost).toBeLessThan(Infinity);
  });

  test('a deeply nested value', () => {
    let nested: unknown = 1;
    for (let i = 0; i < 100_000; i++) nested = [nested];
    const schema: StructuralSchema = {
      type: 'object',
      properties: { x: { 'x-kubernetes-preserve-unknown-fields': true } },
    };
    const deep = fromJson({ x: nested }, schema);
    const same = fromJson({ x: structuredCopy(nested) }, schema);
    expect(evaluate(parse('self == oldSelf'), { self: deep, oldSelf: same }).value).toBe(true);
    expect(
      validateRules({ ...schema, 'x-kubernetes-validations': [{ rule: 'false' }] }, { x: nested }, { x: 1 }),
    ).toHaveLength(1);
  });

  test('a deeply nested expression', () => {
    let expr: Expr = { id: 0, kind: 'ident', name: 'self', start: 0, end: 0, at: 0 };
    for (let id = 1; id < 100_000; id++)
      expr = { id, kind: 'call', function: '-_', args: [expr], start: 0, end: 0, at: 0, nameStart: 0 };
    expect(evaluate(expr, { self: 1n }).value).toMatchObject({
      message: 'the expression or its values are too large',
    });
  });

  // It takes as many iterations as one object may: seconds.
  test.runIf(isThorough)('rules that share a budget', () => {
    const rule = { rule: 'self.all(x, self.filter(y, false) == [])' };
    const list: StructuralSchema = {
      type: 'array',
      items: { type: 'integer' },
      'x-kubernetes-validations': [rule],
    };
    const schema: StructuralSchema = { type: 'object', additionalProperties: list };
    const value = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, items.slice(0, 2000)]));
    const failures = validateRules(schema, value);
    expect(failures.at(-1)!.message).toMatch(/operation interrupted/);
  });
});

/** Copies nested lists without recursion. */
function structuredCopy(nested: unknown): unknown {
  let depth = 0;
  for (let at = nested; Array.isArray(at); at = at[0]) depth++;
  let copy: unknown = 1;
  for (let i = 0; i < depth; i++) copy = [copy];
  return copy;
}

describe('a program', () => {
  test('runs with one value after the other', () => {
    const program = new Program(parse('self.all(x, x > 0)'));
    const schema: StructuralSchema = { type: 'array', items: { type: 'integer' } };
    const results = [[1, 2], [0], []].map(
      (value) => program.evaluate({ self: fromJson(value, schema) }).value,
    );
    expect(results).toEqual([true, false, true]);
  });

  test('does not read what a rule does not use', () => {
    const touched: string[] = [];
    const json = new Proxy<Record<string, unknown>>(
      { a: 1, b: 2 },
      {
        get: (target, name) => {
          touched.push(String(name));
          return Reflect.get(target, name);
        },
      },
    );
    const schema: StructuralSchema = {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    };
    expect(evaluate(parse('self.a == 1'), { self: fromJson(json, schema) }).value).toBe(true);
    expect(touched).toEqual(['a']);
  });
});
