import type { Clock } from 'ots-apimachinery/clock/clock';
import { requestAttributes } from '../authorization/request-attributes.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Reply, StreamingReply } from '../http/reply.ts';
import type { Machinery } from '../registry/machinery.ts';
import { parseResourceVersion, tooLarge } from '../registry/resource-version.ts';
import { StatusError } from '../status/status-error.ts';
import type { FaultEffect, LossEffect, WatchEffect } from './fault-effect.ts';
import { Fault, type FaultSelection, type FaultedRequest } from './fault.ts';
import { LateSink, SilentSink } from './faulty-sinks.ts';
import { injectedAnswer, requestTimeout } from './injected-answer.ts';
import type { OpenWatch } from './open-watch.ts';

/**
 * Handles a request.
 *
 * @param cached the revision of what reads show that accept any state. Undefined for the newest.
 */
type Handle = (cached?: number) => Promise<Reply | StreamingReply>;

/** What etcd says about a watch that it cannot continue. */
const watchTooOld = 'The resourceVersion for the provided watch is too old.';

/** How long in milliseconds kube-apiserver works on a request, and how long a read waits for a revision that its cache lacks. */
const maxRequestMs = 60_000;
const maxCacheWaitMs = 3000;

/** Makes the server fail on demand: where a request is handled, so it does not matter how the request arrived. */
export class Faults {
  readonly #machinery: () => Machinery;
  readonly #clock: Clock;
  /** With the revision of the store when each was added. */
  readonly #faults = new Map<Fault, number>();
  readonly #watches = new Map<OpenWatch, ApiRequest>();
  #added: (fault: Fault) => void = () => {};

  /** @param machinery returns that of the running cluster: a restart replaces it, and faults stay */
  constructor(machinery: () => Machinery, clock: Clock) {
    this.#machinery = machinery;
    this.#clock = clock;
  }

  /** Whether there is a fault. Without one, requests need not ask further. */
  get isActive(): boolean {
    return this.#faults.size > 0;
  }

