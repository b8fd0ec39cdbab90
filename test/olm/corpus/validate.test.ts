import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readBundle } from '../../../src/olm/bundle/read-bundle.ts';
import { readInputs } from '../../../src/olm/validate/read-inputs.ts';
import type { Finding } from '../../../src/olm/finding.ts';
import { optionalValidators, requiredValidators } from '../../../src/olm/validate/validators.ts';
import { casesOf, hasCorpus } from './corpus.ts';

type Recorded = Pick<Finding, 'level' | 'type' | 'field' | 'value' | 'detail'>;

interface Expected {
  readonly bundle?: { readonly name: string; readonly package: string; readonly objects: number };
  readonly validators?: Readonly<Record<string, readonly Recorded[]>>;
  readonly loadError?: string;
  readonly crash?: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

const validators = new Map([
  ...Object.entries(requiredValidators),
  ...optionalValidators.map(({ name, findingsName = name, validate }) => [findingsName, validate] as const),
]);

/** Words may differ, and so may the value where it is the message of a parser. */
function facts({ level, type, field, value }: Recorded, withValue: boolean): string {
  return [level, type, field ?? '', withValue && type !== 'ParseError' ? value : undefined].join(' | ');
}

describe.skipIf(!hasCorpus)('validate', () => {
  test.each(casesOf<Expected>('validate'))('$name', async ({ directory, expected }) => {
    const inCase = (text: string) => text.replace('$CASE', directory);
    const bundle = await readBundle(path.join(directory, 'bundle'));
    const inCaseEach = (texts: Readonly<Record<string, string>> = {}) =>
      Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, inCase(value)]));
    const inputs = await readInputs(inCaseEach(expected.options), {
      cwd: directory,
      env: inCaseEach(expected.env),
    });
    if (expected.loadError !== undefined) {
      expect(bundle.problems).not.toEqual([]);
      return;
    }
    expect(bundle.problems).toEqual([]);
    if (expected.crash !== undefined) {
      expect([...validators.values()].flatMap((validate) => validate(bundle, inputs))).not.toEqual([]);
      return;
    }
    expect(bundle.objects).toHaveLength(expected.bundle!.objects);
    expect(bundle.name).toBe(expected.bundle!.name);
    for (const [validator, recorded] of Object.entries(expected.validators!)) {
      // It is for OperatorGroups, which a bundle cannot have.
      const found = validators.get(validator)?.(bundle, inputs) ?? [];
      const hasValues = recorded.some(({ value }) => value !== undefined);
      const sorted = (list: readonly Recorded[]) =>
        list
          .map((each) => facts(each, hasValues && recorded.every(({ value }) => value !== undefined)))
          .toSorted();
      expect({ validator, findings: sorted(found) }).toEqual({ validator, findings: sorted(recorded) });
      for (const finding of found) expect(finding.validator).toBe(validator);
    }
  });
});
