import type { Plan } from '../plans/plan.ts';
import { inRun } from '../reference/reference.ts';
import { differencesTo } from '../reference/until-equal.ts';
import type { Step } from '../run/scenario.ts';
import type { Trial } from './judge.ts';
import { type Search, compareAfter, expectedAfter, startAt, stateOf } from './search.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** How long the deletion of an object whose children stay may take, in virtual milliseconds. */
const maxMs = 10 * 60_000;

/** An object can be deleted at any time and with any policy, and leaves behind what it leaves at the end of its life. */
export async function judgeDeletion(
  search: Search,
  plan: Plan & { phase: 'deletion' },
  explains: boolean,
): Promise<Trial> {
  const { step, policy } = plan;
  const deletion: Step = {
    title: `is deleted with the policy ${policy}`,
    act: ({ client, parent, key }) => client.delete(parent, key, { propagationPolicy: policy }),
  };
  const steps = [...search.steps.slice(0, step), deletion];
  return inRun(await startAt(search, step, plan, { steps, explains }), async (run) => {
    const verdicts = async (): Promise<Verdict[]> => {
      if (policy !== 'Orphan') {
        const { reference } = search;
        const last = search.steps.length - 1;
        const look = () => stateOf(run, reference);
        const compare = compareAfter(last, reference);
        return verdictOf(
          'converges',
          await differencesTo(run, expectedAfter(last, reference), look, compare),
        );
      }
      await run.advance(maxMs);
      const parent = await run.client.get(run.parent, run.key);
      return verdictOf('converges', parent ? ['the deleted object is still there after ten minutes'] : []);
    };
    await run.begin(step);
    return { run, verdicts: await verdicts() };
  });
}
