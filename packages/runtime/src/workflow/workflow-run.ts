import type { KubernetesObject } from 'ots-kubernetes';
import type { ChildRule } from '../composite/composite-options.ts';
import { type RuledChild, applyChildren, errorsOf } from '../composite/apply-children.ts';
import type { Children } from '../composite/children.ts';
import type { AnyDesiredChild } from '../composite/desired-child.ts';
import { type ObservedChildren, idOf } from '../composite/observed-children.ts';
import { type KindedChild, surplusChildren } from '../composite/surplus-children.ts';
import type { ReconcileContext } from '../controller/reconciler.ts';
import { MultipleFailuresError, throwAll } from '../errors/multiple-failures-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { Dependent } from './dependent.ts';
import type { Graph } from './graph.ts';
import type { DependentResult, DependentState } from './workflow-result.ts';

/** The label that identifies the dependents of a workflow. */
const dependentLabel = 'runtime.ots/dependent';

/** One run of a workflow for one primary. */
export class WorkflowRun<P extends KubernetesObject> {
  readonly states: Map<string, DependentResult>;
  readonly #dependents: ReadonlyMap<string, Dependent<P, KubernetesObject>>;
  readonly #children: Children;
  readonly #primary: DeepReadonly<P>;
  readonly #observed: ObservedChildren;
  readonly #context: ReconcileContext;
  /** The desired objects of the dependents, as far as they are known. */
  readonly #wanted = new Map<string, readonly RuledChild[]>();
  readonly #stray: unknown[] = [];
  #hasForgotten = false;

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

  /** The errors, in the order of the dependents. */
  get errors(): unknown[] {
    const failed = [...this.states.values()].filter(({ state }) => state === 'Failed');
    return [...failed.map(({ error }) => error), ...this.#stray];
  }

  /** True when objects of dependents exist that only an earlier version of the operator had. */
  get hasForgotten(): boolean {
    return this.#hasForgotten;
  }

  /** Returns the dependents that should not exist, because of their `when` or that of one that they depend on. */
  async inactive(graph: Graph): Promise<Set<string>> {
    const inactive = new Set<string>();
    for (const name of graph.order) {
      const isWanted = graph.needsAny(name, inactive) ? false : await this.#isWanted(name);
      if (!isWanted) inactive.add(name);
    }
    return inactive;
  }

  /** Also returns true if `when` fails: then the dependent is `Failed` and does not change. */
  async #isWanted(name: string): Promise<boolean> {
    let isWanted = true;
    await this.#attempt(name, async (dependent) => {
      isWanted = !dependent.optional || this.#children.isAvailable(dependent.kind);
      if (isWanted) {
        isWanted = await (dependent.when?.(this.#primary, this.#observed, this.#context) ?? true);
      }
      return 'Waiting';
    });
    return isWanted;
  }

  /** Applies the objects of the dependent. Returns true when it is ready. */
  async realize(name: string): Promise<boolean> {
    // Its `when` failed: it may not be wanted at all.
    if (this.states.get(name)!.state === 'Failed') return false;
    return this.#attempt(name, async (dependent) => {
      const primary = this.#primary;
      const { kind, updateStrategy, onImmutable } = dependent;
      const rule: ChildRule = { kind, updateStrategy, onImmutable };
      const desired = asList(await dependent.desired(primary, this.#observed, this.#context));
      const wanted = desired.map((each) => ({ rule, desired: each }));
      const outcomes = await applyChildren(this.#children, primary, wanted, {
        observed: this.#observed,
        labels: { [dependentLabel]: name },
      });
      this.#wanted.set(name, wanted);
      throwAll(errorsOf(outcomes));
      for (const outcome of outcomes) {
        const object = 'child' in outcome ? outcome.child : undefined;
        if (!object || !(await (dependent.readyWhen?.(object, primary) ?? true))) return 'NotReady';
      }
      return 'Ready';
    });
  }

  /** Deletes the objects of the dependent. Returns true when they are gone. */
  async remove(name: string): Promise<boolean> {
    return this.#attempt(name, async (dependent) => {
      const { kind } = dependent;
      const left = this.#observed.of(kind).filter((child) => dependentOf(child) === name);
      if (left.length > 0) {
        throwAll(await this.#children.removeAll(left.map((child) => ({ kind, child }))));
        return 'Deleting';
      }
      const isGone = await (dependent.deletedWhen?.(this.#primary, this.#observed, this.#context) ?? true);
      return isGone ? 'Skipped' : 'Deleting';
    });
  }

  /**
   * Deletes objects that dependents created and no longer desire. This runs after all dependents, because one may have
   * taken over the objects of another.
   */
  async prune(): Promise<void> {
    const surplus = this.#surplus();
    const removals = [...this.#wanted.keys()].map(async (name) => {
      const own = surplus.filter(({ child }) => dependentOf(child) === name);
      const errors = await this.#children.removeAll(own);
      if (errors.length === 0) return;
      const [error] = errors.length > 1 ? [new MultipleFailuresError(errors)] : errors;
      if (this.states.get(name)!.state === 'Failed') this.#stray.push(error);
      else this.states.set(name, { state: 'Failed', error });
    });
    await Promise.all(removals);
  }

  /**
   * Deletes objects of dependents that only an earlier version of the operator had. Called only when the current
   * dependents are complete: a renamed dependent first takes over the objects that it wants.
   */
  async removeForgotten(): Promise<void> {
    const settled: DependentState[] = ['Ready', 'Skipped'];
    if (![...this.states.values()].every(({ state }) => settled.includes(state))) return;
    const forgotten = this.#surplus().filter(({ child }) => !this.#dependents.has(dependentOf(child) ?? ''));
    this.#hasForgotten = forgotten.length > 0;
    this.#stray.push(...(await this.#children.removeAll(forgotten)));
  }

  /** Returns the objects of dependents with a known desired state that no dependent desires. */
  #surplus(): KindedChild[] {
    const kinds = new Map([...this.#dependents.values()].map(({ kind }) => [idOf(kind), kind]));
    const wanted = [...this.#wanted.values()].flat();
    return surplusChildren(this.#primary, wanted, this.#observed, [...kinds.values()]);
  }

  /** Records the state that the work returns, or its error. Returns true when the next dependents may continue. */
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
