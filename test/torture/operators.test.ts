import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Plan } from './plan.ts';
import { SubjectRun } from './subject-run.ts';
import { subjects } from './subjects.ts';
import type { Subject, Variant } from './subject.ts';

/** The run of an operator after its plan, all of which has happened. */
async function perform(subject: Subject, variant: Variant, plan?: Plan): Promise<SubjectRun> {
  const run = await SubjectRun.start(subject, variant, plan);
  await run.perform();
  expect(run.undone).toEqual([]);
  return run;
}

describe.each(Object.entries(subjects))('%s', (_name, subject) => {
  const { demonstration } = subject;

  test('undisturbed, the operator and its twin end in the same state and rest there', async () => {
    await using buggy = await perform(subject, 'buggy');
    await using fixed = await perform(subject, 'fixed');
    for (const run of [buggy, fixed]) {
      const { length } = run.writes;
      await run.advance('2m');
      expect(run.writes.slice(length)).toEqual([]);
      // With an edit, what is harm under the plan is what the user wants.
      if (!demonstration.plan.edits) expect(await demonstration.isHarmed(run)).toBe(false);
    }
    expect(await buggy.state(fixed)).toEqual(await fixed.state(buggy));
  });

  test('the plan of its demonstration harms the operator, and not its twin', async () => {
    await using buggy = await perform(subject, 'buggy', demonstration.plan);
    await using fixed = await perform(subject, 'fixed', demonstration.plan);
    expect(await demonstration.isHarmed(buggy)).toBe(true);
    expect(await demonstration.isHarmed(fixed)).toBe(false);
    const states = [await buggy.state(fixed), await fixed.state(buggy)];
    expect(isDeepStrictEqual(states[0], states[1])).toBe(demonstration.seenIn === 'writes');
  });
});

const prevented = Object.entries(subjects).flatMap(([name, subject]) =>
  subject.prevented ? [{ name, subject, ...subject.prevented }] : [],
);

test.each(prevented)('$name: $by, so another plan does no harm', async ({ subject, plan }) => {
  await using buggy = await perform(subject, 'buggy', plan);
  expect(await subject.demonstration.isHarmed(buggy)).toBe(false);
});
