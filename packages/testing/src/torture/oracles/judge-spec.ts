import { isDeepStrictEqual } from 'node:util';
import type { JsonPatchOperation } from 'ots-runtime';
import type { Plan } from '../plans/plan.ts';
import { type Mutation, valueAt } from '../plans/spec-mutations.ts';
import { inRun } from '../reference/reference.ts';
import { withoutNewImages } from '../run/interference.ts';
import type { Step } from '../run/scenario.ts';
import { ActError } from '../run/act-error.ts';
import type { TortureRun } from '../run/torture-run.ts';
import { differencesOnAnyWay, differencesWhenFresh, freshly } from './judge-fresh.ts';
import type { Trial } from './judge.ts';
import { type Search, expectedAfter, startAt, stateOf } from './search.ts';
import { verdictOf, verdictOfError } from './verdict.ts';
import { isVisible } from './visible-effect.ts';

/** A change of the spec ends as a fresh creation with it would, and taking it back as if it had never been. */
export async function judgeSpec(
  search: Search,
  plan: Plan & { phase: 'spec' | 'spec-pair' },
  explains: boolean,
): Promise<Trial> {
  const { setup, reference, steps } = search;
  const mutations = plan.phase === 'spec' ? [plan] : plan.changes;
  const before = mutations.map(({ path }) => ({
    path,
    value: valueAt(reference.stages[0]!.parent, path) ?? null,
  }));
  const fields = mutations.map(({ path }) => path.join('.')).join(' and ');
  const values = mutations.map(({ path, value }) => `${path.join('.')} set to ${JSON.stringify(value)}`);
  const changes: Step[] = [
    steps[0]!,
    { title: `has ${values.join(' and ')}`, act: setting(mutations) },
    { title: `has ${fields} as before`, act: setting(before) },
  ];
  // A bad value, such as the name of an object that does not exist, only has to be taken back.
  const mayBeBad = mutations.some(({ isGuess }) => isGuess);
  const options = {
    steps: changes,
    explains,
    ...(mayBeBad && setup.environment?.workloads && { interference: withoutNewImages(1) }),
  };
  return inRun(await startAt(search, 1, plan, options), async (run) => {
    try {
      await run.perform(1);
    } catch (error) {
      // The server refuses what the schema alone allows, or what a webhook does not.
      return { run, verdicts: verdictOfError(error) };
    }
    // So is one that makes the operator write what the server refuses.
    const isBad = mayBeBad || run.invalidWrites > 0;
    const changed = stateOf(run, reference);
    const parent = await run.client.getOrThrow(run.parent, run.key);
    // A default may have filled in the value that was removed.
    const hasChanged = !isDeepStrictEqual(parent['spec'], reference.stages[0]!.parent?.['spec']);
    const field = plan.phase === 'spec' &&
      hasChanged && {
        path: fields,
        isVisible: run.invalidWrites > 0 || isVisible(run, expectedAfter(0, reference), changed),
      };
    const back = await differencesBack(search, run);
    const trial = { run, ...(field && { field }) };
    if (back.length > 0) return { ...trial, verdicts: verdictOf('rolls back', back) };
    if (isBad) return { ...trial, verdicts: [] };
    const details = await freshly(search, plan, parent, explains, (fresh) =>
      differencesWhenFresh(search, fresh, changed),
    );
    return { ...trial, verdicts: verdictOf('converges', details) };
  });
}

/** Takes the value back. @returns what then differs from before; nothing if the server refuses to take it back */
async function differencesBack(search: Search, run: TortureRun): Promise<string[]> {
  try {
    await run.begin(2);
  } catch (error) {
    if (error instanceof ActError) return [];
    throw error;
  }
  return differencesOnAnyWay(search, run, expectedAfter(0, search.reference));
}

/** @param mutations whose value is null for a field to remove */
function setting(mutations: readonly Mutation[]): (run: TortureRun) => Promise<unknown> {
  const patch = mutations.map(({ path, value }): JsonPatchOperation => {
    const pointer = `/${path.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
    return value === null ? { op: 'remove', path: pointer } : { op: 'add', path: pointer, value };
  });
  return (run) => run.client.patch(run.parent, run.key, patch);
}
