import type { Plan } from '../plans/plan.ts';
import { inRun } from '../reference/reference.ts';
import type { Step } from '../run/scenario.ts';
import { differencesOnAnyWay } from './judge-fresh.ts';
import type { Trial } from './judge.ts';
import { type Search, expectedAfter, startAt } from './search.ts';
import { verdictOf, verdictOfError } from './verdict.ts';

/** What a user takes back because it does not work ends as if it had never been. */
export async function judgeRollback(
  search: Search,
  plan: Plan & { phase: 'rollback' },
  explains: boolean,
): Promise<Trial> {
  const { reference, steps } = search;
  const { step } = plan;
  const { spec } = reference.stages[step - 1]!.parent as { spec?: unknown };
  const back: Step = {
    title: 'has its spec as before',
    act: (run) => run.client.patch(run.parent, run.key, [{ op: 'replace', path: '/spec', value: spec }]),
  };
  const own = [...steps.slice(0, step + 1), back];
  return inRun(await startAt(search, step, plan, { steps: own, explains }), async (run) => {
    try {
      await run.perform(step);
      await run.begin(step + 1);
      const details = await differencesOnAnyWay(search, run, expectedAfter(step - 1, reference));
      return { run, verdicts: verdictOf('rolls back', details) };
    } catch (error) {
      return { run, verdicts: verdictOfError(error) };
    }
  });
}
