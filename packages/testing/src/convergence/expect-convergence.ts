import type { KubernetesObject, UnstructuredObject } from 'ots-runtime';
import { TestEnvironmentError } from '../errors/test-environment-error.ts';
import type { ClusterState, Observed } from './cluster-state.ts';
import { ConvergenceError, type NotConverged } from './convergence-error.ts';
import type { ConvergenceOptions, ConvergenceReport } from './convergence-options.ts';
import { ConvergenceRun, type Step } from './convergence-run.ts';
import { type Disturbance, type KnownOperator, disturbancesOf, undisturbed } from './disturbance.ts';
import { editByHand } from './edit-by-hand.ts';
import { describeWrite } from './observed-write.ts';

/** What an undisturbed operator makes of a cluster. */
interface Undisturbed extends KnownOperator {
  readonly writes: readonly string[];
  /** After each step. */
  readonly stages: readonly Stage[];
}

interface Stage {
  readonly state: ClusterState;
  readonly observed: Observed;
}

/**
 * Checks that an operator reaches the same state whatever happens on the way. The object is created, changed and deleted, once without
 * disturbances and then once for each of them, always in a new environment with a virtual clock:
 *
 * - the operator is killed after each of its writes, before it learns of the response, and started again
 * - each write other than a creation is refused once with a conflict
 * - its watches are late by a second: all of them, and those of each resource
 * - the object is deleted after each write, and created again under its name as soon as it is gone
 * - the fields that the operator set in each object that it created are edited by hand, and then the object is deleted by hand
 *
 * After each step the objects of all resources that the operator writes must be as they were without the disturbance, except for UIDs,
 * versions, times, generated names and addresses of Services.
 *
 * ```ts
 * await expectConvergence({
 *   environment: { crds: ['config/crd/bases'], workloads: true },
 *   prepare: (environment) => environment.install('config/rbac', { namespace: 'system' }),
 *   identity: { serviceAccount: 'controller-manager', namespace: 'system' },
 *   start: startOperator,
 *   object: sample,
 *   changes: { 'is scaled': ({ client }) => client.patch(MyApp, key, { spec: { replicas: 3 } }) },
 * });
 * ```
 *
 * @returns what the operator wrote, and what was done to it
 * @throws {ConvergenceError} that lists what was different, and after what
 * @throws {TestEnvironmentError} when `maxWrites` is not positive, the undisturbed operator writes nothing, or the object does not disappear after its deletion
 * @throws what a change, `prepare` or `start` throws without a disturbance
 */
export async function expectConvergence<T extends KubernetesObject>(
  options: ConvergenceOptions<T>,
): Promise<ConvergenceReport> {
  const { maxWrites = Infinity } = options;
  if (!(maxWrites >= 1))
    throw new TestEnvironmentError(`maxWrites is ${maxWrites}`, 'Set it to a positive integer.');
  const steps = stepsOf(options);
  const reference = await runUndisturbed(options, steps);
  const failures: NotConverged[] = [];
  const disturbances: string[] = [];
  for (const disturbance of disturbancesOf(reference, maxWrites)) {
    const disturbed = await runDisturbed(options, steps, disturbance, reference);
    disturbances.push(...disturbed.disturbances);
    if (disturbed.failure) failures.push(disturbed.failure);
  }
  const edits = await runEdited(options, steps, reference);
  failures.push(...edits.filter(({ differences }) => differences.length > 0));
  if (failures.length > 0) throw new ConvergenceError(failures, disturbances.length + edits.length);
  return { writes: reference.writes, disturbances, edits: edits.map(({ title }) => title) };
}

function stepsOf({ object, changes = {} }: ConvergenceOptions): Step[] {
  return [
    {
      title: 'is created',
      act: ({ client, parent, key }) => {
        const created = { ...object, metadata: { ...object.metadata, ...key } };
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object of this kind
        return client.create(parent, created as UnstructuredObject);
      },
    },
    ...Object.entries(changes).map(([title, act]) => ({ title, act })),
    { title: 'is deleted', isDeletion: true, act: ({ client, parent, key }) => client.delete(parent, key) },
  ];
}

/** Works with a run and ends it. */
async function inRun<T>(
  options: ConvergenceOptions,
  disturbance: Disturbance,
  work: (run: ConvergenceRun) => Promise<T>,
): Promise<T> {
  const run = await ConvergenceRun.start(options, disturbance);
  try {
    return await work(run);
  } finally {
    await run.stop();
  }
}

async function runUndisturbed(options: ConvergenceOptions, steps: readonly Step[]): Promise<Undisturbed> {
  return inRun(options, undisturbed, async (run) => {
    const stages: Stage[] = [];
    let maxWrites = 0;
    for (const step of steps) {
      const before = run.writes.length;
      await run.perform(step);
      maxWrites = Math.max(maxWrites, run.writes.length - before);
      const { observed } = run;
      stages.push({ observed, state: await run.state(observed) });
    }
    if (run.writes.length === 0)
      throw new TestEnvironmentError(
        'The operator wrote nothing',
        'Check that identity is the one of its connection, and that start adds its controllers.',
      );
    if (await run.client.get(run.parent, run.key))
      throw new TestEnvironmentError(
        `${run.parent.kind} ${run.key.name} is still there after its deletion`,
        'Check its finalizers, or give the operator more time.',
      );
    return { writes: run.writes.map(describeWrite), watched: run.watched, maxWrites, stages };
  });
}

/** Ends after the first step that fails. */
async function runDisturbed(
  options: ConvergenceOptions,
  steps: readonly Step[],
  disturbance: Disturbance,
  { stages }: Undisturbed,
): Promise<{ disturbances: readonly string[]; failure?: NotConverged }> {
  return inRun(options, disturbance, async (run) => {
    const { disturbances } = run;
    for (const [index, step] of steps.entries()) {
      const differences = await differencesAfter(run, step, stages[index]!);
      if (differences.length === 0) continue;
      const title = `${disturbances.at(-1) ?? 'without a disturbance'}; after the object ${step.title}`;
      return { disturbances, failure: { title, differences } };
    }
    return { disturbances };
  });
}

async function differencesAfter(run: ConvergenceRun, step: Step, stage: Stage): Promise<string[]> {
  try {
    await run.perform(step);
    return await run.differencesTo(stage.state, stage.observed);
  } catch (error) {
    return [String(error)];
  }
}

async function runEdited(
  options: ConvergenceOptions,
  steps: readonly Step[],
  { stages }: Undisturbed,
): Promise<NotConverged[]> {
  return inRun(options, undisturbed, async (run) => {
    for (const step of steps.slice(0, -1)) await run.perform(step);
    return await editByHand(run, stages.at(-2)!, options);
  });
}
