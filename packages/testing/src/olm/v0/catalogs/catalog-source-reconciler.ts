import { isDeepStrictEqual } from 'node:util';
import { Pod } from 'ots-kubernetes/core/v1';
import { type DeepReadonly, type Reconciler, type Request, type Result, toMilliseconds } from 'ots-runtime';
import { ContentError } from '../../content/documents.ts';
import { CatalogSource, type CatalogSourceStatus } from '../kinds.ts';
import { thawed } from '../../thawed.ts';
import type { V0Context } from '../v0-context.ts';
import { podBehind } from './pod-behind.ts';
import { catalogLabel, catalogPort, ensureRegistry, serviceNameOf } from './registry-objects.ts';
import { servedCatalog } from './served-catalog.ts';

/** How long OLM tries to connect before it says that it failed. */
const connectMs = 1000;

/** Serves the image of a CatalogSource, connects to the catalog, and says in the status whether that succeeded. */
export class CatalogSourceReconciler implements Reconciler {
  readonly #context: V0Context;
  /** What was read, by the UIDs of pods: a catalog is read when its pod starts. */
  readonly #read = new Map<string, { at: number; error?: ContentError }>();
  /** The pods behind the connections, and since when OLM tries to connect, by the UIDs of CatalogSources. */
  readonly #served = new Map<string, string>();
  readonly #tried = new Map<string, { address: string; at: number }>();
  /** The images that are known not to exist. */
  readonly #missing = new Set<string>();

  constructor(context: V0Context) {
    this.#context = context;
  }

  async reconcile({ name, namespace = '' }: Request): Promise<Result | void> {
    const { cache, connections } = this.#context;
    const source = cache.get(CatalogSource, { name, namespace });
    if (!source) return connections.set({ name, namespace }, undefined);
    const problem = problemOf(source);
    if (problem !== undefined) return this.#write(source, { reason: 'SpecInvalidError', message: problem });
    const address = source.spec.address ?? (await this.#serve(source));
    const state = await this.#connect(source, address);
    await this.#write(source, this.#statusOf(source, address, state));
    if (state === 'CONNECTING') return { requeueAfter: connectMs };
    const interval = source.spec.updateStrategy?.registryPoll?.interval;
    return interval === undefined ? undefined : { requeueAfter: toMilliseconds(interval) };
  }

  /** @returns the address of the Service */
  async #serve(source: DeepReadonly<CatalogSource>): Promise<string> {
    const { cache, client, images, failures } = this.#context;
    const { name, namespace } = source.metadata;
    const image = source.spec.image!;
    if (!images.has(image) && !this.#missing.has(image)) {
      this.#missing.add(image);
      failures.add({ image }, { imagePull: 'not found' });
    }
    const pods = cache.list(Pod, { namespace, labelSelector: { matchLabels: { [catalogLabel]: name! } } });
    await ensureRegistry(client, source, pods);
    return `${serviceNameOf(source)}.${namespace}.svc:${catalogPort}`;
  }

  /** @returns the state of the connection, in the words of gRPC */
  async #connect(source: DeepReadonly<CatalogSource>, address: string): Promise<string> {
    const { cache, connections, clock } = this.#context;
    const { name = '', namespace = '', uid = '' } = source.metadata;
    const pod = podBehind(cache, address);
    if (pod && (await this.#load(source, pod))) {
      this.#tried.delete(uid);
      return 'READY';
    }
    connections.set({ name, namespace }, undefined);
    const tried = this.#tried.get(uid);
    if (tried?.address === address)
      return clock.now() - tried.at < connectMs ? 'CONNECTING' : 'TRANSIENT_FAILURE';
    this.#tried.set(uid, { address, at: clock.now() });
    return 'CONNECTING';
  }

  /** @returns whether the pod serves a catalog */
  async #load(source: DeepReadonly<CatalogSource>, pod: DeepReadonly<Pod>): Promise<boolean> {
    const { connections, images, live, clock, failures } = this.#context;
    const key = { name: source.metadata.name!, namespace: source.metadata.namespace! };
    const uid = pod.metadata.uid!;
    const interval = source.spec.updateStrategy?.registryPoll?.interval;
    const maxAge = interval === undefined ? Infinity : toMilliseconds(interval);
    const before = this.#read.get(uid);
    if (before?.error) return false;
    const isServed = this.#served.get(source.metadata.uid!) === uid && connections.get(key) !== undefined;
    if (before && isServed && clock.now() - before.at < maxAge) return true;
    try {
      connections.set(key, await servedCatalog(pod, images, live));
      this.#served.set(source.metadata.uid!, uid);
      this.#read.set(uid, { at: clock.now() });
      return true;
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      // What serves catalogs exits when it cannot read one.
      this.#read.set(uid, { at: clock.now(), error });
      failures.add({ name: pod.metadata.name!, namespace: key.namespace }, { crashAfter: 0 });
      return false;
    }
  }

  #statusOf(source: DeepReadonly<CatalogSource>, address: string, state: string): CatalogSourceStatus {
    const { now } = this.#context;
    const before = source.status;
    const service = {
      serviceName: serviceNameOf(source),
      serviceNamespace: source.metadata.namespace!,
      port: `${catalogPort}`,
    };
    const registryService = before?.registryService ?? {
      createdAt: now(),
      protocol: 'grpc',
      ...(source.spec.address === undefined && service),
    };
    const connection = before?.connectionState;
    const isSame = connection?.address === address && connection.lastObservedState === state;
    return {
      registryService,
      connectionState: isSame ? connection : { address, lastObservedState: state, lastConnect: now() },
    };
  }

  async #write(source: DeepReadonly<CatalogSource>, status: CatalogSourceStatus): Promise<void> {
    if (isDeepStrictEqual(source.status, status)) return;
    await this.#context.client.status.update(CatalogSource, { ...thawed(source), status });
  }
}

/** What is wrong with a spec, in the words of OLM. */
function problemOf({
  spec: { sourceType, image, address, configMap },
}: DeepReadonly<CatalogSource>): string | undefined {
  if (sourceType === 'internal' || sourceType === 'configmap')
    return configMap === undefined
      ? `configmap name unset: must be set for sourcetype: ${sourceType}`
      : `sourcetype ${sourceType} is not simulated: use grpc`;
  if (sourceType !== 'grpc') return `unknown sourcetype: ${sourceType}`;
  return image || address
    ? undefined
    : 'image and address unset: at least one must be set for sourcetype: grpc';
}
