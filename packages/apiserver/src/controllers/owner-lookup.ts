import type { OwnerReference } from 'ots-kubernetes';
import { isDeletingDependents } from './deletion-state.ts';
import type { Machinery } from '../registry/machinery.ts';
import { type Resource, apiVersionOf, keyOf } from '../registry/resource.ts';
import type { ApiObject } from '../json/api-object.ts';

/** The owners of an object, by state. */
export interface Owners {
  /** Owners that exist and stay, or that are deleted without waiting. */
  solid: OwnerReference[];
  /** Owners that do not exist. */
  dangling: OwnerReference[];
  /** Owners that are being deleted and wait for their dependents. */
  waiting: OwnerReference[];
}

/** Finds owners by their references: kind, name and, in the namespace of the dependent, UID. */
export class OwnerLookup {
  readonly #machinery: Machinery;
  readonly #absent = new Set<string>();
  readonly #resources = new Map<string, Resource | undefined>();

  constructor(machinery: Machinery) {
    this.#machinery = machinery;
  }

  /** Remembers that an owner is gone, in case its kind is removed too. */
  markAbsent(uid: string): void {
    this.#absent.add(uid);
  }

  forgetAbsent(uid: string): void {
    this.#absent.delete(uid);
  }

  /** Clears the cache after kinds were added or removed. */
  forgetKinds(): void {
    this.#resources.clear();
  }

  /**
   * Looks up all owners of an object.
   *
   * @returns `unknown-kind` when the kind of an owner is not served, so its existence is unknown; `out-of-reach`
   *   when a cluster-scoped object has a namespaced owner
   */
  ownersOf(object: ApiObject): Owners | 'unknown-kind' | 'out-of-reach' {
    const { ownerReferences = [], namespace = '' } = object.metadata;
    const owners: Owners = { solid: [], dangling: [], waiting: [] };
    for (const reference of ownerReferences) {
      if (this.#absent.has(reference.uid)) {
        owners.dangling.push(reference);
        continue;
      }
      const resource = this.#resourceOf(reference);
      if (!resource) return 'unknown-kind';
      if (resource.scope === 'Namespaced' && namespace === '') return 'out-of-reach';
      const owner = resource.table.get(keyOf(resource, namespace, reference.name))?.object;
      if (owner?.metadata.uid !== reference.uid) owners.dangling.push(reference);
      else owners[isDeletingDependents(owner) ? 'waiting' : 'solid'].push(reference);
    }
    return owners;
  }

  /** The first owner that exists, but in another namespace than the object. */
  foreignOwnerOf({
    metadata: { ownerReferences = [], namespace = '' },
  }: ApiObject): OwnerReference | undefined {
    return ownerReferences.find((reference) => {
      if (this.#absent.has(reference.uid)) return false;
      const resource = this.#resourceOf(reference);
      if (resource?.scope !== 'Namespaced') return false;
      return resource.table
        .list()
        .some(
          ({ object: { metadata } }) => metadata.uid === reference.uid && metadata.namespace !== namespace,
        );
    });
  }

  #resourceOf({ apiVersion, kind }: OwnerReference): Resource | undefined {
    const id = `${apiVersion}/${kind}`;
    if (!this.#resources.has(id)) {
      const all = this.#machinery.registry.all();
      this.#resources.set(
        id,
        all.find((resource) => resource.kind === kind && apiVersionOf(resource) === apiVersion),
      );
    }
    return this.#resources.get(id);
  }
}
