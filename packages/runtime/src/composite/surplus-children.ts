import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { keyText } from '../objects/object-key.ts';
import type { RuledChild } from './apply-children.ts';
import type { ObservedChildren } from './observed-children.ts';

/** A child and its kind. */
export interface KindedChild {
  readonly kind: Kind;
  readonly child: DeepReadonly<KubernetesObject>;
}

/** Returns the observed children of these kinds that are not wanted. */
export function surplusChildren(
  owner: DeepReadonly<KubernetesObject>,
  wanted: readonly RuledChild[],
  observed: ObservedChildren,
  kinds: readonly Kind[],
): KindedChild[] {
  const ids = new Set(wantedIds(owner, wanted));
  return kinds.flatMap((kind) =>
    observed
      .of(kind)
      .filter((child) => !ids.has(textOf(child)))
      .map((child) => ({ kind, child })),
  );
}

/** Returns the identities of the desired children, in their order. */
export function wantedIds(
  owner: DeepReadonly<KubernetesObject>,
  wanted: readonly RuledChild[],
): readonly string[] {
  return wanted.map(({ rule, desired }) => {
    const { apiVersion, kind, scope } = rule.kind;
    const { namespace = owner.metadata.namespace, name } = desired.metadata;
    // Children of a cluster-scoped kind have no namespace, whatever they declare.
    const metadata = scope === 'Namespaced' && namespace ? { name, namespace } : { name };
    return textOf({ apiVersion, kind, metadata });
  });
}

function textOf({ apiVersion, kind, metadata }: DeepReadonly<KubernetesObject>): string {
  const { name = '', namespace } = metadata;
  return `${kind} ${keyText({ name, namespace })} of ${apiVersion}`;
}
