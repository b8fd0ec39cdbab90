import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { StructuralSchema, ValidationRule } from '../schema/structural-schema.ts';
import { checkRules } from './check-rules.ts';
import type { RuleProblem } from './rule-problem.ts';

interface CheckedSchema {
  readonly name: string;
  readonly schema: StructuralSchema;
  /** The fields that the API server reports, relative to the schema; '' for the costs of all rules together. */
  readonly errors: readonly string[];
}

const facts = JSON.parse(
  readFileSync(new URL('../../test-data/checked-schemas.json', import.meta.url), 'utf8'),
) as CheckedSchema[];

/** A problem's field as the API server names it. It reports an invisible value once, and for no particular rule. */
function fieldOf({ path, index, argument, code }: RuleProblem): string {
  const keys = path.map((key, i) => (path[i - 1] === 'properties' ? `[${key}]` : `.${key}`)).join('');
  return `${keys}.x-kubernetes-validations${code === 'no-type' ? '' : `[${index}].${argument}`}`;
}

function withRules(schema: StructuralSchema, ...rules: readonly ValidationRule[]): StructuralSchema {
  return { type: 'object', properties: { spec: { ...schema, 'x-kubernetes-validations': rules } } };
}

const spec: StructuralSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    ports: {
      type: 'array',
      maxItems: 10,
      items: { type: 'object', properties: { name: { type: 'string', maxLength: 15 } } },
    },
  },
};

describe('checkRules', () => {
  test.each(facts)('finds the rules that an API server refuses: $name', ({ schema, errors }) => {
    const { problems, totalCost } = checkRules(schema);
    const together = problems.filter(({ code }) => code === 'total-cost');
    const alone = problems.filter(({ code }) => code !== 'total-cost').map(fieldOf);
    if (together.length > 0) {
      // The API server then names up to four rules and the schema.
      expect(errors).toContain('');
      expect(errors).toContain(fieldOf(together[0]!));
    } else {
      expect([...new Set(alone)].toSorted()).toEqual(errors.filter((error) => error !== ''));
    }
    expect(totalCost > 100_000_000n).toBe(errors.includes(''));
  });

  test('says which rule, which argument and where in it', () => {
    const { problems } = checkRules(
      withRules(spec, { rule: 'true' }, { rule: 'self.nam == ""', messageExpression: 'self.tags' }),
    );
    expect(problems).toEqual([
      {
        path: ['properties', 'spec'],
        index: 1,
        argument: 'rule',
        start: 5,
        end: 8,
        code: 'undefined-field',
        message: "undefined field 'nam'",
        hint: 'did you mean name?',
        compiler: { text: "undefined field 'nam'", at: 4 },
      },
      {
        path: ['properties', 'spec'],
        index: 1,
        argument: 'messageExpression',
        start: 0,
        end: 9,
        code: 'result-type',
        message: 'the expression is list(string), not string',
        hint: 'write a string, such as "must be at most " + string(self.max)',
      },
    ]);
  });

  test('names what needs a bound when a rule is too expensive', () => {
    const { problems, costs } = checkRules(
      withRules(spec, { rule: 'self.tags.all(t, t.contains(self.name))' }),
    );
    expect(problems).toMatchObject([
      {
        code: 'cost',
        message: 'the rule can cost more than 100 times what the API server allows',
        hint: 'add maxItems to spec.tags, maxLength to spec.name, maxLength to spec.tags[]; or simplify it',
      },
    ]);
    expect(costs).toMatchObject([{ path: ['properties', 'spec'], index: 0, argument: 'rule' }]);
  });

  test('names the lists around a rule that need a bound', () => {
    const item = {
      type: 'object',
      properties: { 'a-b': { type: 'string' } },
      'x-kubernetes-validations': [{ rule: 'self.a__dash__b.contains("abcdefghijkl")' }],
    };
    const schema = {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'object', additionalProperties: item } } },
    };
    expect(checkRules(schema).problems.map(({ hint }) => hint)).toEqual([
      'add maxItems to list, maxProperties to list[], maxLength to list[][].a-b; or simplify it',
    ]);
  });

  test('counts a rule as often as its value can occur, and a message once', () => {
    const item: StructuralSchema = {
      type: 'string',
      maxLength: 10,
      'x-kubernetes-validations': [{ rule: 'self != "abc"', messageExpression: 'self + "!"' }],
    };
    const { costs, totalCost, problems } = checkRules({
      type: 'object',
      properties: { l: { type: 'array', maxItems: 7, items: item } },
    });
    expect(costs.map(({ argument, cost, total }) => [argument, cost, total])).toEqual([
      ['rule', 2n, 14n],
      ['messageExpression', 6n, 6n],
    ]);
    expect([totalCost, problems]).toEqual([20n, []]);
  });

  test('has a hint for every problem', () => {
    const hints = facts.flatMap(({ schema }) => checkRules(schema).problems.map(({ hint }) => hint));
    expect(hints.filter((hint) => hint === '')).toEqual([]);
  });

  test('has nothing to say about a schema without rules', () => {
    expect(checkRules(spec)).toEqual({ problems: [], costs: [], totalCost: 0n });
  });
});
