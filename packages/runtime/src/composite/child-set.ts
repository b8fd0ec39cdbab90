import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { throwAll } from '../errors/multiple-failures-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { type RuledChild, applyChildren, errorsOf } from './apply-children.ts';
import { type ChildrenResult, type ReadyRule, childrenResult } from './children-result.ts';
import { Children, type ChildrenSource } from './children.ts';
import type { ChildRule } from './composite-options.ts';
import type { AnyDesiredChild, DesiredChild } from './desired-child.ts';
import { type ObservedChildren, idOf } from './observed-children.ts';
import { surplusChildren } from './surplus-children.ts';

/** A kind of children, how to change them, and when one is ready. */
export interface ChildSetRule<T extends KubernetesObject = KubernetesObject>
  extends ChildRule<T>, ReadyRule<T> {}

/** The children that a reconciler keeps for an owner. */
export interface ChildSetOptions<P extends KubernetesObject, Kinds extends readonly KubernetesObject[]> {
  /** The name in labels and managed fields, the same in every version; the kind of the owner in lower case by default. */
  readonly name?: string | undefined;
  /** The kind of the objects that own the children. */
  readonly owner: Kind<P>;
  /**
   * All kinds of children. A kind that an earlier version of the operator made stays here, or its objects are not found and not
   * deleted.
   */
  readonly kinds: { readonly [Index in keyof Kinds]: Kind<Kinds[Index]> | ChildSetRule<Kinds[Index]> };
}

/** Receives the result, also after a failure. Write the status here. */
export type ChildrenReport = (result: ChildrenResult) => unknown;

/**
 * The children of an owner by their desired state, for a reconciler: what `compositeController` does with the result of
 * its function.
 * ```ts
 * const children = new ChildSet(manager, { owner: MyApp, kinds: [Deployment, Service] });
 * for (const kind of children.kinds) builder.owns(kind);
 * // in reconcile:
 * await children.apply(app, [deploymentFor(app), serviceFor(app)], (result) => report(app, result));
 * ```
 * Children are written by server-side apply; the owner is their controller. They carry the label
 * `runtime.ots/controller`. Objects of other owners are not changed (`AlreadyOwnedError`).
 */
export class ChildSet<P extends KubernetesObject, const Kinds extends readonly KubernetesObject[]> {
  /** The kinds of the children, each once. The controller must own them. */
  readonly kinds: readonly Kind[];
  readonly #name: string;
  readonly #rules: ReadonlyMap<string, ChildSetRule>;
  readonly #children: Children;

  /**
   * @param source a manager.
   * @throws {UsageError} if the name cannot be a label, or the owner cannot own such a kind.
   */
  constructor(source: ChildrenSource, { name, owner, kinds }: ChildSetOptions<P, Kinds>) {
    const rules = (kinds as readonly (Kind | ChildSetRule)[]).map((each): ChildSetRule =>
      'plural' in each ? { kind: each } : each,
    );
    this.#rules = new Map(rules.map((rule) => [idOf(rule.kind), rule]));
    this.kinds = [...this.#rules.values()].map(({ kind }) => kind);
    this.#name = name ?? owner.kind.toLowerCase();
    this.#children = new Children(source, { name: this.#name, owner, kinds: this.kinds });
  }

  /** Returns the children of the owner that are in the cache. */
  observe(owner: DeepReadonly<P>): Promise<ObservedChildren> {
    return this.#children.observe(owner);
  }

  /**
   * Applies the desired children, and deletes those that are no longer desired, also those that an earlier version of
   * the operator has made. A child that fails does not stop the others. Does what is possible now and returns: changes of the
   * children, which the controller owns, trigger the next reconcile.
   * @param desired all children, by `desiredChild`.
   * @param report is called with the result, and awaited, before an error is thrown.
   * @throws the error of a child; {MultipleFailuresError} for several. {UsageError} if a kind is not among `kinds`, or a
   *   child is desired twice.
   */
  async apply(
    owner: DeepReadonly<P>,
    desired: readonly DesiredChild<Kinds[number]>[],
    report?: ChildrenReport,
  ): Promise<ChildrenResult> {
    const { result, errors } = await this.realize(owner, desired, await this.observe(owner));
    try {
      await report?.(result);
    } catch (error) {
      errors.push(error);
    }
    throwAll(errors);
    return result;
  }

  /**
   * As `apply`, with children that were observed before.
   * @internal
   */
  async realize(
    owner: DeepReadonly<P>,
    desired: readonly AnyDesiredChild[],
    observed: ObservedChildren,
  ): Promise<{ result: ChildrenResult; errors: unknown[] }> {
    const wanted = desired.map((each): RuledChild & { rule: ChildSetRule } => ({
      rule: this.#ruleOf(each as Pick<Kind, 'apiVersion' | 'kind'>),
      desired: each,
    }));
    const outcomes = await applyChildren(this.#children, owner, wanted, { observed });
    // After the others, so nothing is missing in between. A child that failed does not keep them: they may be why, as with a full quota.
    const surplus = surplusChildren(owner, wanted, observed, this.kinds);
    const removals = await this.#children.removeAll(surplus);
    const errors = [...errorsOf(outcomes), ...removals];
    return { result: childrenResult(outcomes, surplus, observed), errors };
  }

  #ruleOf({ apiVersion, kind }: Pick<Kind, 'apiVersion' | 'kind'>): ChildSetRule {
    const rule = this.#rules.get(idOf({ apiVersion, kind }));
    if (rule) return rule;
    throw new UsageError(
      `${kind} of ${apiVersion} is not among the children of ${this.#name}`,
      'List every kind of children in the options: they are watched from the start.',
    );
  }
}
