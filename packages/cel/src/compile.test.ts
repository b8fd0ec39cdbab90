import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile } from './compile.ts';
import { estimateCost } from './cost/estimate-cost.ts';
import { maxOccurrencesOf } from './schema/request-limits.ts';
import { schemaType } from './schema/schema-type.ts';
import type { StructuralSchema } from './schema/structural-schema.ts';
import { boolType, type CelType, optionalOf, stringType } from './types/cel-type.ts';

interface CompiledRule {
  readonly schema: string;
  readonly rule: string;
  readonly messageExpression?: string;
  readonly optionalOldSelf?: boolean;
  readonly refused?: true;
  readonly cost?: string;
  readonly cardinality?: number;
  readonly usesOldSelf?: true;
  readonly messageRefused?: true;
  readonly messageCost?: string;
}

interface CompiledRules {
  readonly schemas: Readonly<Record<string, { readonly root?: boolean; readonly schema: StructuralSchema }>>;
  readonly rules: readonly CompiledRule[];
}

const facts = JSON.parse(
  readFileSync(new URL('../test-data/compiled-rules.json', import.meta.url), 'utf8'),
) as CompiledRules;

/** The library's result for a rule, in the form of the facts. */
function compileRule({ schema, rule, messageExpression, optionalOldSelf }: CompiledRule): CompiledRule {
  const asked = {
    schema,
    rule,
    ...(messageExpression && { messageExpression }),
    ...(optionalOldSelf !== undefined && { optionalOldSelf }),
  };
  const self = schemaType(facts.schemas[schema]!.schema, facts.schemas[schema]!.root === true, 'self')!;
  const variables = new Map<string, CelType>([
    ['self', self.type],
    ['oldSelf', optionalOldSelf ? optionalOf(self.type) : self.type],
  ]);
  const compiled = compile(rule, { variables }, boolType);
  if ('problems' in compiled) return { ...asked, refused: true };
  const message =
    messageExpression === undefined ? undefined : compile(messageExpression, { variables }, stringType);
  return {
    ...asked,
    cost: String(estimateCost(compiled.checked, self).cost),
    cardinality: Number(maxOccurrencesOf(self.minSize)),
    ...([...compiled.checked.names.values()].includes('oldSelf') && { usesOldSelf: true }),
    ...(message &&
      ('problems' in message
        ? { messageRefused: true }
        : { messageCost: String(estimateCost(message.checked, self).cost) })),
  };
}

function problemsOf(rule: string): string[][] {
  const self = schemaType(facts.schemas['bounded']!.schema, false, 'self')!;
  const compiled = compile(rule, { variables: new Map([['self', self.type]]) }, boolType);
  return 'problems' in compiled
    ? compiled.problems.map(({ start, end, code, message, hint }) => [
        code,
        rule.slice(start, end),
        message,
        hint,
      ])
    : [];
}

