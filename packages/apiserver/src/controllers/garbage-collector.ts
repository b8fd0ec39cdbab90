import type { OwnerReference } from 'ots-kubernetes';
import { jsonEqual } from '../json/json-equal.ts';
import { deleteRecord } from '../registry/delete.ts';
import type { PropagationPolicy } from '../registry/delete-options.ts';
import { foregroundFinalizer, orphanFinalizer } from '../registry/propagation-finalizers.ts';
import type { Machinery } from '../registry/machinery.ts';
import type { Change } from '../storage/change-log.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import type { Table } from '../storage/table.ts';
import { isDeletingDependents, isOrphaningDependents } from './deletion-state.ts';
import { type OwnedObject, OwnerIndex } from './owner-index.ts';
import { OwnerLookup, type Owners } from './owner-lookup.ts';
import { reportForeignOwner } from './report-foreign-owner.ts';
import { WorkQueue } from './work-queue.ts';
import { writeList } from './write-object.ts';

/** How many dependents are orphaned before requests get their turn. */
const orphanBatchSize = 250;

/**
 * Deletes objects whose owners are gone, and implements the propagation policies of deleted owners. Receives every
 * change from the store, and visits only the objects that a change concerns.
 */
export class GarbageCollector {
  readonly #machinery: Machinery;
  readonly #index = new OwnerIndex();
  readonly #lookup: OwnerLookup;
  readonly #queue = new WorkQueue<OwnedObject>((object) => this.#collect(object));
  /** Owners that a finalizer of a policy keeps. */
  readonly #waiting = new Map<string, OwnedObject>();
  /** Objects with an owner whose kind is not served. */
  readonly #unresolved = new Map<string, OwnedObject>();
  readonly #definitions: Table | undefined;
  readonly #events: Table | undefined;
  readonly #unsubscribe: () => void;

