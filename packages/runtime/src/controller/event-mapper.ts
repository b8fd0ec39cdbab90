import type { KubernetesObject } from 'ots-kubernetes';
import { type WorkContext, currentWork, runInContext } from '../context/work-context.ts';
import { unlessRepeated } from '../errors/error-message.ts';
import { UsageError } from '../errors/usage-error.ts';
import { keyOf } from '../objects/object-key.ts';
import type { Cause, ObjectCause } from '../reasons/cause.ts';
import { itemExponentialRateLimiter } from '../queue/item-exponential-rate-limiter.ts';
import { WorkQueue } from '../queue/work-queue.ts';
import { isOfLeftNamespace, isOutage, isUnsynced } from './classify-error.ts';
import type { MapFunction } from './map-function.ts';
import type { Request } from './reconciler.ts';
import { requestKey } from './request-key.ts';
import type { SourceContext } from './source.ts';

interface MappableEvent<T extends KubernetesObject> {
  id: string;
  cause: ObjectCause<T>;
  priority: number;
}

/** With delays from 0.1 s, doubled each time, the last attempt is made after about two minutes. */
const maxAttempts = 12;
const firstDelay = 100;
const maxDelayMs = 30_000;
/** Requests of the client take less time. */
const slowMapWarningMs = 60_000;

/**
 * Maps events to requests, one after another in order. An event whose mapping fails is retried separately and does not
 * block other objects: requests carry only names, no state.
 */
export class EventMapper<T extends KubernetesObject> {
  readonly #map: MapFunction<T>;
  readonly #context: SourceContext;
  readonly #retries: WorkQueue<MappableEvent<T>>;
  /** The context in which map functions run: events come from an informer, which is not part of the controller. */
  readonly #work: WorkContext;
  #lastId = 0;
  /** Settles with the last event that is being mapped; undefined if there is none. */
  #tail: Promise<void> | undefined;
  #isRetrying = false;
  /** The last error: the stack of a repeated error is already in the log. */
  #lastError: unknown;
  /** The timers of the mappings in progress. */
  readonly #warnings = new Set<unknown>();

  constructor(map: MapFunction<T>, context: SourceContext) {
    this.#map = map;
    this.#context = context;
    const { clock, signal } = context;
    this.#work = {
      signal,
      fence: currentWork()?.fence,
      onStrayRejection: (error) =>
        context.logger.error({ err: error }, 'a promise that a map function did not await was rejected'),
    };
    const rateLimiter = itemExponentialRateLimiter({ base: firstDelay, max: maxDelayMs, clock });
    this.#retries = new WorkQueue({ clock, keyOf: ({ id }) => id, rateLimiter });
    const end = (): void => {
      this.#retries.shutDown();
      for (const warning of this.#warnings) clock.clearTimeout(warning);
    };
    signal.addEventListener('abort', end, { once: true });
  }

  /** Maps the object, and its state before an update, and queues each resulting request once. */
  take(cause: ObjectCause<T>, priority: number): void {
    if (this.#tail) {
      const event = this.#event(cause, priority);
      this.#follow(this.#tail.then(() => this.#attempt(event)));
      return;
    }
    try {
      const mapped = this.#mapAll(cause);
      if (mapped instanceof Promise) this.#follow(this.#finish(mapped, this.#event(cause, priority)));
      else this.#enqueue(mapped, { cause, priority });
    } catch (error) {
      this.#retry(this.#event(cause, priority), error);
    }
  }

  /** True while events wait to be mapped for the first time. */
  get isMapping(): boolean {
    return this.#tail !== undefined;
  }

  /** Resolves when every event so far was mapped or has failed once. */
  async settled(): Promise<void> {
    // Waits only for the current last event: in a busy cluster there is always another one.
    await this.#tail;
  }

