import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCatalog } from '../../../src/olm/catalog/read-catalog.ts';
import { validateCatalog } from '../../../src/olm/catalog/validate-catalog.ts';
import { casesOf, hasCorpus } from './corpus.ts';
import { type Subject, comparable, subjectsOf } from './opm-messages.ts';

interface Expected {
  readonly valid: boolean;
  readonly errors?: readonly string[];
}

/** Where opm stops at the first problem with the structure, and we do not: what we say beside it. */
const further: Readonly<Record<string, readonly Subject[]>> = {
  'channel-no-entries': [
    { type: 'bundle-in-no-channel', package: 'kiln', bundle: 'kiln.v1.1.0' },
    { type: 'bundle-in-no-channel', package: 'kiln', bundle: 'kiln.v2.0.0' },
  ],
  // An image whose path has capitals: registry.example.org/Kiln-bundle.
  'package-bad-name': [{ type: 'invalid-image', package: 'Kiln', bundle: 'Kiln.v1.0.0' }],
};

function sorted(subjects: readonly Subject[]): string[] {
  return subjects.map((subject) => JSON.stringify(subject, Object.keys(subject).toSorted())).toSorted();
}

describe.skipIf(!hasCorpus)('fbc', () => {
  test.each(casesOf<Expected>('fbc'))('$name', async ({ name, directory, expected }) => {
    const { findings } = validateCatalog(await readCatalog(path.join(directory, 'catalog')));
    const theirs = (expected.errors ?? []).flatMap(subjectsOf);
    const ours = findings.map((finding) => comparable(finding, theirs));
    expect(sorted(ours)).toEqual(sorted([...theirs, ...(further[name] ?? [])]));
    expect(findings.length === 0).toBe(expected.valid);
    for (const { file, line } of findings) expect([typeof file, typeof line]).toEqual(['string', 'number']);
  });
});
