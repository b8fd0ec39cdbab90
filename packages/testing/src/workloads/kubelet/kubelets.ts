import { setMaxListeners } from 'node:events';
import type { KubernetesObject } from 'ots-kubernetes';
import { ConfigMap, Node, Pod, Secret } from 'ots-kubernetes/core/v1';
import { Channel, ControllerBuilder, type DeepReadonly, type Request, type Result, keyOf } from 'ots-runtime';
import type { Images } from '../images/application.ts';
import { applicationFinder } from '../images/image-patterns.ts';
import { type NodeContext, kubeletUser } from '../nodes/node-context.ts';
import { type Carry, ClusterNetwork } from '../network/cluster-network.ts';
import { nodeAddress } from '../nodes/node-object.ts';
import { indexByNode, podsOnNode } from '../pods/on-node.ts';
import { type CachedPod, isPodTerminal } from '../pods/pod-state.ts';
import { retryRefusals } from '../retry-refusals.ts';
import type { VolumeKind } from './configuration/volumes.ts';
import type { Kubelet } from './kubelet.ts';
import { KubeletStreams } from './kubelet-streams.ts';
import { type AddressMemory, PodAddresses } from './pod-addresses.ts';
import { PodAdmission } from './pod-admission.ts';
import { type PodMemory, PodWorker } from './pod-worker.ts';
import { type DataMemory, VolumeData } from '../volumes/volume-data.ts';

/** Applications of tests may take their time: those of other pods do not wait for them. */
const maxConcurrentReconciles = 16;

/** What kubelets know beside the objects of their cluster. */
interface KubeletMemory {
  /** By the uids of the pods. */
  readonly pods: ReadonlyMap<string, PodMemory>;
  readonly addresses: AddressMemory;
  /** The images of each node, by its name. */
  readonly images: ReadonlyMap<string, readonly string[]>;
  readonly volumeData: DataMemory;
}

/** The kubelets of all simulated nodes. */
export class Kubelets {
  readonly #context: NodeContext;
  readonly #kubelets: ReadonlyMap<string, Kubelet>;
  /** Connects clients to the applications of pods. */
  readonly streams = new KubeletStreams(
    ({ spec }) => this.#isReachable(spec?.nodeName ?? ''),
    (pod) => this.#running(pod),
  );
  /** What applications and operators reach. */
  readonly network: ClusterNetwork;
  readonly #workers = new Map<string, PodWorker>();
  readonly #addresses: PodAddresses;
  readonly #volumeData: VolumeData;
  /** The pods that the kubelets of another cluster ran, until these take them over. */
  #remembered: ReadonlyMap<string, PodMemory>;
  readonly #stopping = new AbortController();
  /** Pods with something to do although nothing has changed on the server. */
  readonly #awake = new Channel({ name: 'containers' });

