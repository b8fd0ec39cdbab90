import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { SchemaNode } from '../../../src/olm/upgrade/schema-node.ts';
import { type UnsafeChange, unsafeChanges } from '../../../src/olm/upgrade/unsafe-changes.ts';
import { casesOf, hasCorpus } from './corpus.ts';

interface Expected {
  readonly safe: boolean;
  readonly reasons: readonly string[];
}

/** Which rule found what where; the words differ. */
function ours({ version, path: place, rule }: UnsafeChange): string {
  if (version === undefined) return rule;
  return rule === 'existingFieldRemoval' ? `${rule} ${version}.${place}` : `${rule} ${version}: ${place}`;
}

function theirs(reason: string): string {
  const [, field] = /^existingFieldRemoval: removed field : (\S+)$/.exec(reason) ?? [];
  if (field !== undefined) return `existingFieldRemoval ${field}`;
  const [, version, place, rule] = /^(\S+(?: -> \S+)?): (\^\S*): (\w+):/.exec(reason) ?? [];
  return version === undefined ? reason.replace(/:.*/s, '') : `${rule} ${version}: ${place}`;
}

describe.skipIf(!hasCorpus)('the CRD upgrade safety check of OLM v1', () => {
  test.each(casesOf<Expected>('crd-upgrade'))('$name', ({ directory, expected }) => {
    const read = (file: string) => parse(readFileSync(path.join(directory, file), 'utf8')) as SchemaNode;
    const changes = unsafeChanges(read('old.yaml'), read('new.yaml'));
    expect(changes.length === 0).toBe(expected.safe);
    expect(changes.map(ours).toSorted()).toEqual(expected.reasons.map(theirs).toSorted());
  });
});