  #event(cause: ObjectCause<T>, priority: number): MappableEvent<T> {
    this.#lastId += 1;
    return { id: String(this.#lastId), cause, priority };
  }

  #follow(work: Promise<void>): void {
    const tail = work.finally(() => {
      if (this.#tail === tail) this.#tail = undefined;
    });
    this.#tail = tail;
  }

  async #attempt(event: MappableEvent<T>): Promise<void> {
    if (this.#context.signal.aborted) return;
    await this.#finish((async () => this.#mapAll(event.cause))(), event);
  }

  /** Never rejects. */
  async #finish(mapped: Promise<Request[]>, event: MappableEvent<T>): Promise<void> {
    const warning = this.#warnLater(event);
    try {
      this.#enqueue(await mapped, event);
      this.#retries.forget(event);
    } catch (error) {
      this.#retry(event, error);
    } finally {
      this.#context.clock.clearTimeout(warning);
      this.#warnings.delete(warning);
    }
  }

  /** Without this, a map function that never settles would silently block all later events. */
  #warnLater({ cause }: MappableEvent<T>): unknown {
    const { clock } = this.#context;
    const warning = clock.setTimeout(() => {
      this.#context.logger.warn(keyOf(cause.object), 'map function still running; later events are blocked');
    }, slowMapWarningMs);
    this.#warnings.add(warning);
    return warning;
  }

  /** Returns no promise if no mapping does: then nothing waits. */
  #mapAll({ oldObject, object }: ObjectCause<T>): Request[] | Promise<Request[]> {
    // An object that moves from one owner to another concerns both.
    const objects = oldObject ? [oldObject, object] : [object];
    const mapped = runInContext(this.#work, () => objects.map((each) => this.#map(each)));
    if (mapped.every((requests) => Array.isArray(requests))) return mapped.flat();
    return Promise.all(mapped.map(async (requests) => requests)).then((lists) => lists.flatMap(listOf));
  }

  /** Once per key: an idle worker takes the first request at once, and a second one would run it again. */
  #enqueue(
    requests: readonly Request[],
    { cause, priority }: Pick<MappableEvent<T>, 'cause' | 'priority'>,
  ): void {
    const { enqueue } = this.#context;
    // As for every kind, when it is asked for.
    const options = { priority, cause: cause as Cause };
    if (requests.length === 1) return enqueue(requests[0]!, options);
    const distinct = new Map(requests.map((request) => [requestKey(request), request]));
    for (const request of distinct.values()) enqueue(request, options);
  }

  #retry(event: MappableEvent<T>, error: unknown): void {
    const { signal, logger } = this.#context;
    if (signal.aborted) return;
    if (isOfLeftNamespace(error, event.cause.object.metadata.namespace)) {
      this.#retries.forget(event);
      logger.debug(keyOf(event.cause.object), 'the namespace is no longer cached; dropping an event');
      return;
    }
    const details = {
      err: unlessRepeated(error, this.#lastError),
      ...keyOf(event.cause.object),
      attempt: this.#retries.failures(event) + 1,
    };
    this.#lastError = error;
    if (details.attempt >= maxAttempts) {
      this.#retries.forget(event);
      // What the map function misses causes events of its own when it comes.
      const level = isUnsynced(error) ? 'debug' : 'error';
      logger[level](details, 'mapping an event to requests keeps failing; dropping the event');
      return;
    }
    const isExpected = isOutage(error) || isUnsynced(error);
    logger[isExpected ? 'debug' : 'error'](details, 'mapping an event to requests failed; retrying');
    this.#retries.add(event, { rateLimited: true });
    if (!this.#isRetrying) void this.#retryAll();
  }

  async #retryAll(): Promise<void> {
    this.#isRetrying = true;
    for (let next = await this.#retries.next(); next; next = await this.#retries.next()) {
      await this.#attempt(next.item);
      this.#retries.done(next);
    }
  }
}

function listOf(requests: readonly Request[]): readonly Request[] {
  if (Array.isArray(requests)) return requests;
  throw new UsageError(
    `A map function returned ${requests === null ? 'null' : `a ${typeof requests}`}`,
    'Return a list of requests, empty for none.',
  );
}
