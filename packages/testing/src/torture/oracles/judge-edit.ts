import type { Plan } from '../plans/plan.ts';
import { inRun } from '../reference/reference.ts';
import { differencesTo } from '../reference/until-equal.ts';
import type { Step } from '../run/scenario.ts';
import type { Trial } from './judge.ts';
import { type Search, expectedAfter, startAt, stateOf } from './search.ts';
import { verdictOf } from './verdict.ts';

/** The operator repairs what users edit or delete by hand. */
export async function judgeEdit(
  search: Search,
  plan: Plan & { phase: 'edit' | 'child-deletion' },
  explains: boolean,
): Promise<Trial> {
  const { reference, steps } = search;
  const last = steps.length - 1;
  const { kind: name, apiVersion, ...key } = plan.child;
  const edit: Step = {
    title: plan.phase === 'edit' ? `has its ${name} edited by hand` : `loses its ${name}`,
    act: async ({ client }) => {
      const kind = await client.mapper.kindFor(apiVersion, name);
      await (plan.phase === 'edit' ? client.patch(kind, key, plan.patch) : client.delete(kind, key));
    },
  };
  const edited = [...steps.slice(0, last), edit];
  return inRun(await startAt(search, last, plan, { steps: edited, explains }), async (run) => {
    await run.begin(last);
    const look = () => stateOf(run, reference);
    return {
      run,
      verdicts: verdictOf('repairs', await differencesTo(run, expectedAfter(last - 1, reference), look)),
    };
  });
}
