import { Node, type Taint } from 'ots-kubernetes/core/v1';
import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Client, DeepReadonly } from 'ots-runtime';
import type { CachedNode } from '../nodes/cached-node.ts';
import { timeText } from '../time-text.ts';

/** What makes two taints the same one. */
export type TaintKey = Pick<Taint, 'key' | 'effect'>;

const prefix = 'node.kubernetes.io';

/** Evict the pods of a node that is not ready, or that cannot be reached. */
export const notReady: TaintKey = { key: `${prefix}/not-ready`, effect: 'NoExecute' };
export const unreachable: TaintKey = { key: `${prefix}/unreachable`, effect: 'NoExecute' };

/** The taint of each status of each condition. */
const taintOfCondition: Readonly<Record<string, string>> = {
  'Ready False': 'not-ready',
  'Ready Unknown': 'unreachable',
  'MemoryPressure True': 'memory-pressure',
  'DiskPressure True': 'disk-pressure',
  'NetworkUnavailable True': 'network-unavailable',
  'PIDPressure True': 'pid-pressure',
};
const unschedulable = 'unschedulable';
const keys = new Set([...Object.values(taintOfCondition), unschedulable].map((name) => `${prefix}/${name}`));

/** The taints that keep new pods from a node because of its conditions, or because `kubectl cordon` excluded it. */
function conditionTaints({ spec, status }: CachedNode): TaintKey[] {
  const names = (status?.conditions ?? []).flatMap(
    (condition) => taintOfCondition[`${condition.type} ${condition.status}`] ?? [],
  );
  if (spec?.unschedulable) names.push(unschedulable);
  return names.map((name) => ({ key: `${prefix}/${name}`, effect: 'NoSchedule' }));
}

/** The taints of this kind that a node has. */
function ownConditionTaints({ spec }: CachedNode): TaintKey[] {
  return (spec?.taints ?? []).filter(({ key, effect }) => effect === 'NoSchedule' && keys.has(key));
}

function isSameTaint(a: TaintKey, b: TaintKey): boolean {
  return a.key === b.key && a.effect === b.effect;
}

export function hasTaint({ spec }: CachedNode, taint: TaintKey): boolean {
  return (spec?.taints ?? []).some((own) => isSameTaint(own, taint));
}

/** Writes the taints of nodes. */
export class NodeTaints {
  readonly #client: Client;
  readonly #clock: Clock;

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Makes the taints that keep new pods away equal to the conditions. @returns and throws as {@link swap} */
  async adapt(node: CachedNode): Promise<CachedNode> {
    const wanted = conditionTaints(node);
    const own = ownConditionTaints(node);
    const added = wanted.filter((taint) => !own.some((each) => isSameTaint(taint, each)));
    const removed = own.filter((taint) => !wanted.some((each) => isSameTaint(taint, each)));
    return this.swap(node, added, removed);
  }

  /**
   * Adds taints, and then removes others: no pod slips in between.
   *
   * @returns the node as it is then
   * @throws {ApiError} a conflict if another client has changed the node
   */
  async swap(
    node: CachedNode,
    added: readonly TaintKey[],
    removed: readonly TaintKey[],
  ): Promise<CachedNode> {
    return this.remove(await this.#add(node, added), removed);
  }

  /** Removes taints that a node has. @throws as {@link swap} */
  async remove(node: CachedNode, removed: readonly TaintKey[]): Promise<CachedNode> {
    const taints = node.spec?.taints ?? [];
    const kept = taints.filter((own) => !removed.some((taint) => isSameTaint(own, taint)));
    return kept.length === taints.length ? node : this.#write(node, kept);
  }

  async #add(node: CachedNode, added: readonly TaintKey[]): Promise<CachedNode> {
    if (added.length === 0) return node;
    const timeAdded = timeText(this.#clock.epoch());
    const taints: DeepReadonly<Taint>[] = [...(node.spec?.taints ?? [])];
    for (const { key, effect } of added) {
      const index = taints.findIndex((own) => isSameTaint(own, { key, effect }));
      taints.splice(index === -1 ? taints.length : index, 1, { key, effect, timeAdded });
    }
    return this.#write(node, taints);
  }

  #write({ metadata }: CachedNode, taints: readonly DeepReadonly<Taint>[]): Promise<CachedNode> {
    const { name = '', resourceVersion = '' } = metadata;
    const patch = { metadata: { resourceVersion }, spec: { taints: taints.length > 0 ? [...taints] : null } };
    return this.#client.patch(Node, { name }, patch, { type: 'strategic' });
  }
}
