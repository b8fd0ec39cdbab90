import type { KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { keyText } from '../objects/object-key.ts';
import type { ChildRule } from './child-rule.ts';
import type { Children } from './children.ts';
import type { AnyDesiredChild } from './desired-child.ts';
import type { ObservedChildren } from './observed-children.ts';

/** One desired child with the rule of its kind. */
export interface RuledChild {
  readonly rule: ChildRule;
  readonly desired: AnyDesiredChild;
}

/**
 * Brings the children of an owner to what is desired: applies all, and deletes those of `prunable` that are not among
 * them. One that fails does not stop the others. Children that are there are noted in `observed`.
 * @returns what went wrong, and whether all desired children are there.
 * @throws {UsageError} when a child is desired twice.
 */
export async function realize(
  children: Children,
  owner: DeepReadonly<KubernetesObject>,
  wanted: readonly RuledChild[],
  options: {
    observed: ObservedChildren;
    /** The rules of the kinds of which children may be deleted. */
    rules: readonly ChildRule[];
    /** False for children that are none of the caller's business; all are by default. */
    isPrunable?: (child: DeepReadonly<KubernetesObject>) => boolean;
    labels?: Readonly<Record<string, string>>;
  },
): Promise<{ applied: DeepReadonly<KubernetesObject>[]; errors: unknown[] }> {
  const { observed, rules, isPrunable = () => true, labels } = options;
  const keys = keysOf(owner, wanted);
  const surplus = rules.flatMap(({ kind }) =>
    observed
      .of(kind)
      .filter((child) => isPrunable(child) && !keys.has(idOf(child)))
      .map((child) => ({ kind, child })),
  );
  const applied: DeepReadonly<KubernetesObject>[] = [];
  const errors: unknown[] = [];
  const collect = (error: unknown): number => errors.push(error);
  await Promise.all(
    wanted.map(async ({ rule, desired }) => {
      const child = await children.apply(owner, rule, desired, labels).catch(collect);
      if (typeof child !== 'object') return;
      observed.note(rule.kind, child);
      applied.push(child);
    }),
  );
  // What replaces them comes first: nothing is missing in between.
  await Promise.all(surplus.map(({ kind, child }) => children.remove(kind, child).catch(collect)));
  return { applied, errors };
}

function keysOf(owner: DeepReadonly<KubernetesObject>, wanted: readonly RuledChild[]): Set<string> {
  const keys = new Set<string>();
  for (const { rule, desired } of wanted) {
    const { apiVersion, kind } = rule.kind;
    const { namespace = owner.metadata.namespace, name } = desired.metadata;
    const id = idOf({ apiVersion, kind, metadata: { name, ...(namespace && { namespace }) } });
    if (keys.has(id)) {
      throw new UsageError(`${id} is desired twice`, 'Give each child a name of its own.');
    }
    keys.add(id);
  }
  return keys;
}

function idOf({ apiVersion, kind, metadata }: DeepReadonly<KubernetesObject>): string {
  const { name = '', namespace } = metadata;
  return `${kind} ${keyText({ name, namespace })} of ${apiVersion}`;
}
