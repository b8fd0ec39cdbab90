import type { OwnerReference } from 'ots-kubernetes';
import type { Table } from '../storage/table.ts';

/** An object that has owners or dependents. */
export interface OwnedObject {
  readonly uid: string;
  readonly table: Table;
  /** Its key in its table. */
  readonly key: string;
  readonly owners: readonly OwnerReference[];
}

/** Indexes owners and dependents by UID, and follows every change. */
export class OwnerIndex {
  readonly #dependents = new Map<string, Map<string, OwnedObject>>();

  add(object: OwnedObject): void {
    for (const { uid } of object.owners) {
      let dependents = this.#dependents.get(uid);
      if (!dependents) this.#dependents.set(uid, (dependents = new Map()));
      dependents.set(object.uid, object);
    }
  }

  remove(uid: string, owners: readonly OwnerReference[]): void {
    for (const owner of owners) {
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(owner.uid);
    }
  }

  hasDependents(uid: string): boolean {
    return this.#dependents.has(uid);
  }

  *dependentsOf(uid: string): Generator<OwnedObject> {
    yield* this.#dependents.get(uid)?.values() ?? [];
  }
}
