import type { KubernetesObject } from 'ots-kubernetes';
import type { Informer } from '../cache/informer.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { keyText } from '../objects/object-key.ts';
import type { Predicate } from './predicate.ts';
import type { Request } from './reconciler.ts';

/** Maps an object to the requests that it concerns. */
export type MapFunction<T extends KubernetesObject> = (
  object: DeepReadonly<T>,
) => Request[] | Promise<Request[]>;

export interface SourceOptions<T extends KubernetesObject> {
  informer: Informer<T>;
  predicates: readonly Predicate<T>[];
  map: MapFunction<T>;
  enqueue: (request: Request) => void;
  /** A `map` failed: the event is lost to the controller. */
  onError: (error: unknown) => void;
}

/** Turns the events of one kind into requests of one controller. */
export class Source<T extends KubernetesObject> {
  readonly #options: SourceOptions<T>;
  readonly #mapping = new Set<Promise<void>>();

  /** Registers with the informer; requests arrive from then on. */
  constructor(options: SourceOptions<T>) {
    this.#options = options;
    const { predicates, informer } = options;
    informer.addHandler({
      added: (object) => {
        if (predicates.every((predicate) => predicate.create?.(object) ?? true)) this.#enqueue([object]);
      },
      updated: (oldObject, object) => {
        // An object that moves from one owner to another concerns both.
        const passes = predicates.every((predicate) => predicate.update?.(oldObject, object) ?? true);
        if (passes) this.#enqueue([oldObject, object]);
      },
      deleted: (object) => {
        if (predicates.every((predicate) => predicate.delete?.(object) ?? true)) this.#enqueue([object]);
      },
    });
  }

  /** Resolves when the informer is filled and the requests of all that was there are queued. */
  async synced(): Promise<void> {
    await this.#options.informer.synced;
    await Promise.all(this.#mapping);
  }

  #enqueue(objects: DeepReadonly<T>[]): void {
    const mapped = objects.map((object) => this.#map(object));
    if (mapped.every((requests) => Array.isArray(requests))) return this.#add(mapped.flat());
    const mapping = Promise.all(mapped.map(async (requests) => requests))
      .then((requests) => this.#add(requests.flat()))
      .catch(this.#options.onError)
      .finally(() => this.#mapping.delete(mapping));
    this.#mapping.add(mapping);
  }

  #map(object: DeepReadonly<T>): Request[] | Promise<Request[]> {
    try {
      return this.#options.map(object);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Once a key: a worker that waits takes the first at once, and the second would make it run again. */
  #add(requests: Request[]): void {
    const distinct = new Map(requests.map((request) => [keyText(request), request]));
    for (const request of distinct.values()) this.#options.enqueue(request);
  }
}
