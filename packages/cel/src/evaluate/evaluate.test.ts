import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { plainValue } from '../../test/plain-value.ts';
import { parse } from '../parse/parse.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import type { CelResult } from '../values/cel-value.ts';
import { isError } from '../values/evaluation-error.ts';
import { fromJson } from '../values/from-json.ts';
import { Optional } from '../values/optional.ts';
import { evaluate } from './evaluate.ts';

interface Facts {
  readonly schema: StructuralSchema;
  readonly values: Readonly<Record<string, unknown>>;
  readonly cases: readonly Case[];
}

interface Case {
  readonly expr: string;
  readonly self?: string;
  readonly oldSelf?: string;
  readonly optionalOldSelf?: boolean;
  readonly result: { readonly value?: unknown; readonly error?: string; readonly cost?: number };
}

const facts = JSON.parse(
  readFileSync(new URL('../../test-data/evaluations.json', import.meta.url), 'utf8'),
) as Facts;

function variablesOf({ self, oldSelf, optionalOldSelf }: Case): Record<string, CelResult> {
  const value = (name: string) => fromJson(facts.values[name], facts.schema);
  const variables: Record<string, CelResult> = self === undefined ? {} : { self: value(self) };
  if (optionalOldSelf) {
    const old = oldSelf === undefined ? undefined : value(oldSelf);
    variables['oldSelf'] = old === undefined || isError(old) ? Optional.none : Optional.of(old);
  } else if (oldSelf !== undefined) {
    variables['oldSelf'] = value(oldSelf);
  }
  return variables;
}

const commonCases = [
  /^no such overload/,
  /^.*parse error during conversion from string/,
  /^Invalid (?:byte formatted string|duration) [^ :]+/,
];

/** The common part of an error: the reasons why a text is not a URL, address, version or pattern are worded differently. */
function cause(message: string): string {
  const [common] = commonCases.flatMap((pattern) => pattern.exec(message)?.[0] ?? []);
  return common ?? message.replace(/: strconv.*$/, '').replace(/, got .*$/, '');
}

const otherWording =
  /^(?:No Major|Invalid (?:char|semantic)|Major number|Numeric PreRelease|Prerelease is|Build meta|strconv|got '|could not convert|error during formatting: no formatting)/;

function comparable(result: Case['result']): unknown {
  // Errors within lists.
  if (result.error === undefined)
    return JSON.parse(JSON.stringify(result.value).replaceAll(/, got [^"]*/g, ''));
  return { error: otherWording.test(result.error) ? 'worded otherwise' : cause(result.error) };
}

function run(each: Case): Case['result'] {
  const { value, cost } = evaluate(parse(each.expr), variablesOf(each));
  return isError(value) ? { error: value.message, cost } : { value: plainValue(value), cost };
}

// The facts are the output of k8s.io/apiextensions-apiserver v0.36.3: see scripts/evaluation-facts.go.
describe('an expression has the value that it has in the API server', () => {
  test('there are facts', () => {
    expect(facts.cases.length).toBeGreaterThan(1000);
  });

  test.each(facts.cases.map((each) => [each.expr, each.self ?? '', each] as const))(
    '%s %s',
    (_, __, each) => {
      const got = run(each);
      expect(comparable(got)).toEqual(comparable(each.result));
      expect(got.cost).toBe(each.result.cost);
    },
  );
});