  /**
   * @param carry sends HTTP requests to applications; default at once
   * @throws {TestEnvironmentError} when an application is neither an object nor a function
   */
  constructor(context: NodeContext, images: Images, carry?: Carry) {
    this.#context = context;
    // Every probe and hook listens while it waits.
    setMaxListeners(0, this.#stopping.signal);
    const memory = context.recall<KubeletMemory>('kubelets', () => this.#memory);
    this.#addresses = new PodAddresses(memory?.addresses);
    this.#volumeData = new VolumeData(context.manager.cache, memory?.volumeData);
    this.#remembered = memory?.pods ?? new Map();
    this.network = new ClusterNetwork({
      cache: context.manager.cache,
      random: context.random,
      carry,
      podsAt: (address) => this.#podsAt(address),
    });
    const shared = {
      network: this.network,
      failures: context.failures,
      clock: context.clock,
      signal: this.#stopping.signal,
      reader: context.reader,
      cache: context.manager.cache,
      addresses: this.#addresses,
      volumeData: this.#volumeData,
      applicationOf: applicationFinder(images),
    };
    this.#kubelets = new Map(
      [...context.nodes.values()].map(({ name, index, capacity }) => {
        const client = context.clientAs(kubeletUser(name));
        const events = context.eventsAs(kubeletUser(name), { component: 'kubelet', host: name });
        const node = { hostIP: nodeAddress(index), capacity, images: new Set(memory?.images.get(name)) };
        return [name, { ...shared, ...node, client, events, admission: new PodAdmission() }];
      }),
    );
  }

  get #memory(): KubeletMemory {
    return {
      pods: new Map([
        ...this.#remembered,
        ...[...this.#workers.values()].map(({ uid, memory }) => [uid, memory] as const),
      ]),
      addresses: this.#addresses.memory,
      images: new Map([...this.#kubelets].map(([name, { images }]) => [name, [...images]])),
      volumeData: this.#volumeData.memory,
    };
  }

  /** Ends their waits, because the cluster stops. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Adds them to the manager. */
  add(): void {
    const { manager, clock, nodeStates, failures } = this.#context;
    indexByNode(manager.cache);
    failures.onChange(() => this.#wakeAll());
    nodeStates.onChange((node) => {
      for (const pod of podsOnNode(manager.cache, node)) this.#awake.push(keyOf(pod));
    });
    const isHere = ({ spec }: CachedPod) => this.#kubelets.has(spec?.nodeName ?? '');
    new ControllerBuilder(manager)
      .named('kubelet')
      .for(Pod, {
        predicates: [
          { create: isHere, update: (_old, pod) => isHere(pod) && !this.#knows(pod), delete: isHere },
        ],
      })
      .watchesSource(this.#awake)
      .watchesMetadata(ConfigMap, (object) => this.#noteChange('ConfigMap', object))
      .watchesMetadata(Secret, (object) => this.#noteChange('Secret', object))
      .withOptions({ maxConcurrentReconciles })
      .complete(retryRefusals({ reconcile: (request) => this.#sync(request) }, clock));
  }

  /** Whether an event shows nothing but what the kubelet itself has written. */
  #knows(pod: CachedPod): boolean {
    return this.#running(pod)?.isInSync(pod) ?? false;
  }

  async #sync(request: Request): Promise<Result | undefined> {
    const { manager, clock, nodeStates } = this.#context;
    this.#resume();
    const pod = manager.cache.get(Pod, request);
    const kubelet = pod && this.#kubelets.get(pod.spec?.nodeName ?? '');
    // Its pods stay as they are, and their containers run on.
    if (kubelet && !nodeStates.isRunning(pod.spec!.nodeName!)) return undefined;
    const worker = this.#workerOf(request, pod, kubelet);
    if (!pod || !worker) return undefined;
    const due = await worker.sync(pod);
    if (due === undefined) return undefined;
    const requeueAfter = due - clock.epoch();
    if (requeueAfter > 0) return { requeueAfter };
    this.#awake.push(request);
    return undefined;
  }

  /** Continues what the kubelets of another cluster ran, before the first new pod comes. */
  #resume(): void {
    const remembered = this.#remembered;
    if (remembered.size === 0) return;
    for (const pod of this.#context.manager.cache.list(Pod)) {
      const kubelet = this.#kubelets.get(pod.spec?.nodeName ?? '');
      if (kubelet && remembered.has(pod.metadata.uid!)) this.#workerOf(keyOf(pod), pod, kubelet);
    }
    this.#remembered = new Map();
  }

  /** Whether what runs on a node can be reached: a machine that has failed does not answer. */
  #isReachable(node: string): boolean {
    return this.#kubelets.has(node) && this.#context.nodeStates.isRunning(node);
  }

  #podsAt(address: string): readonly PodWorker[] {
    return [...this.#workers.values()].filter(
      (worker) => worker.address === address && this.#isReachable(worker.node),
    );
  }

  #running({ metadata: { name, namespace, uid } }: CachedPod): PodWorker | undefined {
    const worker = this.#workers.get(`${namespace}/${name}`);
    return worker?.uid === uid ? worker : undefined;
  }

  /** Workers whose pods mount the object ask for their turn themselves. */
  #noteChange(kind: VolumeKind, { metadata }: DeepReadonly<KubernetesObject>): readonly Request[] {
    for (const worker of this.#workers.values()) worker.noteChange(kind, metadata);
    return [];
  }

  #wakeAll(): void {
    for (const worker of this.#workers.values()) worker.wake();
  }

  /** The worker of a pod; that of an earlier pod with its name ends. */
  #workerOf(
    request: Request,
    pod: CachedPod | undefined,
    kubelet: Kubelet | undefined,
  ): PodWorker | undefined {
    const key = `${request.namespace}/${request.name}`;
    const known = this.#workers.get(key);
    if (known && known.uid === pod?.metadata.uid) return known;
    known?.remove();
    this.#workers.delete(key);
    if (!pod || !kubelet) return undefined;
    const memory = this.#remembered.get(pod.metadata.uid!);
    const worker = new PodWorker(pod, kubelet, () => this.#awake.push(keyOf(pod)), memory);
    const node = this.#context.manager.cache.get(Node, { name: pod.spec!.nodeName! });
    const refusal = node && !isPodTerminal(pod) ? kubelet.admission.admit(pod, node) : undefined;
    if (refusal) worker.reject(refusal);
    this.#workers.set(key, worker);
    return worker;
  }
}
