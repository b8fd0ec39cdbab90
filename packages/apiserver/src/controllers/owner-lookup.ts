import type { OwnerReference } from 'ots-kubernetes';
import { isDeletingDependents } from './deletion-state.ts';
import type { Machinery } from '../registry/machinery.ts';
import { type Resource, apiVersionOf, keyOf } from '../registry/resource.ts';
import type { ApiObject } from '../json/api-object.ts';

/** The owners of an object, by what they are to it. */
export interface Owners {
  /** They exist and stay, or will be deleted without waiting. */
  solid: OwnerReference[];
  /** They do not exist. */
  dangling: OwnerReference[];
  /** They are being deleted and wait for what they own. */
  waiting: OwnerReference[];
}

/** Finds owners by what a reference says of them: kind, name and, in the namespace of the dependent, uid. */
export class OwnerLookup {
  readonly #machinery: Machinery;
  readonly #absent = new Set<string>();
  readonly #resources = new Map<string, Resource | undefined>();

  constructor(machinery: Machinery) {
    this.#machinery = machinery;
  }

  /** Remembers that an owner is gone, for when its kind is gone as well. */
  markAbsent(uid: string): void {
    this.#absent.add(uid);
  }

  forgetAbsent(uid: string): void {
    this.#absent.delete(uid);
  }

  /** Kinds have come or gone. */
  forgetKinds(): void {
    this.#resources.clear();
  }

  /**
   * Looks all owners of an object up.
   *
   * @returns `unknown-kind` when one of them is of a kind that is not served: nobody knows whether it exists.
   *   `out-of-reach` when the object has no namespace and an owner must have one.
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

  /** The first owner of an object that exists, but in another namespace than the object. */
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
