import type { KubernetesObject } from 'ots-kubernetes';
import type { InformerHandler } from '../../src/cache/informer-handler.ts';
import type { DeepReadonly } from '../../src/objects/deep-readonly.ts';
import { keyOf, keyText } from '../../src/objects/object-key.ts';

type Observed = DeepReadonly<KubernetesObject>;

/** What identifies one state of an object. */
export function stateOf(object: Observed | undefined): string {
  return object ? `${object.metadata.uid}@${object.metadata.resourceVersion}` : 'absent';
}

/**
 * Watches what readers and handlers of one kind see, and complains when that is not a valid history: an older state
 * after a newer one, an object that returns after its deletion, a creation or deletion that handlers did not receive.
 */
export class KindWitness implements InformerHandler<KubernetesObject> {
  readonly #name: string;
  readonly #complaints: string[];
  /** What handlers know. */
  readonly #known = new Map<string, Observed>();
  /** What readers saw last. */
  readonly #seen = new Map<string, Observed>();
  /** The uids of objects whose end readers have seen. */
  readonly #ended = new Set<string>();

  /** @param complaints receives the complaints */
  constructor(name: string, complaints: string[]) {
    this.#name = name;
    this.#complaints = complaints;
  }

  /** The states that handlers received last, by key. */
  get known(): ReadonlyMap<string, Observed> {
    return this.#known;
  }

  added(object: Observed): void {
    const key = keyText(keyOf(object));
    if (this.#known.has(key)) this.#complain(`added ${key} twice`);
    this.#known.set(key, object);
  }

  updated(before: Observed, object: Observed): void {
    const key = keyText(keyOf(object));
    const known = this.#known.get(key);
    if (known !== before)
      this.#complain(`updated ${key} from ${stateOf(before)}, handlers knew ${stateOf(known)}`);
    if (before.metadata.uid !== object.metadata.uid) this.#complain(`updated ${key} to another object`);
    if (versionOf(object) <= versionOf(before)) {
      this.#complain(`updated ${key} from ${stateOf(before)} to ${stateOf(object)}`);
    }
    this.#known.set(key, object);
  }

  deleted(object: Observed): void {
    const key = keyText(keyOf(object));
    const known = this.#known.get(key);
    if (known?.metadata.uid !== object.metadata.uid) {
      this.#complain(`deleted ${key}, ${stateOf(object)}, handlers knew ${stateOf(known)}`);
    }
    this.#known.delete(key);
  }

  /** Records what a reader got for the key. */
  read(key: string, object: Observed | undefined): void {
    const before = this.#seen.get(key);
    if (before && before.metadata.uid !== object?.metadata.uid) this.#ended.add(before.metadata.uid!);
    if (!object) {
      this.#seen.delete(key);
      return;
    }
    if (this.#ended.has(object.metadata.uid!)) this.#complain(`${key} is back: ${stateOf(object)}`);
    const isSame = before !== undefined && before.metadata.uid === object.metadata.uid;
    if (isSame && versionOf(object) < versionOf(before)) {
      this.#complain(`${key} went from ${stateOf(before)} back to ${stateOf(object)}`);
    }
    this.#seen.set(key, object);
  }

  #complain(text: string): void {
    this.#complaints.push(`${this.#name}: ${text}`);
  }
}

function versionOf({ metadata }: Observed): number {
  return Number(metadata.resourceVersion);
}
