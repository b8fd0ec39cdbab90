import type { FaultEffect } from './fault-effect.ts';

/** A request as faults select it. Texts are empty where they do not apply. */
export interface FaultedRequest {
  /** Such as `get`, `watch` or `deletecollection`; the HTTP method in lower case for a path outside of resources. */
  readonly verb: string;
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Who sends it. */
  readonly user: string;
}

/** Which requests a fault changes. */
export interface FaultSelection {
  readonly selects: (request: FaultedRequest) => boolean;
  /** How many of them. Default: all, until the fault is removed. */
  readonly times?: number | undefined;
}

/** One fault: it changes the requests that it selects until it is removed. */
export class Fault {
  readonly effect: FaultEffect;
  readonly #selection: FaultSelection;
  readonly #endings = new Set<() => void>();
  #hits = 0;
  #isRemoved = false;

  constructor(selection: FaultSelection, effect: FaultEffect) {
    this.#selection = selection;
    this.effect = effect;
  }

  /** How many requests it changed. */
  get hits(): number {
    return this.#hits;
  }

  get isRemoved(): boolean {
    return this.#isRemoved;
  }

  /** Whether it would change a request. */
  selects(request: FaultedRequest): boolean {
    const { selects, times = Number.POSITIVE_INFINITY } = this.#selection;
    return !this.#isRemoved && this.#hits < times && selects(request);
  }

  /** Counts a request that it changes. */
  hit(): void {
    this.#hits += 1;
  }

  /**
   * Keeps something as it is until the fault is removed.
   *
   * @param end called when the fault is removed; at once if it is already
   * @returns a function that forgets it
   */
  hold(end: () => void): () => void {
    if (this.#isRemoved) end();
    else this.#endings.add(end);
    return () => this.#endings.delete(end);
  }

  /** Ends the fault and everything that it holds: what waits goes on, and connections that it silenced break. */
  remove(): void {
    this.#isRemoved = true;
    const endings = [...this.#endings];
    this.#endings.clear();
    for (const end of endings) end();
  }

  [Symbol.dispose](): void {
    this.remove();
  }
}
