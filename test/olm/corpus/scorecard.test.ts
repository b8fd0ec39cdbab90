import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readBundle } from '../../../src/olm/bundle/read-bundle.ts';
import { builtInTests } from '../../../src/olm/scorecard/built-in-tests.ts';
import { casesOf, hasCorpus } from './corpus.ts';

interface Result {
  readonly name: string;
  readonly state: string;
  readonly errors: readonly string[];
  readonly suggestions: readonly string[];
}

type Expected = Readonly<Record<string, readonly Result[]>>;

/** What a message is about, in the words of both programs; a message of a validator is about what it starts with. */
const subjects: readonly RegExp[] = [
  /^((?:Error|Warning): Value [\w.]+\/\w+, Kind=\w+):/,
  /^(Error|Warning):/,
  /(?:for CR|the example) (\S+) .*?(?:GVK|owned CRD:?) (\S+, Kind=\w+)/,
  /(?:spec missing from|the example) \[(\w+)\]/,
  /(`\w+` in \S+)$/,
  /(?:Add a spec descriptor for )(\w+)$/,
  /^(\w+) does not have a spec descriptor$/,
  /^([\w.]+) does not have a status descriptor$/i,
  /^add (?:a )?status descriptor (?:for the crd|to) ([\w.]+?)\.?(?:\s|$)/i,
  /^([\w.]+) does not have status spec/,
  /^Add a status to the example of ([\w.]+),/,
];

function subjectOf(message: string): string {
  if (/^Bundle validation errors|^the format of the bundle/.test(message)) return 'format';
  if (/^Owned CRDs/i.test(message)) return 'resources';
  for (const subject of subjects) {
    const match = subject.exec(message);
    if (match) return match.slice(1).join(' ');
  }
  return /alm-examples/.test(message) ? 'alm-examples' : message;
}

function said({ name, state, errors, suggestions }: Result): object {
  return {
    name,
    state,
    errors: errors.map(subjectOf).toSorted(),
    suggestions: suggestions.map(subjectOf).toSorted(),
  };
}

describe.skipIf(!hasCorpus)('the tests of the scorecard', () => {
  test.each(casesOf<Expected>('scorecard'))('$name', async ({ directory, expected }) => {
    const bundle = await readBundle(path.join(directory, 'bundle'));
    const results = [...builtInTests].map(([name, run]) => [name, [said(run(bundle))]]);
    const theirs = Object.entries(expected).map(([name, list]) => [name, list.map(said)]);
    expect(Object.fromEntries(results)).toEqual(Object.fromEntries(theirs));
  });
});
