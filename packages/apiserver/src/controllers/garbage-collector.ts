import type { OwnerReference } from 'ots-kubernetes';
import type { UserInfo } from '../authentication/user-info.ts';
import type { ApiObject } from '../json/api-object.ts';
import { cloneJson } from '../json/clone-json.ts';
import { jsonEqual } from '../json/json-equal.ts';
import { type Waiting, after, settled } from '../registry/after.ts';
import { deleteObject } from '../registry/delete.ts';
import type { DeleteOptions, PropagationPolicy } from '../registry/delete-options.ts';
import { patchObject } from '../registry/patch.ts';
import type { Target } from '../registry/target.ts';
import { StatusError } from '../status/status-error.ts';
import { foregroundFinalizer, orphanFinalizer } from '../registry/propagation-finalizers.ts';
import type { Machinery } from '../registry/machinery.ts';
import type { Change } from '../storage/change-log.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import type { Table } from '../storage/table.ts';
import { controllerUser, controllerWrite } from './controller-user.ts';
import { isDeletingDependents, isOrphaningDependents } from './deletion-state.ts';
import { type OwnedObject, OwnerIndex } from './owner-index.ts';
import { OwnerLookup } from './owner-lookup.ts';
import { reportForeignOwner } from './report-foreign-owner.ts';
import { WorkQueue } from './work-queue.ts';

/**
 * Deletes objects whose owners are gone, and implements the propagation policies of deleted owners. Receives every
 * change from the store, and visits only the objects that a change concerns.
 */
export class GarbageCollector {
  readonly #machinery: Machinery;
  readonly #user: UserInfo;
  readonly #index = new OwnerIndex();
  readonly #lookup: OwnerLookup;
  readonly #queue: WorkQueue<OwnedObject>;
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
    this.#user = controllerUser('generic-garbage-collector', machinery.random);
    this.#queue = new WorkQueue(machinery.clock, (object) => this.#collect(object));
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
    if (!isDeletingDependents(record.object) && !isOrphaningDependents(record.object)) {
      this.#waiting.delete(object.uid);
      return;
    }
    if (this.#waiting.has(object.uid)) return;
    this.#waiting.set(object.uid, object);
    for (const dependent of this.#index.dependentsOf(object.uid)) this.#enqueue(dependent);
    this.#enqueue(object);
  }

  #enqueue(object: OwnedObject): void {
    this.#queue.add(object.uid, object);
  }

  /** Acts on the latest state of an object. */
  #collect(object: OwnedObject): Waiting {
    const record = recordOf(object);
    return after(record && this.#orphan(object, record), () => this.#decide(object));
  }

