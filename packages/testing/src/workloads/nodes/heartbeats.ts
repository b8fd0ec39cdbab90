import { Channel, ControllerBuilder, type Request, type Result, isAlreadyExists } from 'ots-runtime';
import { Lease } from 'ots-kubernetes/coordination/v1';
import { Node } from 'ots-kubernetes/core/v1';
import type { EventSink } from '../event-sink.ts';
import { microTimeText } from '../time-text.ts';
import type { CachedNode } from './cached-node.ts';
import { type NodeContext, kubeletUser } from './node-context.ts';
import { nodeConditions, nodeObject } from './node-object.ts';
import type { SimulatedNode } from './node-options.ts';
import { readiness } from './node-state.ts';

/** How often a kubelet renews the Lease of its node: a quarter of its duration. */
const renewInterval = 10_000;
const leaseDurationSeconds = 40;
/** How often a kubelet writes a status that has not changed. */
const reportInterval = 300_000;
const leaseNamespace = 'kube-node-lease';

interface Heartbeat {
  renewedAt: number;
  reportedAt: number;
}

/** Registers the nodes and shows that their kubelets live, with a Lease and the status of the Node. */
export class Heartbeats {
  readonly #context: NodeContext;
  readonly #beats: Map<string, Heartbeat>;
  readonly #events: ReadonlyMap<string, EventSink>;
  /** Nodes that a test has changed. */
  readonly #changed = new Channel({ name: 'changed nodes' });

  constructor(context: NodeContext) {
    this.#context = context;
    const memory = context.recall<ReadonlyMap<string, Heartbeat>>('heartbeats', () => copyOf(this.#beats));
    this.#beats = copyOf(memory ?? new Map());
    this.#events = new Map(
      [...context.nodes.keys()].map((name) => [
        name,
        context.eventsAs(kubeletUser(name), { component: 'kubelet', host: name }),
      ]),
    );
    context.nodeStates.onChange((name) => this.#reportAtOnce(name));
  }

  /** Creates the Node objects and their Leases, in the order of the nodes, unless they come from another cluster. */
  async register(): Promise<void> {
    for (const node of this.#context.nodes.values())
      if (!this.#beats.has(node.name)) await this.#register(node);
  }

  /** Adds what repeats the heartbeats to the manager. */
  add(): void {
    new ControllerBuilder(this.#context.manager)
      .named('kubelet-heartbeat')
      .for(Node)
      .watchesSource(this.#changed)
      .complete((request) => this.#beat(request));
  }

  async #register(node: SimulatedNode): Promise<void> {
    const { clock, manager } = this.#context;
    const { name, labels, taints } = node;
    const client = this.#context.clientAs(kubeletUser(name));
    const registeredAt = clock.epoch();
    await unlessItExists(client.create(Node, nodeObject(node, registeredAt)));
    // The server gives a new node the taint not-ready, and a kubelet may neither remove it nor set all labels.
    const patch = {
      metadata: { labels: { ...labels } },
      spec: { taints: taints.length > 0 ? [...taints] : null },
    };
    const { metadata } = await manager.client.patch(Node, { name }, patch, { type: 'merge' });
    await unlessItExists(
      client.create(Lease, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: {
          name,
          namespace: leaseNamespace,
          ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: metadata.uid! }],
        },
        spec: { holderIdentity: name, leaseDurationSeconds, renewTime: microTimeText(registeredAt) },
      }),
    );
    this.#beats.set(name, { renewedAt: clock.now(), reportedAt: clock.now() });
  }

  #reportAtOnce(name: string): void {
    this.#beats.set(name, { renewedAt: -Infinity, reportedAt: -Infinity });
    this.#changed.push({ name });
  }

  async #beat({ name }: Request): Promise<Result | undefined> {
    const beat = this.#beats.get(name);
    const node = this.#context.manager.cache.get(Node, { name });
    if (!beat || !node || !this.#context.nodeStates.isRunning(name)) return undefined;
    await this.#offer(node);
    const now = this.#context.clock.now();
    if (now - beat.renewedAt >= renewInterval) await this.#renew(name, beat, now);
    if (now - beat.reportedAt >= reportInterval) await this.#report(node, beat, now);
    const next = Math.min(beat.renewedAt + renewInterval, beat.reportedAt + reportInterval);
    return { requeueAfter: Math.max(1, next - now) };
  }

  /** Offers pods what a client has added to the capacity of the node: its extended resources. */
  async #offer({ metadata: { name = '' }, status }: CachedNode): Promise<void> {
    const { capacity = {}, allocatable = {} } = status ?? {};
    const added = Object.entries(capacity).filter(([resource, amount]) => allocatable[resource] !== amount);
    if (added.length === 0) return;
    const client = this.#context.clientAs(kubeletUser(name)).status;
    await client.patch(Node, { name }, { status: { allocatable: Object.fromEntries(added) } });
  }

  async #renew(name: string, beat: Heartbeat, now: number): Promise<void> {
    const renewTime = microTimeText(this.#context.clock.epoch());
    const key = { name, namespace: leaseNamespace };
    const { user, fieldOwner: manager } = kubeletUser(name);
    if (!this.#context.renewLease({ ...key, renewTime, user, manager }))
      await this.#context.clientAs(kubeletUser(name)).patch(Lease, key, { spec: { renewTime } });
    beat.renewedAt = now;
  }

  async #report(node: CachedNode, beat: Heartbeat, now: number): Promise<void> {
    const name = node.metadata.name!;
    const fault = this.#context.nodeStates.faultOf(name);
    const conditions = nodeConditions(this.#context.clock.epoch(), { fault, before: node });
    const { status } = this.#context.clientAs(kubeletUser(name));
    await status.patch(Node, { name }, { status: { conditions } }, { type: 'strategic' });
    beat.reportedAt = now;
    const isReady = fault === undefined;
    if ((readiness(node) === 'True') === isReady) return;
    const reason = isReady ? 'NodeReady' : 'NodeNotReady';
    const about = { apiVersion: 'v1', kind: 'Node', metadata: { name } };
    this.#events.get(name)!.record(about, 'Normal', reason, `Node ${name} status is now: ${reason}`);
  }
}

function copyOf(beats: ReadonlyMap<string, Heartbeat>): Map<string, Heartbeat> {
  return new Map([...beats].map(([name, beat]) => [name, { ...beat }]));
}

/** A server that was there before may know the node. */
async function unlessItExists(creation: Promise<unknown>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
