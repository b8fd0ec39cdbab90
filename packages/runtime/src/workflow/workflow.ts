import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { Children, type ChildrenSource } from '../composite/children.ts';
import { throwAll } from '../errors/multiple-failures-error.ts';
import { idOf } from '../composite/observed-children.ts';
import type { ReconcileContext } from '../controller/reconciler.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { Dependent, Dependents } from './dependent.ts';
import { Graph } from './graph.ts';
import { WorkflowRun } from './workflow-run.ts';
import { type DependentResult, type WorkflowResult, workflowResult } from './workflow-result.ts';

/** The parts of a workflow. */
export interface WorkflowOptions<P extends KubernetesObject, Kinds extends Record<string, KubernetesObject>> {
  /** The name in labels and managed fields; the kind of the primary in lower case by default. */
  readonly name?: string | undefined;
  /** The kind of the objects that own the dependents. */
  readonly primary: Kind<P>;
  /** The dependents by name. Labels and results use these names. */
  readonly dependents: Dependents<P, Kinds>;
}

/** Receives the result of a workflow, also after a failure. Write the status here. */
export type WorkflowReport<Name extends string> = (result: WorkflowResult<Name>) => unknown;

/** Names must be label values. */
const namePattern = /^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/;

/**
 * Objects that belong to a primary object, with their dependencies: created in that order as they become ready, and
 * deleted in the reverse order. For use in a reconciler:
 * ```ts
 * const workflow = new Workflow(manager, {
 *   primary: MyApp,
 *   dependents: {
 *     config: { kind: ConfigMap, desired: (app) => configFor(app) },
 *     database: {
 *       kind: StatefulSet,
 *       when: (app) => app.spec.database !== undefined,
 *       desired: (app) => databaseFor(app),
 *       readyWhen: (set) => set.status?.readyReplicas === set.spec?.replicas,
 *     },
 *     app: { kind: Deployment, dependsOn: ['config', 'database'], desired: (app) => deploymentFor(app) },
 *   },
 * });
 * const builder = new ControllerBuilder(manager).for(MyApp);
 * for (const kind of workflow.kinds) builder.owns(kind);
 * builder.complete(async (request, context) => {
 *   const app = await manager.client.get(MyApp, request);
 *   if (app) await workflow.reconcile(app, context, (result) => report(app, result));
 * });
 * ```
 * A run does what is possible now and returns. Changes of the dependents, which the controller owns, trigger the next.
 * Dependents are written by server-side apply; the primary is their controller. They carry two labels:
 * `runtime.ots/controller` and `runtime.ots/dependent`. Objects of other owners are not changed (`AlreadyOwnedError`).
 */
export class Workflow<P extends KubernetesObject, Kinds extends Record<string, KubernetesObject>> {
  /** The kinds of the dependents, each once. The controller must own them. */
  readonly kinds: readonly Kind[];
  readonly #children: Children;
  readonly #graph: Graph;
  readonly #reversed: Graph;
  readonly #dependents: ReadonlyMap<string, Dependent<P, KubernetesObject>>;

  /**
   * @param source a manager.
   * @throws {UsageError} if the dependencies form a cycle or name a dependent that does not exist, or a name cannot be
   *   a label.
   */
  constructor(source: ChildrenSource, { name, primary, dependents }: WorkflowOptions<P, Kinds>) {
    const entries = Object.entries(dependents) as unknown as [string, Dependent<P, KubernetesObject>][];
    this.#dependents = new Map(entries);
    const bad = entries.find(([each]) => !namePattern.test(each))?.[0];
    if (bad !== undefined) {
      throw new UsageError(
        `${JSON.stringify(bad)} cannot name a dependent: the name becomes a label value`,
        'Use at most 63 letters, digits, dashes, dots and underscores.',
      );
    }
    this.#graph = new Graph(new Map(entries.map(([each, { dependsOn = [] }]) => [each, dependsOn])));
    this.#reversed = this.#graph.reversed();
    this.kinds = [...new Map(entries.map(([, { kind }]) => [idOf(kind), kind])).values()];
    for (const [, { kind, optional }] of entries) if (optional) source.cache.add(kind, { optional });
    this.#children = new Children(source, {
      name: name ?? primary.kind.toLowerCase(),
      owner: primary,
      kinds: this.kinds,
    });
  }

  /**
   * Applies the dependents of the primary as far as possible now. A failed dependent stops only those that depend on it.
   * Creates nothing for a primary that is being deleted: see `cleanup`.
   * @param report is called with the result, and awaited, before an error is thrown.
   * @throws the error of a dependent; {MultipleFailuresError} for several.
   */
  async reconcile(
    primary: DeepReadonly<P>,
    context: ReconcileContext,
    report?: WorkflowReport<Extract<keyof Kinds, string>>,
  ): Promise<WorkflowResult<Extract<keyof Kinds, string>>> {
    const run = await this.#run(primary, context);
    // The garbage collector would have to delete any new objects.
    if (primary.metadata.deletionTimestamp) return this.#finish(run, context, report);
    const inactive = await run.inactive(this.#graph);
    await this.#reversed.run(async (name) => !inactive.has(name) || run.remove(name));
    await this.#graph.run(async (name) => !inactive.has(name) && run.realize(name));
    await run.prune();
    await run.removeForgotten();
    return this.#finish(run, context, report);
  }

  /**
   * Deletes all dependents, each after those that depend on it are gone. For a primary that is being deleted and has a
   * finalizer: remove the finalizer when the result `isGone`. Without a finalizer, the garbage collector deletes the
   * dependents in no particular order.
   * @param report as in `reconcile`.
   * @throws as `reconcile` does.
   */
  async cleanup(
    primary: DeepReadonly<P>,
    context: ReconcileContext,
    report?: WorkflowReport<Extract<keyof Kinds, string>>,
  ): Promise<WorkflowResult<Extract<keyof Kinds, string>>> {
    const run = await this.#run(primary, context);
    await this.#reversed.run((name) => run.remove(name));
    await run.removeForgotten();
    return this.#finish(run, context, report);
  }

  async #run(primary: DeepReadonly<P>, context: ReconcileContext): Promise<WorkflowRun<P>> {
    const observed = await this.#children.observe(primary);
    return new WorkflowRun(this.#dependents, this.#children, primary, observed, context);
  }

  async #finish<Name extends string>(
    run: WorkflowRun<P>,
    context: ReconcileContext,
    report: WorkflowReport<Name> | undefined,
  ): Promise<WorkflowResult<Name>> {
    // If the reconcile was aborted, the interrupted work did not fail.
    context.signal.throwIfAborted();
    const states = run.states as unknown as ReadonlyMap<Name, DependentResult>;
    const result = workflowResult<Name>(states, run.hasForgotten);
    const errors = [...run.errors];
    try {
      await report?.(result);
    } catch (error) {
      errors.push(error);
    }
    throwAll(errors);
    return result;
  }
}
