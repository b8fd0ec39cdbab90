import { describe, expect, test } from 'vitest';
import { SubjectRun } from './subject-run.ts';
import { subjects } from './subjects.ts';
import type { Variant } from './subject.ts';

const variants: readonly Variant[] = ['buggy', 'fixed'];

describe.each(Object.entries(subjects))('%s', (_, subject) => {
  const { demonstration, prevented } = subject;

  test('undisturbed, the operator and its twin reach the same state and rest there', async () => {
    const states = [];
    for (const variant of variants) {
      await using run = await SubjectRun.start(subject, variant);
      await run.perform();
      const { length } = run.writes;
      await run.advance('5m');
      expect(run.writes.slice(length)).toEqual([]);
      states.push(await run.state());
    }
    expect(states[0]).toEqual(states[1]);
  });

  test('the plan of its demonstration harms the operator, and not its twin', async () => {
    for (const variant of variants) {
      await using run = await SubjectRun.start(subject, variant, demonstration.plan);
      await run.perform();
      expect([variant, await demonstration.isHarmed(run)]).toEqual([variant, variant === 'buggy']);
    }
  });

  test.runIf(prevented)('what ots-runtime prevents does not harm the operator', async () => {
    await using run = await SubjectRun.start(subject, 'buggy', prevented!.plan);
    await run.perform();
    expect(run.done).toEqual(new Set(['restart']));
    expect(await demonstration.isHarmed(run)).toBe(false);
  });
});
