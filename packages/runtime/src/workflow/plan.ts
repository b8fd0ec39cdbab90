import type { KubernetesObject } from 'ots-kubernetes';
import { throwAll } from '../errors/multiple-failures-error.ts';
import type { ReconcileContext, Result } from '../controller/reconciler.ts';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { errorMessage } from '../errors/error-message.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { Graph } from './graph.ts';
import { PlanProgress } from './plan-progress.ts';
import type { PlanStatus } from './plan-status.ts';
import type { PlanStage, PlanStep } from './step.ts';

/** Where a plan resumes, and where it stores its progress. */
export interface PlanRunOptions {
  /** The progress that `save` received; undefined at the beginning. */
  readonly status: DeepReadonly<PlanStatus> | undefined;
  /** Saves the progress in the status of the object. Awaited after each step, before the steps that need it start. */
  readonly save: (status: PlanStatus) => unknown;
  /**
   * The revision to run for, such as a version to upgrade to; the `metadata.generation` of the object by default.
   */
  readonly revision?: string | undefined;
}

/** The progress of a plan. A reconciler can return it. */
export interface PlanResult extends Result {
  /** The status that was saved last. */
  readonly status: PlanStatus;
  /** True when every step is done. */
  readonly isComplete: boolean;
}

/**
 * Steps to perform once, in order, for each revision of an object: an upgrade, a backup, a bootstrap.
 * ```ts
 * const upgrade = new Plan<MyApp>([
 *   step('backup', backUp),
 *   parallel(step('migrate', migrate), step('warm-up', warmUp)),
 *   step('switch', switchOver),
 * ]);
 * return upgrade.run(app, context, {
 *   status: app.status?.upgrade,
 *   revision: app.spec.version,
 *   save: async (status) => {
 *     const save = (draft: MyApp) => void (draft.status = { ...draft.status, upgrade: status });
 *     app = await client.status.patch(MyApp, app, save, { optimisticLock: true });
 *   },
 * });
 * ```
 * With the lock, the progress of an object does not become that of another one that was made in the meantime under its name.
 * A run performs the steps that can run now, and returns. The next run, which may be in another process, resumes from
 * the saved status with the incomplete steps. Failed steps run again, with the delays of the controller.
 */
export class Plan<P extends KubernetesObject> {
  readonly #steps = new Map<string, PlanStep<P>>();
  readonly #graph: Graph;

  /**
   * @param stages run one after another.
   * @throws {UsageError} when two steps of a phase have the same name.
   */
  constructor(stages: readonly PlanStage<P>[]) {
    const needs = new Map<string, readonly string[]>();
    this.#add({ serial: stages }, '', [], needs);
    this.#graph = new Graph(needs);
  }

  /**
   * Runs the steps that can run now. A failed step stops only the steps after it.
   * @returns the status, and when to run again: a reconciler can return it.
   * @throws the error of `save`; the error of a step, or {MultipleFailuresError} for several, after saving the status.
   */
  async run(
    object: DeepReadonly<P>,
    context: ReconcileContext,
    { status, save, revision = String(object.metadata.generation ?? '') }: PlanRunOptions,
  ): Promise<PlanResult> {
    const progress = new PlanProgress(this.#graph.order, revision, status, save);
    const errors: unknown[] = [];
    let requeueAfter: number | undefined;
    await this.#graph.run(async (name) => {
      if (progress.isComplete(name)) return true;
      if (context.signal.aborted) return false;
      try {
        const result = await this.#steps.get(name)!.run(object, context);
        if (result) {
          progress.set({ name, state: 'Running' });
          const wait = toMilliseconds(result.requeueAfter ?? 0);
          if (wait > 0) requeueAfter = Math.min(requeueAfter ?? Infinity, wait);
          return false;
        }
      } catch (error) {
        progress.set({ name, state: 'Failed', message: errorMessage(error) });
        errors.push(error);
        return false;
      }
      progress.set({ name, state: 'Complete' });
      await progress.save();
      return true;
    });
    await progress.save();
    context.signal.throwIfAborted();
    throwAll(errors);
    const { current } = progress;
    return { status: current, isComplete: current.phase === 'Complete', requeueAfter };
  }

  /**
   * Adds the steps of a stage that comes after `before`. Returns the steps that the next stage must wait for.
   * @param prefix of the names: the phases that the stage is in.
   */
  #add(
    stage: PlanStage<P>,
    prefix: string,
    before: readonly string[],
    needs: Map<string, readonly string[]>,
  ): readonly string[] {
    if ('phase' in stage) return this.#add(stage.stage, `${prefix}${stage.phase}/`, before, needs);
    if ('serial' in stage) {
      return stage.serial.reduce((last, each) => this.#add(each, prefix, last, needs), before);
    }
    if ('parallel' in stage) {
      const ends = stage.parallel.flatMap((each) => this.#add(each, prefix, before, needs));
      return stage.parallel.length > 0 ? ends : before;
    }
    const name = `${prefix}${stage.name}`;
    if (needs.has(name)) {
      throw new UsageError(`Two steps of the plan are named ${name}`, 'Rename one of them.');
    }
    needs.set(name, before);
    this.#steps.set(name, stage);
    return [name];
  }
}
