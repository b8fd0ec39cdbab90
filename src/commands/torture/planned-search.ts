import { availableParallelism } from 'node:os';
import type { Context } from '../../context.ts';
import { oneLine } from '../../output/one-line.ts';
import type { Project } from '../../project/project.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { replayedPlan } from './replayed-plan.ts';
import { chooseSamples } from './samples.ts';
import type { Search } from './search.ts';
import { type TortureCommandOptions, budgetOf, seedOf } from './torture-options.ts';

/** More processes than this share too few plans each: all of them start with the undisturbed operator. */
const maxProcesses = 4;

/**
 * What the command line asks for.
 *
 * @throws OtsError `INVALID_DURATION`, `INVALID_SEED`, and those of the choice of samples and plans
 */
export async function plannedSearch(
  tree: Tree,
  project: Project,
  options: TortureCommandOptions,
  context: Context,
): Promise<Search> {
  const { namespaced } = project;
  const budgetMs = budgetOf(options);
  const seed = seedOf(options);
  const samples = chooseSamples(tree, project, options, context);
  if (options.replay === undefined) {
    const processes = Math.min(availableParallelism(), maxProcesses);
    return { samples, namespaced, seed: seed ?? 1, budgetMs, plans: undefined, processes };
  }
  const replayed = await replayedPlan(options.replay, tree.root, samples, options, context);
  return {
    samples: [replayed.sample],
    namespaced,
    seed: seed ?? replayed.seed ?? 1,
    budgetMs,
    plans: [replayed.plan],
    processes: 1,
  };
}

/** Says what would be searched. */
export function reportDryRun(
  plan: Search,
  { json, budget }: TortureCommandOptions,
  { stdout }: Context,
): void {
  const { samples, seed, budgetMs, plans, processes } = plan;
  if (json) {
    const document = {
      command: 'torture',
      dryRun: true,
      samples,
      seed,
      budget: budgetMs ?? null,
      processes,
      plans,
    };
    stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return;
  }
  const what = plans
    ? `the plan ${JSON.stringify(plans[0])}`
    : budgetMs === undefined
      ? 'all plans'
      : `plans for ${budget}`;
  for (const { file, kind } of samples) stdout.write(`${oneLine(file)} (${oneLine(kind)})\n`);
  stdout.write(`Would try ${oneLine(what)} with seed ${seed} (dry run: nothing tried)\n`);
}
