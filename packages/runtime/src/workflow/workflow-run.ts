import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { ChildRule } from '../composite/child-rule.ts';
import type { Children } from '../composite/children.ts';
import { throwAll } from '../errors/several-errors.ts';
import { realize } from '../composite/realize.ts';
import type { AnyDesiredChild } from '../composite/desired-child.ts';
import { type ObservedChildren, idOf } from '../composite/observed-children.ts';
import type { ReconcileContext } from '../controller/reconciler.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { Dependent } from './dependent.ts';
import type { Graph } from './graph.ts';
import type { DependentResult, DependentState } from './workflow-result.ts';

/** The label that tells the dependents of a workflow apart. */
const dependentLabel = 'runtime.ots/dependent';

/** One run of a workflow for one primary. */
export class WorkflowRun<P extends KubernetesObject> {
  readonly states: Map<string, DependentResult>;
  readonly #dependents: ReadonlyMap<string, Dependent<P, KubernetesObject>>;
  readonly #children: Children;
  readonly #primary: DeepReadonly<P>;
  readonly #observed: ObservedChildren;
  readonly #context: ReconcileContext;
  readonly #stray: unknown[] = [];

  constructor(
    dependents: ReadonlyMap<string, Dependent<P, KubernetesObject>>,
    children: Children,
    primary: DeepReadonly<P>,
    observed: ObservedChildren,
    context: ReconcileContext,
  ) {
    this.states = new Map([...dependents.keys()].map((name) => [name, { state: 'Waiting' }]));
    this.#dependents = dependents;
    this.#children = children;
    this.#primary = primary;
    this.#observed = observed;
    this.#context = context;
  }

  /** What failed, in the order of the dependents. */
  get errors(): unknown[] {
    const failed = [...this.states.values()].filter(({ state }) => state === 'Failed');
    return [...failed.map(({ error }) => error), ...this.#stray];
  }

  /** The dependents that there shall not be: `when` says so, of them or of one that they depend on. */
  async inactive(graph: Graph): Promise<Set<string>> {
    const inactive = new Set<string>();
    for (const name of graph.order) {
      const isWanted = graph.needsAny(name, inactive) ? false : await this.#isWanted(name);
      if (!isWanted) inactive.add(name);
    }
    return inactive;
  }

  /** True as well when it is not known: then it is `Failed`, and nothing happens to it. */
  async #isWanted(name: string): Promise<boolean> {
    let isWanted = true;
    await this.#attempt(name, async (dependent) => {
      isWanted = !dependent.optional || (await this.#children.isAvailable(dependent.kind));
      if (isWanted) {
        isWanted = await (dependent.when?.(this.#primary, this.#observed, this.#context) ?? true);
      }
      return 'Waiting';
    });
    return isWanted;
  }

  /** Makes the objects of the dependent, and removes those that are too many. True when it is ready. */
  async realize(name: string): Promise<boolean> {
    // It is not known whether it is wanted at all.
    if (this.states.get(name)!.state === 'Failed') return false;
    return this.#attempt(name, async (dependent) => {
      const primary = this.#primary;
      const rule: ChildRule = { kind: dependent.kind, updateStrategy: dependent.updateStrategy };
      const desired = asList(await dependent.desired(primary, this.#observed, this.#context));
      const { applied, errors } = await realize(
        this.#children,
        primary,
        desired.map((each) => ({ rule, desired: each })),
        {
          observed: this.#observed,
          rules: [rule],
          isPrunable: (child) => dependentOf(child) === name,
          labels: { [dependentLabel]: name },
        },
      );
      throwAll(errors);
      if (applied.length < desired.length) return 'NotReady';
      for (const object of applied) {
        if (!(await (dependent.readyWhen?.(object, primary) ?? true))) return 'NotReady';
      }
      return 'Ready';
    });
  }

  /** Deletes the objects of the dependent. True when they are gone. */
  async remove(name: string): Promise<boolean> {
    return this.#attempt(name, async (dependent) => {
      const { kind } = dependent;
      const left = this.#observed.of(kind).filter((child) => dependentOf(child) === name);
      if (left.length > 0) {
        await this.#removeAll(left.map((child) => ({ kind, child })));
        return 'Deleting';
      }
      const isGone = await (dependent.deletedWhen?.(this.#primary, this.#observed, this.#context) ?? true);
      return isGone ? 'Skipped' : 'Deleting';
    });
  }

  /**
   * Deletes what dependents made that an earlier version of the operator had. Only when the others have all they need:
   * a dependent with a new name takes over the objects that it wants first.
   */
  async removeForgotten(): Promise<void> {
    const settled: DependentState[] = ['Ready', 'Skipped'];
    if (![...this.states.values()].every(({ state }) => settled.includes(state))) return;
    const kinds = new Map([...this.#dependents.values()].map(({ kind }) => [idOf(kind), kind]));
    const forgotten = [...kinds.values()].flatMap((kind) =>
      this.#observed
        .of(kind)
        .filter((child) => !this.#dependents.has(dependentOf(child) ?? ''))
        .map((child) => ({ kind, child })),
    );
    await this.#removeAll(forgotten).catch((error: unknown) => this.#stray.push(error));
  }

  async #removeAll(objects: { kind: Kind; child: DeepReadonly<KubernetesObject> }[]): Promise<void> {
    const removals = objects.map(({ kind, child }) => this.#children.remove(kind, child));
    const results = await Promise.allSettled(removals);
    throwAll(results.filter((result) => result.status === 'rejected').map(({ reason }): unknown => reason));
  }

  /** Remembers the state that the work ends with, or why it fails. True when what comes next may go on. */
  async #attempt(
    name: string,
    work: (dependent: Dependent<P, KubernetesObject>) => Promise<DependentState>,
  ): Promise<boolean> {
    try {
      const state = await work(this.#dependents.get(name)!);
      this.states.set(name, { state });
      return state === 'Ready' || state === 'Skipped';
    } catch (error) {
      this.states.set(name, { state: 'Failed', error });
      return false;
    }
  }
}

function asList(desired: unknown): AnyDesiredChild[] {
  if (desired === undefined) return [];
  return (Array.isArray(desired) ? desired : [desired]) as AnyDesiredChild[];
}

function dependentOf({ metadata }: DeepReadonly<KubernetesObject>): string | undefined {
  return metadata.labels?.[dependentLabel];
}
