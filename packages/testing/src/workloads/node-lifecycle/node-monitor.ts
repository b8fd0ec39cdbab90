import { Node, type NodeCondition } from 'ots-kubernetes/core/v1';
import type { Client, DeepReadonly, Result } from 'ots-runtime';
import type { EventSink } from '../event-sink.ts';
import type { CachedNode } from '../nodes/cached-node.ts';
import { readiness } from '../nodes/node-state.ts';
import { attemptAll } from '../pods/attempt-all.ts';
import { podsOnNode } from '../pods/on-node.ts';
import { timeText } from '../time-text.ts';
import type { WorkloadContext } from '../workload-context.ts';
import { markPodsNotReady } from './mark-pods-not-ready.ts';
import type { NodeHealth } from './node-health.ts';
import { type NodeTaints, hasTaint, notReady, unreachable } from './node-taints.ts';
import { Zones } from './zones.ts';

/** What a lost kubelet would report, in the order in which it is written. */
const monitored = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** Finds lost nodes, says so in their conditions and those of their pods, and taints them so their pods are evicted. */
export class NodeMonitor {
  readonly #context: WorkloadContext;
  readonly #client: Client;
  readonly #events: EventSink;
  readonly #taints: NodeTaints;
  readonly #health: NodeHealth;
  readonly #zones: Zones;
  /** The uids of the nodes that were announced, by their names. */
  readonly #known: Map<string, string>;
  /** Nodes whose pods are still to be marked. */
  readonly #unmarked = new Set<string>();

  constructor(
    context: WorkloadContext,
    {
      client,
      events,
      taints,
      health,
    }: { client: Client; events: EventSink; taints: NodeTaints; health: NodeHealth },
  ) {
    this.#context = context;
    this.#client = client;
    this.#events = events;
    this.#taints = taints;
    this.#health = health;
    this.#zones = new Zones(context.clock);
    const known = context.recall<ReadonlyMap<string, string>>('node monitor', () => new Map(this.#known));
    this.#known = new Map(known);
  }

  /** Looks at all nodes. @returns when to look again if nothing changes before */
  async check(): Promise<Result> {
    await this.#announce();
    await attemptAll(this.#nodes(), (node) => this.#checkNode(node));
    await this.#adapt();
    await this.#taintNext();
    const now = this.#context.clock.epoch();
    const deadlines = this.#nodes()
      .filter((node) => readiness(node) !== 'Unknown')
      .map((node) => this.#health.deadline(node));
    const next = Math.min(...deadlines, ...[...this.#zones].map(({ nextAt }) => nextAt));
    return next === Infinity ? {} : { requeueAfter: Math.max(1, next - now) };
  }

  #nodes(): CachedNode[] {
    const nodes = this.#context.manager.cache.list(Node);
    return nodes.toSorted((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1));
  }

  async #announce(): Promise<void> {
    const nodes = this.#nodes();
    for (const node of nodes) {
      const { name = '', uid = '' } = node.metadata;
      if (this.#known.has(name)) continue;
      this.#known.set(name, uid);
      this.#record(name, uid, 'RegisteredNode', `event: Registered Node ${name} in Controller`);
      await this.#reachable(node);
    }
    const names = new Set(nodes.map(({ metadata }) => metadata.name));
    for (const [name, uid] of this.#known) {
      if (names.has(name)) continue;
      this.#known.delete(name);
      this.#health.forget(name);
      for (const zone of this.#zones) zone.remove(name);
      this.#record(name, uid, 'RemovingNode', `event: Removing Node ${name} from Controller`);
    }
  }

  #record(name: string, uid: string, reason: string, text: string): void {
    const about = { apiVersion: 'v1', kind: 'Node', metadata: { name, uid } };
    this.#events.record(about, 'Normal', reason, `Node ${name} ${text}`);
  }

  async #checkNode(observed: CachedNode): Promise<void> {
    const { name = '', uid = '' } = observed.metadata;
    const node = await this.#update(observed);
    await this.#taint(node);
    if (readiness(node) !== 'True' && readiness(observed) === 'True') {
      this.#record(name, uid, 'NodeNotReady', 'status is now: NodeNotReady');
      this.#unmarked.add(name);
    }
    if (!this.#unmarked.has(name)) return;
    if (readiness(node) !== 'True') {
      const pods = podsOnNode(this.#context.manager.cache, name);
      await markPodsNotReady(pods, { client: this.#client, events: this.#events, now: this.#now() });
    }
    this.#unmarked.delete(name);
  }

  #now(): string {
    return timeText(this.#context.clock.epoch());
  }

  /** Writes what is unknown about a node whose kubelet is silent. */
  async #update(node: CachedNode): Promise<CachedNode> {
    if (this.#context.clock.epoch() < this.#health.deadline(node) || readiness(node) === 'Unknown')
      return node;
    const conditions = [...(node.status?.conditions ?? [])];
    for (const type of monitored) {
      const index = conditions.findIndex((condition) => condition.type === type);
      if (index === -1) conditions.push(this.#neverReported(node, type));
      else conditions[index] = this.#unknown(conditions[index]!);
    }
    return this.#client.status.update(Node, { ...node, status: { ...node.status, conditions } });
  }

  #neverReported({ metadata }: CachedNode, type: string): NodeCondition {
    return {
      type,
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
      ...(metadata.creationTimestamp && { lastHeartbeatTime: metadata.creationTimestamp }),
      lastTransitionTime: this.#now(),
    };
  }

  #unknown(condition: DeepReadonly<NodeCondition>): DeepReadonly<NodeCondition> {
    if (condition.status === 'Unknown') return condition;
    return {
      ...condition,
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
      lastTransitionTime: this.#now(),
    };
  }

  /** Queues a lost node to be tainted; a node that is tainted for the other reason already does not wait. */
  async #taint(node: CachedNode): Promise<void> {
    const status = readiness(node);
    if (status === undefined) return;
    if (status === 'True') {
      await this.#reachable(node);
      return;
    }
    const [taint, other] = taintsOf(status);
    if (hasTaint(node, other)) await this.#taints.swap(node, [taint], [other]);
    else this.#zones.of(node).add(node.metadata.name!, hasTaint(node, taint));
  }

  async #reachable(node: CachedNode): Promise<void> {
    const reached = await this.#taints.remove(node, [unreachable]);
    await this.#taints.remove(reached, [notReady]);
    this.#zones.of(node).remove(node.metadata.name!);
  }

  /** Adapts the rate of evictions to how many nodes are lost. */
  async #adapt(): Promise<void> {
    const nodes = this.#nodes();
    const disruption = this.#zones.update(nodes);
    if (disruption === 'begins') await attemptAll(nodes, (node) => this.#reachable(node));
    if (disruption === 'ends') this.#health.reset();
  }

  async #taintNext(): Promise<void> {
    for (const zone of this.#zones) {
      for (let name = zone.next(); name !== undefined; name = zone.next()) {
        const node = this.#context.manager.cache.get(Node, { name });
        const status = node && readiness(node);
        if (node && status !== undefined && status !== 'True') {
          const [taint, other] = taintsOf(status);
          // As in Kubernetes, no new pod comes when the first one goes.
          await this.#taints.swap(await this.#taints.adapt(node), [taint], [other]);
        }
        zone.done(name);
      }
    }
  }
}

/** The taint of a node that is not ready, and the one that it replaces. */
function taintsOf(status: string): [taint: typeof notReady, other: typeof notReady] {
  return status === 'Unknown' ? [unreachable, notReady] : [notReady, unreachable];
}
