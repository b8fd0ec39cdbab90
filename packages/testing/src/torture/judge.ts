import { type DeepReadonly, type UnstructuredObject } from 'ots-runtime';
import type { ClusterState } from '../convergence/cluster-state.ts';
import { interferenceOf } from './interference.ts';
import type { Plan } from './plan.ts';
import { type Counts, type Reference, countsOf, inRun } from './reference.ts';
import type { Step } from './scenario.ts';
import { valueAt } from './spec-mutations.ts';
import { type Scope, differencesTo } from './stage.ts';
import type { TortureSetup } from './torture-options.ts';
import { ActError, TortureRun } from './torture-run.ts';

/** What an oracle says about a run. */
export interface Verdict {
  readonly oracle: 'converges' | 'counts' | 'rest' | 'rolls back' | 'survives';
  /** One line each. */
  readonly details: readonly string[];
}

/** Runs a plan, and lets the oracles judge it. @returns nothing for a run in which all was well */
export async function judge(
  setup: TortureSetup,
  steps: readonly Step[],
  plan: Plan,
  reference: Reference,
  seed: number,
): Promise<Verdict[]> {
  if (plan.phase === 'fresh') return judgeFresh(setup, plan, reference, seed);
  if (plan.phase === 'spec') return judgeSpec(setup, steps, plan, reference, seed);
  const run = await TortureRun.start(
    setup,
    steps,
    interferenceOf(plan),
    plan.phase === 'order' ? plan.seed : seed,
  );
  return inRun(run, async () => {
    try {
      for (const index of steps.keys()) {
        if (!isComparable(plan, index)) {
          await run.perform(index);
          continue;
        }
        await run.begin(index);
        const found = await differencesTo(run, reference.stages[index]!.state, reference.scope);
        if (found.length > 0)
          return [
            {
              oracle: 'converges',
              details: found.map((line) => `after the object ${steps[index]!.title}: ${line}`),
            },
          ];
      }
    } catch (error) {
      return error instanceof ActError ? [] : [{ oracle: 'survives', details: [String(error)] }];
    }
    const details = moreThan(countsOf(run), reference.counts, comparedCounts(plan));
    return details.length > 0 ? [{ oracle: 'counts', details }] : [];
  });
}

/** An object that is created as it is after some changes ends as one that was changed. */
async function judgeFresh(
  setup: TortureSetup,
  { step }: Plan & { phase: 'fresh' },
  reference: Reference,
  seed: number,
): Promise<Verdict[]> {
  const { state } = reference.stages[step]!;
  const details = await differencesWhenFresh(setup, reference.parents[step]!, state, reference.scope, seed);
  return details.length > 0 ? [{ oracle: 'converges', details }] : [];
}

async function differencesWhenFresh(
  setup: TortureSetup,
  parent: DeepReadonly<UnstructuredObject>,
  expected: ClusterState,
  scope: Scope,
  seed: number,
): Promise<string[]> {
  const { metadata, ...rest } = parent;
  const { status: _, ...content } = rest as { status?: unknown };
  const { name, namespace, labels, annotations } = metadata;
  const kept = { name, namespace, ...(labels && { labels }), ...(annotations && { annotations }) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a copy
  const object = structuredClone({ ...content, metadata: kept }) as UnstructuredObject;
  const created: Step = {
    title: 'is created',
    act: ({ client, parent: kind }) => client.create(kind, object),
  };
  return inRun(await TortureRun.start(setup, [created], {}, seed), async (run) => {
    await run.begin(0);
    return differencesTo(run, expected, scope);
  });
}

/** A change of the spec ends as a fresh creation with it would, and taking it back as if it had never been. */
async function judgeSpec(
  setup: TortureSetup,
  [creation]: readonly Step[],
  { path, value }: Plan & { phase: 'spec' },
  reference: Reference,
  seed: number,
): Promise<Verdict[]> {
  const before = valueAt(reference.parents[0], path) ?? null;
  const pointer = `/${path.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
  const set = (to: unknown) => (run: TortureRun) =>
    run.client.patch(run.parent, run.key, [
      to === null ? { op: 'remove', path: pointer } : { op: 'add', path: pointer, value: to },
    ]);
  const steps: Step[] = [
    creation!,
    { title: 'has another value', act: set(value) },
    { title: 'has its value again', act: set(before) },
  ];
  return inRun(await TortureRun.start(setup, steps, {}, seed), async (run) => {
    await run.perform(0);
    try {
      await run.perform(1);
    } catch (error) {
      // The server refuses what the schema alone allows, or what a webhook does not.
      if (error instanceof ActError) return [];
      return [{ oracle: 'survives', details: [String(error)] }];
    }
    const changed = await run.state(reference.scope);
    const parent = await run.client.getOrThrow(run.parent, run.key);
    await run.begin(2);
    const back = await differencesTo(run, reference.stages[0]!.state, reference.scope);
    if (back.length > 0) return [{ oracle: 'rolls back', details: back }];
    const fresh = await differencesWhenFresh(setup, parent, changed, reference.scope, seed);
    return fresh.length > 0 ? [{ oracle: 'converges', details: fresh }] : [];
  });
}

/** While an operator is blind, or the next step has begun, it is not where the reference was. */
function isComparable(plan: Plan, step: number): boolean {
  return (plan.phase !== 'missed' && plan.phase !== 'interruption') || step > plan.step;
}

type Count = keyof Counts;

/**
 * What an operator must not do more often than in the reference. It may create again what it does not see, or what belongs to an object
 * whose deletion it does not see yet. It may delete more only if there is more to delete.
 */
function comparedCounts({ phase }: Plan): readonly Count[] {
  if (['interruption', 'recreation', 'missed'].includes(phase)) return [];
  return phase === 'stale' ? ['deleted'] : ['deleted', 'created'];
}

function moreThan(counts: Counts, reference: Counts, compared: readonly Count[]): string[] {
  return compared.flatMap((what) =>
    Object.entries(counts[what])
      .filter(([resource, count]) => count > (reference[what][resource] ?? 0))
      .map(
        ([resource, count]) => `${what} ${count} ${resource} instead of ${reference[what][resource] ?? 0}`,
      ),
  );
}
