import { torture } from 'ots-testing';
import { describe, expect, test } from 'vitest';
import { setupOf } from './setup-of.ts';
import { subjects } from './subjects.ts';

// Those without workloads, which cost little. bench/torture.mjs searches all of them.
const names = ['goes-on-without-finalizer', 'merges-labels', 'reads-omitted-field', 'keeps-old-limits'];

describe.each(names)('torture and the operator that %s', (name) => {
  test('with the bug has findings, each of which happens again', { timeout: 300_000 }, async () => {
    const { findings } = await torture(setupOf(subjects[name]!, 'buggy'));
    expect(findings).not.toEqual([]);
    expect(findings.filter(({ replays }) => !replays)).toEqual([]);
  });

  test('without the bug has none', { timeout: 300_000 }, async () => {
    const { findings } = await torture(setupOf(subjects[name]!, 'fixed'));
    expect(findings.map(({ id, description }) => `${id}: ${description}`)).toEqual([]);
  });
});