  /** Removes the references to owners that leave their dependents behind. */
  #orphan(object: OwnedObject, { object: { metadata } }: StoredRecord): Waiting {
    const leaving = metadata.ownerReferences?.filter(({ uid }) => {
      const owner = this.#waiting.get(uid);
      const state = owner && recordOf(owner)?.object;
      return state && isOrphaningDependents(state);
    });
    return leaving && leaving.length > 0 ? this.#disown(object, leaving) : undefined;
  }

  #decide(object: OwnedObject): Waiting {
    const record = recordOf(object);
    if (!record) return undefined;
    if (isOrphaningDependents(record.object)) return this.#awaitOrphans(object);
    if (isDeletingDependents(record.object)) return this.#awaitDependents(object);
    return record.object.metadata.deletionTimestamp === undefined ? this.#judge(object, record) : undefined;
  }

  #judge(object: OwnedObject, record: StoredRecord): Waiting {
    const { ownerReferences = [] } = record.object.metadata;
    if (ownerReferences.length === 0) return undefined;
    const owners = this.#lookup.ownersOf(record.object);
    if (owners === 'unknown-kind') {
      this.#unresolved.set(object.uid, object);
      return undefined;
    }
    this.#unresolved.delete(object.uid);
    if (owners === 'out-of-reach' || owners.dangling.length > 0) this.#reportForeign(record);
    if (owners === 'out-of-reach') return undefined;
    const { solid, dangling, waiting } = owners;
    // An object with other owners stays: only the references to the deleted ones are removed.
    if (solid.length > 0) {
      const deleted = [...dangling, ...waiting];
      return deleted.length > 0 ? this.#disown(object, deleted) : undefined;
    }
    return waiting.length > 0 && this.#index.hasDependents(object.uid)
      ? this.#deleteInForeground(object)
      : this.#delete(object, record, policyOf(record));
  }

  #reportForeign({ object }: StoredRecord): void {
    const foreign = this.#lookup.foreignOwnerOf(object);
    if (foreign) reportForeignOwner(this.#machinery, object, foreign);
  }

  #deleteInForeground(object: OwnedObject): Waiting {
    const states = [...this.#index.dependentsOf(object.uid)].map((dependent) => recordOf(dependent)?.object);
    // Owners that wait for each other in a circle would wait forever.
    const isCircle = states.some((state) => state && isDeletingDependents(state));
    return after(isCircle ? this.#unblockOwners(object) : undefined, () => {
      const latest = recordOf(object);
      return latest && this.#delete(object, latest, 'Foreground');
    });
  }

  /** Their own turn follows: the last of them wakes this owner. */
  #awaitDependents(object: OwnedObject): Waiting {
    for (const { owners } of this.#index.dependentsOf(object.uid))
      if (owners.some(({ uid, blockOwnerDeletion }) => uid === object.uid && blockOwnerDeletion))
        return undefined;
    return this.#release(object, foregroundFinalizer);
  }

  /** Their own turn follows: the last of them wakes this owner. */
  #awaitOrphans(object: OwnedObject): Waiting {
    return this.#index.hasDependents(object.uid) ? undefined : this.#release(object, orphanFinalizer);
  }

  #release(object: OwnedObject, finalizer: string): Waiting {
    return this.#patch(object, 'finalizers', (finalizers) =>
      finalizers.filter((other) => other !== finalizer),
    );
  }

  #disown(object: OwnedObject, owners: readonly OwnerReference[]): Waiting {
    const uids = new Set(owners.map(({ uid }) => uid));
    return this.#patch(object, 'ownerReferences', (references) =>
      references.filter(({ uid }) => !uids.has(uid)),
    );
  }

  #unblockOwners(object: OwnedObject): Waiting {
    return this.#patch(object, 'ownerReferences', (references) =>
      references.map((owner) => ({ ...owner, blockOwnerDeletion: false })),
    );
  }

  /** Changes a list in the metadata of an object; removes an empty one. */
  #patch<Field extends keyof MetadataLists>(
    object: OwnedObject,
    field: Field,
    change: (list: MetadataLists[Field]) => MetadataLists[Field],
  ): Waiting {
    const target = this.#targetOf(object);
    if (!target) return undefined;
    const apply = (live: ApiObject) => {
      const { [field]: old, ...metadata } = live.metadata;
      const list = change((old ?? []) as MetadataLists[Field]);
      // With the UID, nothing happens to another object that has taken its name.
      const changed = { ...metadata, ...(list.length > 0 && { [field]: list }), uid: object.uid };
      // Admission may change every part of the copy.
      return cloneJson({ ...live, metadata: changed });
    };
    return settled(patchObject(this.#machinery, target, apply, controllerWrite(this.#user)));
  }

  /** A change of anything but the owners does not save an object. */
  #delete(object: OwnedObject, record: StoredRecord, propagationPolicy: PropagationPolicy): Waiting {
    const target = this.#targetOf(object);
    if (!target) return undefined;
    const remove = (preconditions: DeleteOptions['preconditions']) => {
      const options = { dryRun: false, propagationPolicy, preconditions };
      return settled(
        deleteObject(this.#machinery, target, options, {
          user: this.#user,
          client: undefined,
          warnings: [],
          audit: undefined,
        }),
      );
    };
    const { uid } = object;
    const { resourceVersion = '', ownerReferences } = record.object.metadata;
    return remove({ uid, resourceVersion })?.catch((error: unknown) => {
      const isConflict = error instanceof StatusError && error.status.code === 409;
      const latest = recordOf(object)?.object.metadata;
      if (!isConflict || !latest || !jsonEqual(latest.ownerReferences, ownerReferences)) throw error;
      return remove({ uid });
    });
  }

  #targetOf(object: OwnedObject): Target | undefined {
    const { name, namespace = '' } = recordOf(object)?.object.metadata ?? {};
    const [resource] = this.#machinery.registry.ofTable(object.table);
    return resource && name !== undefined ? { resource, namespace, name, subresource: '' } : undefined;
  }
}

/** The lists in the metadata that the collector changes. */
interface MetadataLists {
  finalizers: string[];
  ownerReferences: OwnerReference[];
}

/** The latest state of an object, unless another object has taken its name. */
function recordOf({ uid, table, key }: OwnedObject): StoredRecord | undefined {
  const record = table.get(key);
  return record?.object.metadata.uid === uid ? record : undefined;
}

/** The policy for an object's own dependents, which its finalizers may state. */
function policyOf({ object }: StoredRecord): PropagationPolicy {
  const { finalizers = [] } = object.metadata;
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}
