import { userOf } from '../requests/user-of.ts';
import { effectiveWrites } from './effects.ts';
import type { WritePoint } from './plan.ts';
import type { Step } from './scenario.ts';
import type { FieldSchema } from './spec-mutations.ts';
import { type Scope, type Stage, observeStage, scopeOf } from './stage.ts';
import type { TortureSetup } from './torture-options.ts';
import { type PlacedWrite, TortureRun } from './torture-run.ts';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import type { DeepReadonly, UnstructuredObject } from 'ots-runtime';

/** What an operator makes of a cluster when nothing interferes. */
export interface Reference {
  readonly scope: Scope;
  /** At the end of each step. */
  readonly stages: readonly Stage[];
  /** The object at the end of each step; undefined when it is gone. */
  readonly parents: readonly (DeepReadonly<UnstructuredObject> | undefined)[];
  readonly writes: readonly PlacedWrite[];
  /** The writes that changed something. */
  readonly effective: readonly PlacedWrite[];
  readonly watched: readonly string[];
  readonly counts: Counts;
  /** Of the object. Undefined for built-in kinds. */
  readonly schema: FieldSchema | undefined;
}

/** How often an operator created and deleted, by resource. */
export interface Counts {
  readonly created: Readonly<Record<string, number>>;
  readonly deleted: Readonly<Record<string, number>>;
}

/** Goes through a scenario twice: once to learn where to look, and once to look. */
export async function runReference(
  setup: TortureSetup,
  steps: readonly Step[],
  seed: number,
): Promise<Reference> {
  const scope = await inRun(await TortureRun.start(setup, steps, {}, seed), async (run) => {
    for (const index of steps.keys()) await run.perform(index);
    return scopeOf(run);
  });
  return inRun(await TortureRun.start(setup, steps, {}, seed), async (run) => {
    const stages: Stage[] = [];
    const parents: Reference['parents'][number][] = [];
    for (const index of steps.keys()) {
      await run.perform(index);
      parents.push(await run.client.get(run.parent, run.key));
      stages.push(await observeStage(run, scope));
    }
    const user = userOf(setup.identity);
    const changes = new Set(effectiveWrites(run.environment.trace, user));
    const effective = run.writes.filter(({ traced }) => {
      const own = run.environment.trace.slice(traced).find((write) => write.user === user);
      return own !== undefined && changes.has(own);
    });
    const { writes, watched } = run;
    return {
      scope,
      stages,
      parents,
      writes,
      effective,
      watched: [...watched].toSorted(),
      counts: countsOf(run),
      schema: await schemaOf(run),
    };
  });
}

/** Counts what the operator of a run created and deleted. */
export function countsOf(run: TortureRun): Counts {
  const deletions = run.effects.filter(({ verb }) => verb === 'delete' || verb === 'deletecollection');
  return { created: tally(run.created), deleted: tally(deletions.map(({ resource }) => resource)) };
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Works with a run and ends it. */
export async function inRun<T>(run: TortureRun, work: (run: TortureRun) => Promise<T>): Promise<T> {
  try {
    return await work(run);
  } finally {
    await run.stop();
  }
}

/** Whether two places are the same. */
export function isSamePoint(a: WritePoint, b: WritePoint): boolean {
  return a.step === b.step && a.write === b.write;
}

async function schemaOf({ client, parent }: TortureRun): Promise<FieldSchema | undefined> {
  const [group, version] = parent.apiVersion.split('/');
  const definition = await client.get(CustomResourceDefinition, { name: `${parent.plural}.${group}` });
  const found = definition?.spec.versions.find(({ name }) => name === version);
  return found?.schema?.openAPIV3Schema?.properties?.['spec'] as FieldSchema | undefined;
}
