import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { keyOf, keyText } from '../objects/object-key.ts';

/** The result of a creation: the ID, or null if nothing was made. */
export type CreateResult = string | null;

type AnyObject = DeepReadonly<KubernetesObject>;

/** The results of creations that are not stored in their objects yet, because the API server does not respond. */
export class UnstoredResults {
  readonly #results = new Map<string, { uid: string | undefined; result: CreateResult }>();

  set(object: AnyObject, result: CreateResult): void {
    this.#results.set(textOf(object), { uid: object.metadata.uid, result });
  }

  /** Undefined if there is none of this very object. */
  get(object: AnyObject): CreateResult | undefined {
    const found = this.#results.get(textOf(object));
    return found?.uid === object.metadata.uid ? found?.result : undefined;
  }

  /** @param key of an object that is gone, or whose result is stored. */
  delete(key: ReturnType<typeof keyOf>): void {
    this.#results.delete(keyText(key));
  }
}

function textOf(object: AnyObject): string {
  return keyText(keyOf(object));
}