  /**
   * Adds a fault, after those that exist. A request that several faults select is changed by all of them in this order, up to the
   * first that prevents an answer.
   */
  add(selection: FaultSelection, effect: FaultEffect): Fault {
    const fault = new Fault(selection, effect);
    this.#faults.set(fault, this.#machinery().store.revision);
    fault.hold(() => this.#faults.delete(fault));
    if ('watch' in effect) {
      for (const [watch, request] of this.#watches) this.#affect(fault, effect, watch, request, watchTooOld);
    }
    this.#added(fault);
    return fault;
  }

  /** Calls back for each fault that is added from now on. */
  onAdded(added: (fault: Fault) => void): void {
    this.#added = added;
  }

  /** Whether a fault changes a request. */
  select(request: FaultedRequest): boolean {
    return [...this.#faults.keys()].some((fault) => fault.selects(request));
  }

  /** Removes all faults. */
  clear(): void {
    for (const fault of this.#faults.keys()) fault.remove();
  }

  /**
   * Forgets the history, like etcd when it is compacted: no watch or page of a list continues from before. Watches that are open
   * end with an ERROR event (410).
   */
  compact(): void {
    const { registry, store } = this.#machinery();
    for (const watch of this.#watches.keys()) watch.expire(watchTooOld);
    for (const { table } of registry.all()) table.log.compact(store.revision);
  }

  /** Whether the server serves a resource now: in any group if `group` is undefined, in any version. */
  serves({ group, resource, subresource }: ServedResource): boolean {
    return this.#machinery()
      .registry.all()
      .some(
        (known) =>
          known.plural === resource &&
          (group === undefined || known.group === group) &&
          (subresource === '' || known.subresources.some(({ name }) => name === subresource)),
      );
  }

  /** Whether a fault changes the answer to a request. */
  changes(request: ApiRequest): boolean {
    return this.select(faultedRequest(request));
  }

  /** Whether a fault prevents the normal answer to a request. */
  prevents(request: ApiRequest): boolean {
    const asked = faultedRequest(request);
    return [...this.#faults.keys()].some(
      (fault) => ('answer' in fault.effect || isLoss(fault.effect)) && fault.selects(asked),
    );
  }

  /**
   * Handles a request as far as the faults that select it allow.
   *
   * @throws {StatusError} where a fault answers with a Status, and what `handle` throws
   */
  async inject(request: ApiRequest, handle: Handle): Promise<Reply | StreamingReply> {
    const asked = faultedRequest(request);
    let cached: number | undefined;
    let lost: { fault: Fault; effect: LossEffect } | undefined;
    for (const [fault, revision] of this.#faults) {
      const { effect } = fault;
      if ('watch' in effect || !fault.selects(asked)) continue;
      if ('stale' in effect && !acceptsCached(asked.verb, request.query)) continue;
      fault.hit();
      if ('answer' in effect) return injectedAnswer(effect, asked);
      if ('latencyMs' in effect) await this.#wait(fault, effect.latencyMs);
      else if ('stale' in effect) cached ??= await this.#cachedRevision(fault, revision, request.query);
      else if (timeOf(effect) === 'before') return this.#lose(fault, effect, 0);
      else lost ??= { fault, effect };
    }
    const handled = handle(cached);
    if (!lost) return handled;
    return this.#lose(lost.fault, lost.effect, await handled.then(codeOf, codeOfError));
  }

  /**
   * To be called when a watch opens.
   *
   * @returns a function to be called when it has ended
   */
  opened(watch: OpenWatch, request: ApiRequest): () => void {
    this.#watches.set(watch, request);
    for (const fault of this.#faults.keys()) {
      const tooOld = `too old resource version: ${watch.position} (${this.#machinery().store.revision + 1})`;
      if ('watch' in fault.effect) this.#affect(fault, fault.effect, watch, request, tooOld);
    }
    return () => this.#watches.delete(watch);
  }

  /** @param tooOld why the watch cannot continue, if it expires */
  #affect(fault: Fault, effect: WatchEffect, watch: OpenWatch, request: ApiRequest, tooOld: string): void {
    if (!this.#watches.has(watch) || !fault.selects(faultedRequest(request))) return;
    fault.hit();
    if ('milliseconds' in effect) {
      const options = { ...effect, clock: this.#clock, reorders: effect.watch === 'reorder' };
      watch.intercept((sink) => new LateSink(sink, fault, options));
    } else if (effect.watch === 'drop') watch.drop();
    else if (effect.watch === 'expire') watch.expire(tooOld);
    else watch.intercept((sink) => new SilentSink(sink, fault));
  }

  /**
   * The revision that a cache without new changes shows.
   *
   * @throws {StatusError} 504 when the client knows a newer one
   */
  async #cachedRevision(fault: Fault, revision: number, query: URLSearchParams): Promise<number | undefined> {
    const version = query.get('resourceVersion') ?? '';
    const asked = /^\d+$/.test(version) ? parseResourceVersion(version) : 0;
    if (asked <= revision) return revision;
    await this.#wait(fault, maxCacheWaitMs);
    if (!fault.isRemoved) throw tooLarge(`${asked}`, revision);
    return undefined;
  }

  /** @param code how the server has handled the request; 0 if it has not */
  async #lose(fault: Fault, effect: LossEffect, code: number): Promise<Reply | StreamingReply> {
    if ('disconnect' in effect)
      return Object.assign((response: Parameters<StreamingReply>[0]) => void response.destroy(), { code });
    await this.#wait(fault, maxRequestMs);
    return requestTimeout();
  }

  /** Waits for a while, or until the fault is removed. */
  #wait(fault: Fault, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      if (fault.isRemoved) return resolve();
      const end = () => {
        this.#clock.clearTimeout(timer);
        release();
        resolve();
      };
      const timer = this.#clock.setTimeout(end, milliseconds);
      const release = fault.hold(end);
    });
  }
}

/** A resource as a test names it. */
export interface ServedResource {
  readonly group: string | undefined;
  /** The plural. */
  readonly resource: string;
  /** Empty for the objects themselves. */
  readonly subresource: string;
}

const noResource = { group: '', resource: '', subresource: '', namespace: '', name: '' };

function faultedRequest(request: ApiRequest): FaultedRequest {
  const { user, ...asked } = requestAttributes(request.user, request);
  return { ...noResource, ...asked, user: user.name };
}

/**
 * Whether a read accepts a state that is not the newest: one with a resource version, unless it continues a list or asks for an exact
 * state.
 */
function acceptsCached(verb: string, query: URLSearchParams): boolean {
  const version = query.get('resourceVersion') ?? '';
  if (version === '' || query.get('continue') || (verb !== 'get' && verb !== 'list')) return false;
  const match = query.get('resourceVersionMatch') ?? '';
  return match === '' ? version === '0' || !(Number(query.get('limit')) > 0) : match !== 'Exact';
}

function isLoss(effect: FaultEffect): effect is LossEffect {
  return 'timeout' in effect || 'disconnect' in effect;
}

function timeOf(effect: LossEffect): 'before' | 'after' {
  return 'timeout' in effect ? effect.timeout : effect.disconnect;
}

function codeOf(reply: Reply | StreamingReply): number {
  return reply.code ?? 200;
}

function codeOfError(error: unknown): number {
  return error instanceof StatusError ? error.status.code : 500;
}
