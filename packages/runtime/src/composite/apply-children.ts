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

/**
 * Applies the desired children of an owner. A failure does not stop the others. Records the applied children in
 * `observed`.
 * @returns the children that exist now, and the errors.
 * @throws {UsageError} when a child is desired twice.
 */
export async function applyChildren(
  children: Children,
  owner: DeepReadonly<KubernetesObject>,
  wanted: readonly RuledChild[],
  { observed, labels }: { observed: ObservedChildren; labels?: Readonly<Record<string, string>> },
): Promise<{ applied: DeepReadonly<KubernetesObject>[]; errors: unknown[] }> {
  refuseTwins(owner, wanted);
  const applied: DeepReadonly<KubernetesObject>[] = [];
  const errors: unknown[] = [];
  await Promise.all(
    wanted.map(async ({ rule, desired }) => {
      try {
        const child = await children.apply(owner, rule, desired, labels);
        if (!child) return;
        observed.note(rule.kind, child);
        applied.push(child);
      } catch (error) {
        errors.push(error);
      }
    }),
  );
  return { applied, errors };
}

function refuseTwins(owner: DeepReadonly<KubernetesObject>, wanted: readonly RuledChild[]): void {
  const ids = new Set<string>();
  for (const id of wantedIds(owner, wanted)) {
    if (ids.has(id)) throw new UsageError(`${id} is desired twice`, 'Give each child its own name.');
    ids.add(id);
  }
}
