import { type Clock, toMilliseconds } from 'ots-runtime';
import { systemClock } from 'ots-apimachinery/clock/clock';
import {
  type AddedApiEffect,
  type SimulatedApiEffect,
  SimulatedApiError,
  type SimulatedOperation,
} from './simulated-api-effect.ts';

/** Options of every call. */
export interface SimulatedCallOptions {
  /** Ends the call when it aborts; none by default. */
  readonly signal?: AbortSignal | undefined;
}

interface Effect extends AddedApiEffect {
  hits: number;
  readonly operation: SimulatedOperation;
  readonly effect: SimulatedApiEffect;
  left: number;
}

/**
 * An API outside of the cluster, in memory: what the tests of an `ExternalResource` use in place of the real one.
 * ```ts
 * const api = new SimulatedApi<{ region: string }>({ clock: environment.config.clock });
 * api.disturb('create', { disconnect: 'after' }); // the next response is lost
 * ```
 * The calls copy what they receive and return.
 */
export class SimulatedApi<Item extends object> {
  /** What exists, by ID. A test changes and deletes it as a person would by hand. */
  readonly items = new Map<string, Item>();
  /** What the API has done, such as `create web`, in order. */
  readonly calls: string[] = [];
  readonly #clock: Clock;
  readonly #effects = new Set<Effect>();
  #created = 0;

  /** @param options `clock` measures `latency`: that of the environment, the system's by default. */
  constructor({ clock = systemClock }: { clock?: Clock | undefined } = {}) {
    this.#clock = clock;
  }

  /** How many items were ever created by calls. */
  get created(): number {
    return this.#created;
  }

  /**
   * Creates an item under an ID that the caller chose.
   * @throws {SimulatedApiError} `ALREADY_EXISTS` if there is one.
   */
  create(id: string, item: Item, options: SimulatedCallOptions = {}): Promise<void> {
    return this.#perform('create', id, options, () => {
      if (this.items.has(id)) throw new SimulatedApiError('ALREADY_EXISTS', `${id} already exists`);
      this.#add(id, item);
    });
  }

  /** Creates an item under an ID that the API assigns: `id-1` is the first. */
  createWithId(item: Item, options: SimulatedCallOptions = {}): Promise<string> {
    return this.#perform('create', undefined, options, () => {
      const id = `id-${this.#created + 1}`;
      this.#add(id, item);
      return id;
    });
  }

  /** Returns the item, or undefined if there is none. */
  get(id: string, options: SimulatedCallOptions = {}): Promise<Item | undefined> {
    return this.#perform('get', id, options, () => structuredClone(this.items.get(id)));
  }

  /**
   * Replaces an item.
   * @throws {SimulatedApiError} `NOT_FOUND` if there is none.
   */
  update(id: string, item: Item, options: SimulatedCallOptions = {}): Promise<void> {
    return this.#perform('update', id, options, () => {
      this.#require(id);
      this.items.set(id, structuredClone(item));
    });
  }

  /**
   * Deletes an item.
   * @throws {SimulatedApiError} `NOT_FOUND` if there is none.
   */
  delete(id: string, options: SimulatedCallOptions = {}): Promise<void> {
    return this.#perform('delete', id, options, () => {
      this.#require(id);
      this.items.delete(id);
    });
  }

  /**
   * Makes calls fail or take time.
   * @param times how many calls; 1 by default, `Infinity` until it is removed.
   */
  disturb(operation: SimulatedOperation, effect: SimulatedApiEffect, times = 1): AddedApiEffect {
    const added: Effect = {
      hits: 0,
      operation,
      effect,
      left: times,
      remove: () => void this.#effects.delete(added),
    };
    this.#effects.add(added);
    return added;
  }

  #add(id: string, item: Item): void {
    this.items.set(id, structuredClone(item));
    this.#created += 1;
  }

  #require(id: string): void {
    if (!this.items.has(id)) throw new SimulatedApiError('NOT_FOUND', `${id} does not exist`);
  }

  /** @param id undefined if the result is one. */
  async #perform<R>(
    operation: SimulatedOperation,
    id: string | undefined,
    { signal }: SimulatedCallOptions,
    act: () => R,
  ): Promise<R> {
    signal?.throwIfAborted();
    const effect = this.#effectOn(operation);
    if (effect && 'refuse' in effect) throw new SimulatedApiError('REFUSED', effect.refuse);
    if (effect && 'latency' in effect) await this.#pause(toMilliseconds(effect.latency), signal);
    await this.#lose(effect, 'before', signal);
    const result = act();
    this.calls.push(`${operation} ${id ?? String(result)}`);
    await this.#lose(effect, 'after', signal);
    return result;
  }

  #effectOn(operation: SimulatedOperation): SimulatedApiEffect | undefined {
    const found = [...this.#effects].find((each) => each.operation === operation && each.left > 0);
    if (!found) return undefined;
    found.hits += 1;
    found.left -= 1;
    return found.effect;
  }

  async #lose(
    effect: SimulatedApiEffect | undefined,
    when: 'before' | 'after',
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (!effect) return;
    if ('disconnect' in effect && effect.disconnect === when)
      throw new SimulatedApiError('CONNECTION_LOST', 'the connection to the API was lost');
    if ('timeout' in effect && effect.timeout === when) await this.#pause(undefined, signal);
  }

  /** Rejects when the signal aborts. @param milliseconds undefined never ends */
  #pause(milliseconds: number | undefined, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const timer = milliseconds === undefined ? undefined : this.#clock.setTimeout(finish, milliseconds);
      const abort = (): void => {
        this.#clock.clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
  }
}
