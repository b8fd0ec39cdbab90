import type { KubernetesObject } from 'ots-kubernetes';
import { keyText } from '../objects/object-key.ts';
import type { WatchEvent } from './watch-events.ts';

/** KEP-3157. */
const endOfInitialEvents = 'k8s.io/initial-events-end';

/** Collects the initial events of a watch that sends the whole state first. */
export class InitialEvents<T extends KubernetesObject> {
  readonly #prepare: (object: T) => T;
  readonly #objects = new Map<string, T>();

  /** @param prepare makes an object ready for keeping. */
  constructor(prepare: (object: T) => T) {
    this.#prepare = prepare;
  }

  /** Adds the next event. Returns the whole state when it is complete, and does not keep it. */
  take({ type, object }: WatchEvent<T>): T[] | undefined {
    const { name = '', namespace, annotations } = object.metadata;
    const key = keyText({ name, namespace });
    if (type === 'DELETED') this.#objects.delete(key);
    else if (type !== 'BOOKMARK') this.#objects.set(key, this.#prepare(object));
    else if (annotations?.[endOfInitialEvents] === 'true') return this.#complete();
    return undefined;
  }

  #complete(): T[] {
    const objects = [...this.#objects.values()];
    this.#objects.clear();
    return objects;
  }
}