describe('compile', () => {
  test.each(Object.keys(facts.schemas))(
    'accepts, refuses and prices rules on %s as an API server does',
    (schema) => {
      const rules = facts.rules.filter((rule) => rule.schema === schema);
      expect(rules.length).toBeGreaterThan(0);
      expect(rules.map(compileRule)).toEqual(rules);
    },
  );

  test.each([
    ['self.tme == null', ['undefined-field', 'tme', "undefined field 'tme'", 'did you mean time?']],
    ['self.o.imge == ""', ['undefined-field', 'imge', "undefined field 'imge'", 'did you mean image?']],
    [
      'self.a-1 > 1',
      [
        'undefined-field',
        'a',
        "undefined field 'a'",
        'did you mean a__dash__b? In names "-" is written __dash__, "." __dot__ and "/" __slash__',
      ],
    ],
    [
      'self.empty.x == 1',
      ['undefined-field', 'x', "undefined field 'x'", 'the schema has no fields here that a rule can see'],
    ],
    [
      'self.ls.name == ""',
      [
        'no-fields',
        'name',
        'list(string) has no fields',
        'write a macro, such as self.items.all(x, x.name != ""), or an index: self.items[0]',
      ],
    ],
    ['slf.s == ""', ['undeclared', 'slf', "undeclared variable 'slf'", 'did you mean self?']],
    [
      'self.s.startWith("a")',
      ['undeclared', 'startWith', "undeclared function 'startWith'", 'did you mean startsWith?'],
    ],
    [
      'math.greatest(1, 2) == 2',
      [
        'undeclared',
        'math',
        "undeclared variable 'math'",
        'the variables of a rule are self and oldSelf; the variable of a macro exists only inside of it',
      ],
    ],
    [
      'self.s == 1',
      [
        'no-such-overload',
        'self.s == 1',
        'string == int is not possible',
        'values of different types are never equal: convert one, such as string(x) == "1"',
      ],
    ],
    [
      'self.n == 1',
      [
        'no-such-overload',
        'self.n == 1',
        'double == int is not possible',
        'numbers of different types are not equal: convert one, such as double(x) == 1.5',
      ],
    ],
    [
      'self.s == null',
      [
        'no-such-overload',
        'self.s == null',
        'string == null is not possible',
        'fields without a value are absent: write has(self.x), or !has(self.x)',
      ],
    ],
    [
      'self.dur < "1h"',
      [
        'no-such-overload',
        'self.dur < "1h"',
        'duration < string is not possible',
        'convert the string: duration("1h30m")',
      ],
    ],
    [
      'self.s + 1 == ""',
      [
        'no-such-overload',
        'self.s + 1',
        'string + int is not possible',
        'convert other values to strings: "a" + string(x)',
      ],
    ],
    [
      'self.s.matches(1)',
      [
        'no-such-overload',
        'self.s.matches(1)',
        'string.matches(int) is not possible',
        'possible is string.matches(string)',
      ],
    ],
    [
      'quantity(self.s).sign() == 1',
      [
        'no-such-overload',
        'quantity(self.s).sign()',
        'Quantity.sign() is not possible',
        'possible is sign(Quantity)',
      ],
    ],
    [
      'self.s && self.b',
      [
        'type-mismatch',
        'self.s',
        'expected bool, found string',
        'write a condition, such as self.x != "" or self.x > 0',
      ],
    ],
    [
      'self.s.all(x, true)',
      ['not-iterable', 'self.s', 'string is neither a list nor a map', 'macros iterate over lists and maps'],
    ],
    [
      '[1, "a"] == []',
      [
        'mixed-types',
        '"a"',
        'expected int like the first one, found string',
        'the items of a list, and the keys and values of a map, must have one type: convert this one, or wrap all of them in dyn(x)',
      ],
    ],
    [
      'duration("5 minutes") == self.dur',
      [
        'bad-literal',
        '"5 minutes"',
        '"5 minutes" is not a valid duration',
        'write a duration like "90s", "1h30m" or "1.5h"',
      ],
    ],
    [
      'int("abc") == 1',
      [
        'bad-constant',
        '"abc"',
        '"abc" is not a valid int',
        'the conversion would always fail; write a value that is an int',
      ],
    ],
    [
      '"%d".format([self.s]) == ""',
      ['bad-format', 'self.s', '%d does not format a string', 'it formats int, uint'],
    ],
    [
      '"%s %s".format([self.s]) == ""',
      [
        'bad-format',
        '[self.s]',
        'no value for %s, the clause number 2',
        'add it to the list; for a percent sign write %%',
      ],
    ],
    [
      'self.s',
      [
        'result-type',
        'self.s',
        'the expression is string, not bool',
        'write a condition that is true for valid values',
      ],
    ],
    [
      'Foo{a: 1} == 1',
      [
        'undeclared',
        'Foo{a: 1}',
        "undeclared message type 'Foo'",
        'a rule cannot create objects; compare the fields one by one, or write a map: {"key": value}',
      ],
    ],
  ])('says what is wrong with %s', (rule, problem) => expect(problemsOf(rule)).toEqual([problem]));

  test('finds a regular expression that RE2 does not have', () => {
    expect(problemsOf('self.s.matches("a(?=b)")')).toEqual([
      [
        'bad-literal',
        '"a(?=b)"',
        expect.stringContaining('invalid regular expression'),
        expect.stringContaining('RE2'),
      ],
    ]);
  });

  test('reports every problem of an expression', () => {
    expect(problemsOf('self.x == 1 && self.y == 2 || slef.z').map(([code, at]) => [code, at])).toEqual([
      ['undefined-field', 'x'],
      ['undefined-field', 'y'],
      ['undeclared', 'slef'],
    ]);
  });

  test('compiles any expression to types, or says where it is wrong', () => {
    const part = fc.constantFrom(
      ...facts.rules
        .filter(({ schema, rule }) => schema === 'bounded' && rule.length < 60)
        .map(({ rule }) => rule),
    );
    const joined = fc
      .tuple(part, fc.constantFrom('&&', '||', '==', '+', 'in', '.', '? true :', '['), part)
      .map((parts) => parts.join(' '));
    const self = schemaType(facts.schemas['bounded']!.schema, false, 'self')!;
    fc.assert(
      fc.property(joined, (rule) => {
        const compiled = compile(rule, { variables: new Map([['self', self.type]]) }, boolType);
        if ('checked' in compiled)
          expect(estimateCost(compiled.checked, self).cost).toBeGreaterThanOrEqual(0n);
        else
          for (const { start, end } of compiled.problems)
            expect(0 <= start && start <= end && end <= rule.length).toBe(true);
      }),
    );
  });

  test.each(['[1]', '[]', 'optional.of(1)'])('ends when macros make types larger and larger: %s', (start) => {
    const macro = start.startsWith('[') ? '.map(a, {a: a})' : '.optMap(a, {a: a})';
    expect(problemsOf(`${start}${macro.repeat(60)} == 1`)).not.toEqual([]);
  });
});
