import type { Kind } from 'ots-kubernetes';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import type { UnstructuredObject } from 'ots-runtime';
import type { ClusterState } from '../../convergence/cluster-state.ts';
import { TestEnvironmentError } from '../../errors/test-environment-error.ts';
import { ownVerdicts } from '../oracles/own-oracles.ts';
import type { Verdict } from '../oracles/verdict.ts';
import type { FieldSchema } from '../plans/spec-mutations.ts';
import { type Mask, maskOf, masked } from '../run/mask.ts';
import type { Step } from '../run/scenario.ts';
import { type Scope, scopeOf } from '../run/scope.ts';
import type { PlacedWrite } from '../run/placed-write.ts';
import { type RunOptions, TortureRun } from '../run/torture-run.ts';
import type { TortureSetup } from '../torture-options.ts';
import { DifferentTracesError, fingerprintOf, firstDifference } from './same-trace.ts';
import { type Stage, observeStage } from './stage.ts';

/** What an operator makes of a cluster when nothing interferes. */
export interface Reference {
  /** The kind of the object. */
  readonly kind: Kind<UnstructuredObject>;
  readonly scope: Scope;
  /** What chance decides. */
  readonly mask: Mask;
  readonly stages: readonly Stage[];
  /** What must be in the cluster after each step, without what chance decides. */
  readonly expected: readonly ClusterState[];
  readonly writes: readonly PlacedWrite[];
  readonly watched: readonly string[];
  /** What the operator was not allowed to do, such as `list secrets`. */
  readonly forbidden: readonly string[];
  /** Whether it looks at Events. Else the server does not store those of simulated components: they are half of all writes about a pod. */
  readonly readsEvents: boolean;
  /** Whether it writes nothing when it has done everything. Else the undisturbed run that a report shows has ten minutes more after each step. */
  readonly isAtRest: boolean;
  /** What it wrote in that run, in a few characters. */
  readonly fingerprint: string;
  readonly failedReconciles: readonly string[];
  /** What the oracles of the author say. */
  readonly ownVerdicts: readonly Verdict[];
  /** Of the spec of the object. Undefined for built-in kinds. */
  readonly schema: FieldSchema | undefined;
}

/**
 * Goes through a scenario four times: to learn where to look, and whether the operator comes to rest; to look; to check that the same seed
 * gives the same writes; and with other chance, to learn which fields it decides.
 *
 * @throws {TestEnvironmentError} when the operator writes nothing
 * @throws {DifferentTracesError} when two runs with the same seed differ
 */
export async function runReference(
  setup: TortureSetup,
  steps: readonly Step[],
  seed: number,
): Promise<Reference> {
  // Not compared: what code loads on first use takes real time, and meanwhile other things arrive.
  const resting = await observe(setup, steps, { seed, rests: true });
  const { scope, readsEvents: storesEvents, forbidden, failedReconciles } = resting;
  const first = await observe(setup, steps, { seed, storesEvents }, scope);
  const again = await observe(setup, steps, { seed, storesEvents }, scope);
  const difference = firstDifference(first.run.environment.trace, again.run.environment.trace);
  if (difference !== undefined) throw new DifferentTracesError(difference);
  const other = await observe(setup, steps, { seed: seed + 1, order: seed, storesEvents }, scope);
  const masks = first.stages.map(({ state }, index) => maskOf(state, other.stages[index]!.state));
  const mask = masks.flat();
  const expected = first.stages.map(({ state }) => masked(state, mask));
  const stages = first.stages.map((stage, index) => ({
    ...stage,
    writesAtRest: resting.stages[index]!.writesAtRest,
  }));
  const isAtRest = stages.every(({ writesAtRest }) => writesAtRest.length === 0);
  const shown = isAtRest ? first : await observe(setup, steps, { seed, storesEvents, rests: true }, scope);
  const fingerprint = fingerprintOf(shown.run.environment.trace);
  return { ...first, stages, forbidden, failedReconciles, mask, expected, isAtRest, fingerprint };
}

type Observed = Omit<Reference, 'mask' | 'expected' | 'isAtRest' | 'fingerprint'> & {
  readonly run: TortureRun;
};

/**
 * Goes through a scenario, and looks at the end of each step.
 *
 * @param options.rests whether the operator gets ten minutes at rest after each step. Default false.
 */
export async function observe(
  setup: TortureSetup,
  steps: readonly Step[],
  { rests = false, ...options }: RunOptions & { readonly rests?: boolean },
  known?: Scope,
): Promise<Observed> {
  return inRun(await TortureRun.start(setup, steps, options), async (run) => {
    const stages: Stage[] = [];
    const scope = (): Scope => known ?? scopeOf(run, (step) => stages[step]?.parent !== undefined);
    for (const index of steps.keys())
      stages.push(
        await observeStage(run, index, {
          scope: scope(),
          children: setup.repairsEdits ?? false,
          rest: rests,
        }),
      );
    if (run.writes.length === 0)
      throw new TestEnvironmentError(
        'The operator wrote nothing',
        'Check that identity is the one of its connection, and that start adds its controllers.',
      );
    return {
      kind: run.parent,
      scope: scope(),
      stages,
      writes: run.writes,
      watched: [...run.watched].toSorted(),
      forbidden: [...run.forbidden].toSorted(),
      readsEvents: run.readsEvents,
      failedReconciles: run.failedReconciles,
      ownVerdicts: await ownVerdicts(setup, steps, run),
      schema: await schemaOf(run),
      run,
    };
  });
}

/** Works with a run and ends it. */
export async function inRun<T>(run: TortureRun, work: (run: TortureRun) => Promise<T>): Promise<T> {
  try {
    return await work(run);
  } finally {
    await run.stop();
  }
}

async function schemaOf({ client, parent }: TortureRun): Promise<FieldSchema | undefined> {
  const [group, version] = parent.apiVersion.split('/');
  const definition = await client.get(CustomResourceDefinition, { name: `${parent.plural}.${group}` });
  const found = definition?.spec.versions.find(({ name }) => name === version);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server accepted it as a schema
  return found?.schema?.openAPIV3Schema?.properties?.['spec'] as FieldSchema | undefined;
}
