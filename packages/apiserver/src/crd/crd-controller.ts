import type { CustomResourceDefinitionCondition } from 'ots-kubernetes/apiextensions/v1';
import { systemUser } from '../authentication/user-info.ts';
import { deleteRecord } from '../registry/delete.ts';
import { type Machinery, timestamp } from '../registry/machinery.ts';
import { type OwnWrite, noteOwnWrite } from '../registry/own-write.ts';
import type { Resource } from '../registry/resource.ts';
import { StatusError } from '../status/status-error.ts';
import type { Change } from '../storage/change-log.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import type { Table } from '../storage/table.ts';
import type { ServiceEndpoints } from '../webhooks/service-endpoints.ts';
import { findNameConflict } from './accepted-names.ts';
import { type Crd, asCrd } from './crd-types.ts';
import { cleanupFinalizer } from './crd-strategy.ts';
import { resourcesOf } from './resources-of-crd.ts';

/** When a write that the store refused is tried again, in milliseconds. */
const retryMs = 1000;

type ConditionChange = Omit<CustomResourceDefinitionCondition, 'lastTransitionTime'>;

interface Served {
  table: Table;
  uid: string | undefined;
  generation: number | undefined;
  terminating: boolean;
}

/** Serves custom resources: watches the definitions, reports their state in their status, and cleans up after them. */
export class CrdController {
  readonly #machinery: Machinery;
  readonly #definitions: Table;
  readonly #services: ServiceEndpoints;
  readonly #served = new Map<string, Served>();

