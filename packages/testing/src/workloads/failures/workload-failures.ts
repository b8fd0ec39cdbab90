import { matchesLabels, toMilliseconds } from 'ots-runtime';
import { imageMatcher } from '../images/image-patterns.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import type { CachedClaim } from '../volumes/claim.ts';
import {
  type ClaimFailure,
  type FailingClaims,
  type FailingPods,
  type FailureKind,
  type PodFailure,
  checkFailure,
} from './failure.ts';

/** A failure that was added. */
export interface AddedFailure extends Disposable {
  /** Ends the failure. What has failed because of it recovers as in a cluster. A second call does nothing. */
  remove(): void;
}

type Failing = CachedPod | CachedClaim;

/** Where a container runs. */
interface Place {
  readonly node: string | undefined;
  /** Its image; undefined for all containers of a pod. */
  readonly image?: string;
}

/** A failure as a test has added it. */
export interface AddedFailureMemory {
  readonly selection: FailingPods;
  readonly failure: PodFailure | ClaimFailure;
  /** In milliseconds since 1970. */
  readonly addedAt: number;
}

interface ActiveFailure extends AddedFailureMemory {
  readonly selects: (object: Failing, place: Place | undefined) => boolean;
}

/** Makes pods on simulated nodes fail, and the claims that the simulated provisioner serves. */
export class WorkloadFailures {
  readonly #now: () => number;
  readonly #active = new Set<ActiveFailure>();
  readonly #listeners: (() => void)[] = [];

  /**
   * @internal
   * @param now the time of the cluster in milliseconds since 1970
   * @param memory the failures of another cluster. Default: none.
   */
  constructor(now: () => number, memory: readonly AddedFailureMemory[] = []) {
    this.#now = now;
    for (const added of memory) this.#active.add({ ...added, selects: selectorOf(added.selection) });
  }

  /** @internal */
  get memory(): readonly AddedFailureMemory[] {
    return [...this.#active].map(({ selection, failure, addedAt }) => ({ selection, failure, addedAt }));
  }

  /**
   * Adds a failure. If several of one kind select a container, the first one decides.
   *
   * ```ts
   * using failure = environment.failures.add({ labels: 'app=web' }, { crashAfter: '5s' });
   * ```
   *
   * @returns the failure, which ends with `remove()`, or at the end of a block with `using`
   * @throws {TestEnvironmentError} for what is not a failure; {UsageError} (of ots-runtime) for what is not a duration;
   *   {SelectorError} (of ots-runtime) for what is not a label selector
   */
  add(pods: FailingPods, failure: PodFailure): AddedFailure;
  /**
   * Adds a failure of claims. If several select a claim, the first one decides. After it ends, the provisioner tries again within the
   * delay that it has reached: from 1 second to 5 minutes.
   *
   * ```ts
   * using failure = environment.failures.add({ name: 'data-db-0' }, { provisioning: 'the pool is full' });
   * ```
   *
   * @returns the failure, which ends with `remove()`, or at the end of a block with `using`
   * @throws {TestEnvironmentError} for what is not a failure, and for a node or an image; {SelectorError} (of ots-runtime) for what is
   *   not a label selector
   */
  add(claims: FailingClaims, failure: ClaimFailure): AddedFailure;
  add(selection: FailingPods, failure: PodFailure | ClaimFailure): AddedFailure {
    checkFailure(selection, failure);
    const active = { selection, selects: selectorOf(selection), failure, addedAt: this.#now() };
    const remove = () => {
      if (this.#active.delete(active)) this.#notify();
    };
    this.#active.add(active);
    this.#notify();
    return { remove, [Symbol.dispose]: remove };
  }

  /** Ends all failures, also those that came with a snapshot. */
  clear(): void {
    this.#active.clear();
    this.#notify();
  }

  /** @internal Calls a function when a failure begins or ends. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** @internal What the registry says, if it has no image for a container. */
  pullError(pod: CachedPod, image: string): string | undefined {
    return this.#first('imagePull', pod, placeOf(pod, image))?.failure.imagePull;
  }

  /** @internal When a container crashes that started at a time, and how. */
  crash(
    pod: CachedPod,
    image: string,
    startedAt: number,
  ): { at: number; exitCode: number; reason?: string } | undefined {
    const found = this.#first('crashAfter', pod, placeOf(pod, image));
    if (!found) return undefined;
    const { crashAfter, exitCode = 1, reason } = found.failure;
    const at = Math.max(startedAt, found.addedAt) + toMilliseconds(crashAfter);
    return { at, exitCode, ...(reason !== undefined && { reason }) };
  }

  /** @internal How long an application takes at least to become ready, in milliseconds. */
  slowness(pod: CachedPod, image: string): number {
    const found = this.#first('readyAfter', pod, placeOf(pod, image));
    return toMilliseconds(found?.failure.readyAfter ?? 0);
  }

  /** @internal Why a pod is evicted. */
  eviction(pod: CachedPod): string | undefined {
    return this.#first('evict', pod, placeOf(pod))?.failure.evict;
  }

  /** @internal What the storage says, if it has no volume for a claim. */
  provisioningError(claim: CachedClaim): string | undefined {
    return this.#first('provisioning', claim)?.failure.provisioning;
  }

  #first<Kind extends FailureKind>(
    kind: Kind,
    object: Failing,
    place?: Place,
  ): { failure: Extract<PodFailure | ClaimFailure, Record<Kind, unknown>>; addedAt: number } | undefined {
    for (const { failure, selects, addedAt } of this.#active) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the field tells the kinds apart
      if (kind in failure && selects(object, place)) return { failure: failure as never, addedAt };
    }
    return undefined;
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function placeOf({ spec }: CachedPod, image?: string): Place {
  return { node: spec?.nodeName, ...(image !== undefined && { image }) };
}

function selectorOf({ name, namespace, labels, node, image }: FailingPods): ActiveFailure['selects'] {
  const matchesImage = image === undefined ? undefined : imageMatcher(image);
  const matches = labels === undefined ? undefined : matchesLabels(labels);
  return (object, place) =>
    (name === undefined || name === object.metadata.name) &&
    (namespace === undefined || namespace === object.metadata.namespace) &&
    (node === undefined || node === place?.node) &&
    (place?.image === undefined || (matchesImage?.(place.image) ?? true)) &&
    (matches?.create?.(object) ?? true);
}