  /** @param machinery a machinery with an empty store */
  constructor(machinery: Machinery) {
    this.#machinery = machinery;
    this.#lookup = new OwnerLookup(machinery);
    this.#definitions = machinery.registry.find(
      'apiextensions.k8s.io',
      'v1',
      'customresourcedefinitions',
    )?.table;
    this.#events = machinery.registry.find('', 'v1', 'events')?.table;
    this.#unsubscribe = machinery.store.subscribe((table, change) => this.#onChange(table, change));
  }

  stop(): void {
    this.#unsubscribe();
    this.#queue.stop();
  }

  #onChange(table: Table, change: Change): void {
    if (table === this.#events) return;
    if (table === this.#definitions) {
      this.#lookup.forgetKinds();
      for (const object of this.#unresolved.values()) this.#enqueue(object);
    }
    const { type, record, previous } = change;
    const { uid = '', ownerReferences = [] } = record.object.metadata;
    const object = { uid, table, key: record.key, owners: ownerReferences };
    const before = previous?.object.metadata.ownerReferences ?? [];
    if (type === 'DELETED') this.#onDeleted(object);
    else {
      if (!jsonEqual(before, ownerReferences)) this.#onOwnersChanged(object, before);
      this.#trackPolicy(object, record);
    }
  }

  #onDeleted({ uid, owners }: OwnedObject): void {
    this.#waiting.delete(uid);
    this.#unresolved.delete(uid);
    if (this.#index.hasDependents(uid)) this.#lookup.markAbsent(uid);
    for (const dependent of this.#index.dependentsOf(uid)) this.#enqueue(dependent);
    this.#index.remove(uid, owners);
    this.#wakeOwners(owners);
  }

  #onOwnersChanged(object: OwnedObject, before: readonly OwnerReference[]): void {
    this.#index.remove(object.uid, before);
    this.#index.add(object);
    this.#wakeOwners([...before, ...object.owners]);
    if (object.owners.length > 0) this.#enqueue(object);
    else this.#unresolved.delete(object.uid);
  }

  /** Continues waiting owners, and forgets those that are gone. */
  #wakeOwners(owners: readonly OwnerReference[]): void {
    for (const { uid } of owners) {
      const waiting = this.#waiting.get(uid);
      if (waiting) this.#enqueue(waiting);
      if (!this.#index.hasDependents(uid)) this.#lookup.forgetAbsent(uid);
    }
  }

  #trackPolicy(object: OwnedObject, record: StoredRecord): void {
    const isForeground = isDeletingDependents(record.object);
    if (!isForeground && !isOrphaningDependents(record.object)) {
      this.#waiting.delete(object.uid);
      return;
    }
    if (this.#waiting.has(object.uid)) return;
    this.#waiting.set(object.uid, object);
    if (isForeground) for (const dependent of this.#index.dependentsOf(object.uid)) this.#enqueue(dependent);
    this.#enqueue(object);
  }

  #enqueue(object: OwnedObject): void {
    this.#queue.add(object.uid, object);
  }

  /** Acts on the latest state of an object. */
  #collect(object: OwnedObject): void {
    const record = object.table.get(object.key);
    if (!record || record.object.metadata.uid !== object.uid) return;
    if (isOrphaningDependents(record.object)) this.#orphan(object, record);
    else if (isDeletingDependents(record.object)) this.#awaitDependents(object, record);
    else if (record.object.metadata.deletionTimestamp === undefined) this.#judge(object, record);
  }

  #judge(object: OwnedObject, record: StoredRecord): void {
    const { ownerReferences = [] } = record.object.metadata;
    if (ownerReferences.length === 0) return;
    const owners = this.#lookup.ownersOf(record.object);
    if (owners === 'unknown-kind') {
      this.#unresolved.set(object.uid, object);
      return;
    }
    this.#unresolved.delete(object.uid);
    if (owners === 'out-of-reach' || owners.dangling.length > 0) this.#reportForeign(record);
    if (owners === 'out-of-reach') return;
    if (owners.solid.length > 0) this.#keepOwned(record, object.table, owners);
    else if (owners.waiting.length > 0 && this.#index.hasDependents(object.uid)) {
      this.#deleteInForeground(object, record);
    } else this.#delete(object.table, record, policyOf(record));
  }

  #reportForeign({ object }: StoredRecord): void {
    const foreign = this.#lookup.foreignOwnerOf(object);
    if (foreign) reportForeignOwner(this.#machinery, object, foreign);
  }

  /** An object with other owners stays: only the references to the deleted ones are removed. */
  #keepOwned(record: StoredRecord, table: Table, { solid, dangling, waiting }: Owners): void {
    if (dangling.length + waiting.length > 0) this.#write(record, table, 'ownerReferences', solid);
  }

  #deleteInForeground(object: OwnedObject, record: StoredRecord): void {
    const states = [...this.#index.dependentsOf(object.uid)].map(({ table, key }) => table.get(key)?.object);
    // Owners that wait for each other in a circle would wait forever.
    if (states.some((state) => state && isDeletingDependents(state))) {
      const { ownerReferences = [] } = record.object.metadata;
      const unblocked = ownerReferences.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
      if (!jsonEqual(unblocked, ownerReferences))
        this.#write(record, object.table, 'ownerReferences', unblocked);
    }
    const latest = object.table.get(object.key);
    if (latest) this.#delete(object.table, latest, 'Foreground');
  }

  #awaitDependents({ uid, table }: OwnedObject, record: StoredRecord): void {
    for (const { owners } of this.#index.dependentsOf(uid)) {
      // Their own turn follows: the last of them wakes this owner.
      if (owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion)) return;
    }
    this.#release(record, table, foregroundFinalizer);
  }

  #orphan(object: OwnedObject, record: StoredRecord): void {
    let count = 0;
    for (const { table, key, owners } of this.#index.dependentsOf(object.uid)) {
      if (count === orphanBatchSize) {
        this.#enqueue(object);
        return;
      }
      count += 1;
      const dependent = table.get(key);
      const others = owners.filter(({ uid }) => uid !== object.uid);
      if (dependent) this.#write(dependent, table, 'ownerReferences', others);
    }
    this.#release(record, object.table, orphanFinalizer);
  }

  #release(record: StoredRecord, table: Table, finalizer: string): void {
    const finalizers = record.object.metadata.finalizers?.filter((other) => other !== finalizer);
    this.#write(record, table, 'finalizers', finalizers);
  }

  #write(record: StoredRecord, table: Table, ...change: FieldChange): void {
    const [resource] = this.#machinery.registry.ofTable(table);
    if (resource) writeList(this.#machinery, resource, record, ...change);
  }

  #delete(table: Table, record: StoredRecord, propagationPolicy: PropagationPolicy): void {
    const [resource] = this.#machinery.registry.ofTable(table);
    const options = { dryRun: false, propagationPolicy, preconditions: {} };
    if (resource) deleteRecord(this.#machinery, resource, record, options);
  }
}

type FieldChange = [field: 'finalizers' | 'ownerReferences', list: string[] | OwnerReference[] | undefined];

/** The policy for an object's own dependents, which its finalizers may state. */
function policyOf({ object }: StoredRecord): PropagationPolicy {
  const { finalizers = [] } = object.metadata;
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}
