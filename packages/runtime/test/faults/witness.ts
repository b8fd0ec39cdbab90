import { ConfigMap } from 'ots-kubernetes/core/v1';
import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Cache } from '../../src/cache/cache.ts';
import type { Request } from '../../src/controller/reconciler.ts';
import type { DeepReadonly } from '../../src/objects/deep-readonly.ts';
import { keyText } from '../../src/objects/object-key.ts';
import { Thing } from '../thing.ts';
import { KindWitness, stateOf } from './kind-witness.ts';

/** Watches an operator, and records what must never happen. */
export class Witness {
  /** What was wrong, in words. */
  readonly complaints: string[] = [];
  readonly things = new KindWitness('Thing', this.complaints);
  readonly configMaps = new KindWitness('ConfigMap', this.complaints);
  readonly #running = new Set<string>();
  /** The state that the last reconcile of each key saw. */
  readonly #reconciled = new Map<string, string>();
  /** Whether the operator keeps children and a status, or only reads. */
  readonly expectsWork: boolean;

  constructor(expectsWork: boolean) {
    this.expectsWork = expectsWork;
  }

  /** Registers handlers with the cache. */
  attend(cache: Cache): void {
    cache.informer(Thing).addHandler(this.things);
    cache.informer(ConfigMap).addHandler(this.configMaps);
  }

  /** Records that a reconcile of the key begins. The caller calls the result when it ends. */
  begin(key: string): () => void {
    if (this.#running.has(key)) this.complaints.push(`two reconciles of ${key} at a time`);
    this.#running.add(key);
    return () => this.#running.delete(key);
  }

  /** Records what a reconcile has seen of its object. */
  reconciled(request: Request, thing: DeepReadonly<Thing> | undefined): void {
    const key = keyText(request);
    this.things.read(key, thing);
    this.#reconciled.set(key, stateOf(thing));
  }

  /** Reads everything. */
  look(cache: Cache, names: readonly string[], namespace: string): void {
    const kinds: [Kind, KindWitness][] = [
      [Thing, this.things],
      [ConfigMap, this.configMaps],
    ];
    for (const [kind, witness] of kinds) {
      const listed = new Map<string, DeepReadonly<KubernetesObject>>();
      for (const object of cache.list(kind, { namespace })) {
        if (listed.has(object.metadata.name!))
          this.complaints.push(`${object.metadata.name} is listed twice`);
        listed.set(object.metadata.name!, object);
      }
      for (const name of names) {
        const key = { name, namespace };
        const object = cache.get(kind, key);
        if (object !== listed.get(name)) this.complaints.push(`get and list differ in ${kind.kind} ${name}`);
        witness.read(keyText(key), object);
      }
    }
  }

  /** What the operator has not done yet, in words. */
  shortcomings(things: readonly Thing[], maps: readonly ConfigMap[]): string[] {
    const missing: string[] = [];
    const left = new Set(this.#reconciled.keys());
    for (const thing of things) {
      const key = keyText({ name: thing.metadata.name!, namespace: thing.metadata.namespace });
      left.delete(key);
      const seen = this.#reconciled.get(key);
      if (seen !== stateOf(thing))
        missing.push(`${key} is ${stateOf(thing)}, its last reconcile saw ${seen}`);
      if (!this.expectsWork) continue;
      if (thing.status?.size !== thing.spec.size) missing.push(`${key} has the status of an earlier size`);
      const child = maps.find(({ metadata }) => metadata.name === thing.metadata.name);
      const isKept =
        child?.data?.['size'] === String(thing.spec.size) &&
        child.metadata.ownerReferences?.[0]?.uid === thing.metadata.uid;
      if (!isKept) missing.push(`${key} has no child of its own with its size`);
    }
    for (const key of left) {
      const seen = this.#reconciled.get(key);
      if (seen !== 'absent') missing.push(`${key} is gone, its last reconcile saw ${seen}`);
    }
    for (const { metadata } of maps) {
      const isWanted = things.some((thing) => thing.metadata.name === metadata.name);
      if (!isWanted) missing.push(`${metadata.name} has a child, but is gone`);
    }
    return missing;
  }
}