  /**
   * @param definitions the table of the CustomResourceDefinitions
   * @param services where webhooks listen that convert between versions
   */
  constructor(machinery: Machinery, definitions: Table, services: ServiceEndpoints) {
    this.#machinery = machinery;
    this.#services = services;
    this.#definitions = definitions;
    machinery.store.subscribe((table, change) => this.#onChange(table, change));
  }

  /** Creates the tables of the definitions in a store that is being loaded, before their objects are there. */
  defineStored(): void {
    for (const { key, object } of this.#definitions.list()) {
      const crd = asCrd(object);
      const names = crd.status?.acceptedNames;
      // Without a generation, the definition is served again when its turn comes.
      const { generation: _, ...metadata } = crd.metadata;
      // Names that are not accepted yet are empty.
      if (names?.plural) this.#serve(key, { ...crd, metadata, spec: { ...crd.spec, names } }, false);
    }
  }

  #onChange(table: Table, { type, record }: Change): void {
    if (table === this.#definitions) {
      if (type === 'DELETED') this.#forget(record.key);
      else this.#persevere(() => this.#sync(record.key));
    } else if (type === 'DELETED') {
      for (const [name, served] of this.#served)
        if (served.table === table && served.terminating) this.#persevere(() => this.#finish(name));
    }
  }

  /** Tries again later what the store refuses. Meanwhile others receive the change. */
  #persevere(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.#machinery.clock.setTimeout(() => this.#persevere(act), retryMs);
    }
  }

  /** Works on the latest state: the change that triggered it may be older. */
  #sync(name: string): void {
    const record = this.#definitions.get(name);
    if (!record) return;
    const crd = asCrd(record.object);
    if (crd.metadata.deletionTimestamp !== undefined) {
      this.#terminate(record, crd);
      return;
    }
    const others = this.#definitions.list().filter(({ key }) => key !== name);
    const conflict = findNameConflict(
      crd,
      others.map(({ object }) => asCrd(object)),
    );
    if (!conflict) this.#serve(name, crd, false);
    this.#setConditions(
      record,
      conflict
        ? [
            { type: 'NamesAccepted', status: 'False', ...conflict },
            {
              type: 'Established',
              status: 'False',
              reason: 'NotAccepted',
              message: 'not all names are accepted',
            },
          ]
        : [
            { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
            {
              type: 'Established',
              status: 'True',
              reason: 'InitialNamesAccepted',
              message: 'the initial names have been accepted',
            },
          ],
      conflict === undefined,
    );
  }

  #serve(name: string, crd: Crd, terminating: boolean): void {
    const { generation, uid } = crd.metadata;
    const before = this.#served.get(name);
    if (
      before &&
      before.generation === generation &&
      before.terminating === terminating &&
      before.uid === uid
    )
      return;
    const table = before?.table ?? this.#machinery.store.createTable(name, 'json');
    this.#served.set(name, { table, uid, generation, terminating });
    const { registry, random } = this.#machinery;
    registry.define(table, resourcesOf(crd, table, terminating, { services: this.#services, random }));
  }

  #terminate(record: StoredRecord, crd: Crd): void {
    const served = this.#served.get(record.key);
    if (served) {
      this.#serve(record.key, crd, true);
      this.#setConditions(record, [
        {
          type: 'Terminating',
          status: 'True',
          reason: 'InstanceDeletionInProgress',
          message: 'CustomResource deletion is in progress',
        },
      ]);
      const [resource] = this.#machinery.registry.ofTable(served.table);
      const options = { dryRun: false, preconditions: {} };
      for (const object of served.table.list()) {
        if (!resource || object.object.metadata.deletionTimestamp !== undefined) continue;
        const deleted = deleteRecord(this.#machinery, resource, object, options);
        this.#note('delete', resource, deleted.record);
      }
    }
    this.#finish(record.key);
  }

  /** Removes a definition once none of its objects is left. */
  #finish(name: string): void {
    const record = this.#definitions.get(name);
    if (!record || (this.#served.get(name)?.table.size ?? 0) > 0) return;
    const finalizers =
      record.object.metadata.finalizers?.filter((finalizer) => finalizer !== cleanupFinalizer) ?? [];
    if (finalizers.length === 0) this.#noteDefinition(this.#definitions.delete(record), '');
    else if (finalizers.length !== record.object.metadata.finalizers?.length) {
      const metadata = { ...record.object.metadata, finalizers };
      this.#noteDefinition(this.#definitions.put(name, { ...record.object, metadata }), '');
    }
  }

  #forget(name: string): void {
    const served = this.#served.get(name);
    this.#served.delete(name);
    if (!served) return;
    this.#machinery.store.dropTable(served.table);
    this.#machinery.registry.define(served.table, []);
  }

  #setConditions(record: StoredRecord, changes: readonly ConditionChange[], accepted = false): void {
    const crd = asCrd(record.object);
    const old = crd.status?.conditions ?? [];
    const merged = mergeConditions(old, changes, timestamp(this.#machinery));
    const acceptedNames = accepted ? crd.spec.names : crd.status?.acceptedNames;
    if (merged === old && JSON.stringify(acceptedNames) === JSON.stringify(crd.status?.acceptedNames)) return;
    const status = { ...crd.status, conditions: merged, ...(acceptedNames && { acceptedNames }) };
    this.#noteDefinition(this.#definitions.put(record.key, { ...crd, status }), 'status');
  }

  #noteDefinition(record: StoredRecord, subresource: string): void {
    const [resource] = this.#machinery.registry.ofTable(this.#definitions);
    if (resource) this.#note('update', resource, record, subresource);
  }

  #note(verb: OwnWrite['verb'], resource: Resource, record: StoredRecord, subresource = ''): void {
    noteOwnWrite(this.#machinery, verb, { resource, subresource }, record, { user: systemUser });
  }
}

/** Returns the same list when nothing changed. */
function mergeConditions(
  old: CustomResourceDefinitionCondition[],
  changes: readonly ConditionChange[],
  now: string,
): CustomResourceDefinitionCondition[] {
  let merged = old;
  for (const change of changes) {
    const before = merged.find(({ type }) => type === change.type);
    if (before?.status === change.status && before.reason === change.reason) continue;
    const lastTransitionTime = before?.status === change.status ? (before.lastTransitionTime ?? now) : now;
    merged = [...merged.filter(({ type }) => type !== change.type), { ...change, lastTransitionTime }];
  }
  return merged;
}
