import type { KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ChildRule } from './composite-options.ts';
import type { Children } from './children.ts';
import type { AnyDesiredChild } from './desired-child.ts';
import type { ObservedChildren } from './observed-children.ts';
import { wantedIds } from './surplus-children.ts';

/** One desired child with the rule of its kind. */
export interface RuledChild {
  readonly rule: ChildRule;
  readonly desired: AnyDesiredChild;
}

/** What became of a desired child. */
export type ChildOutcome<R extends RuledChild = RuledChild> = { readonly wanted: R } & (
  | {
      /** The current child; undefined while an old object with its name is being deleted. */
      readonly child: DeepReadonly<KubernetesObject> | undefined;
    }
  | { readonly error: unknown }
);

/**
 * Applies the desired children of an owner. A failure does not stop the others. Records the applied children in
 * `observed`.
 * @returns the outcomes, in the order of the children.
 * @throws {UsageError} when a child is desired twice.
 */
export async function applyChildren<R extends RuledChild>(
  children: Children,
  owner: DeepReadonly<KubernetesObject>,
  all: readonly R[],
  { observed, labels }: { observed: ObservedChildren; labels?: Readonly<Record<string, string>> },
): Promise<ChildOutcome<R>[]> {
  refuseTwins(owner, all);
  return Promise.all(
    all.map(async (wanted): Promise<ChildOutcome<R>> => {
      try {
        const child = await children.apply(owner, wanted.rule, wanted.desired, labels);
        if (child) observed.note(wanted.rule.kind, child);
        return { wanted, child };
      } catch (error) {
        return { wanted, error };
      }
    }),
  );
}

/** What the children threw that failed. */
export function errorsOf(outcomes: readonly ChildOutcome[]): unknown[] {
  return outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []));
}

function refuseTwins(owner: DeepReadonly<KubernetesObject>, wanted: readonly RuledChild[]): void {
  const ids = new Set<string>();
  for (const id of wantedIds(owner, wanted)) {
    if (ids.has(id)) throw new UsageError(`${id} is desired twice`, 'Give each child its own name.');
    ids.add(id);
  }
}
