import { cloneJson } from '../json/clone-json.ts';
import { jsonEqual } from '../json/json-equal.ts';
import { createOwnObject } from '../registry/create.ts';
import type { Machinery } from '../registry/machinery.ts';
import { type Resource, apiVersionOf, keyOf } from '../registry/resource.ts';
import type { Change } from '../storage/change-log.ts';
import type { Table } from '../storage/table.ts';
import { WorkQueue } from './work-queue.ts';
import { ownWrite, writeObject } from './write-object.ts';

/** An object that every namespace has. */
export interface NamespaceObject {
  resource: Resource;
  name: string;
  /** The fields to maintain; the rest of the object is left alone. */
  fields: Record<string, unknown>;
}

/** Maintains one object in every namespace: creates it, and restores it when it is changed or deleted. */
export class NamespaceObjectController {
  readonly #machinery: Machinery;
  readonly #namespaces: Resource;
  readonly #wanted: NamespaceObject;
  readonly #queue: WorkQueue<string>;
  readonly #unsubscribe: () => void;

  /** @param namespaces the resource of the Namespaces */
  constructor(machinery: Machinery, namespaces: Resource, wanted: NamespaceObject) {
    this.#machinery = machinery;
    this.#queue = new WorkQueue(machinery.clock, (namespace) => this.#sync(namespace));
    this.#namespaces = namespaces;
    this.#wanted = wanted;
    this.#unsubscribe = machinery.store.subscribe((table, change) => this.#onChange(table, change));
  }

  stop(): void {
    this.#unsubscribe();
    this.#queue.stop();
  }

  #onChange(table: Table, { type, record }: Change): void {
    const { name = '', namespace = '' } = record.object.metadata;
    if (table === this.#namespaces.table) {
      if (type !== 'DELETED') this.#queue.add(name, name);
    } else if (table === this.#wanted.resource.table && name === this.#wanted.name) {
      if (type !== 'ADDED') this.#queue.add(namespace, namespace);
    }
  }

  #sync(namespace: string): void {
    const { resource, name, fields } = this.#wanted;
    const namespaceObject = this.#namespaces.table.get(namespace)?.object;
    if (!namespaceObject || namespaceObject.metadata.deletionTimestamp !== undefined) return;
    const record = resource.table.get(keyOf(resource, namespace, name));
    if (!record) {
      const type = { apiVersion: apiVersionOf(resource), kind: resource.kind };
      const target = { resource, namespace, name, subresource: '' };
      createOwnObject(
        this.#machinery,
        target,
        { ...type, metadata: { name }, ...cloneJson(fields) },
        ownWrite,
      );
    } else if (Object.entries(fields).some(([field, value]) => !jsonEqual(record.object[field], value))) {
      writeObject(this.#machinery, resource, record, cloneJson(fields));
    }
  }
}
