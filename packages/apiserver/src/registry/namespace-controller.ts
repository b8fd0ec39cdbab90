import { isObject } from '../objects/json-object.ts';
import type { Change } from '../storage/change-log.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import type { Table } from '../storage/table.ts';
import { deleteRecord } from './delete.ts';
import type { Machinery } from './machinery.ts';

/** Empties namespaces that are being deleted, and removes them once nothing is left in them. */
export class NamespaceController {
  readonly #machinery: Machinery;
  readonly #namespaces: Table;
  readonly #terminating = new Set<string>();

  /** @param namespaces the table of the Namespaces */
  constructor(machinery: Machinery, namespaces: Table) {
    this.#machinery = machinery;
    this.#namespaces = namespaces;
    machinery.store.subscribe((table, change) => this.#onChange(table, change));
  }

  #onChange(table: Table, { type, record }: Change): void {
    if (table === this.#namespaces) {
      if (type === 'DELETED') this.#terminating.delete(record.key);
      else if (record.object.metadata.deletionTimestamp !== undefined) this.#terminate(record.key);
    } else if (type === 'DELETED') {
      const { namespace = '' } = record.object.metadata;
      if (this.#terminating.has(namespace)) this.#finish(namespace);
    }
  }

  #terminate(name: string): void {
    if (!this.#terminating.has(name)) {
      this.#terminating.add(name);
      const options = { dryRun: false, preconditions: {} };
      for (const table of this.#namespacedTables()) {
        const [resource] = this.#machinery.registry.ofTable(table);
        if (resource)
          for (const record of table.list(`${name}/`))
            deleteRecord(this.#machinery, resource, record, options);
      }
    }
    this.#finish(name);
  }

  #finish(name: string): void {
    const record = this.#namespaces.get(name);
    if (!record || this.#namespacedTables().some((table) => table.list(`${name}/`).length > 0)) return;
    const { finalizers = [] } = record.object.metadata;
    if (finalizers.length === 0) this.#namespaces.delete(record);
    // Somebody's own finalizer keeps the empty namespace.
    else if (!isEmptied(record)) this.#namespaces.put(name, { ...record.object, spec: {} });
  }

  #namespacedTables(): Table[] {
    const resources = this.#machinery.registry.all().filter(({ scope }) => scope === 'Namespaced');
    return [...new Set(resources.map(({ table }) => table))];
  }
}

/** Whether the finalizer of the content is gone already. */
function isEmptied({ object }: StoredRecord): boolean {
  return isObject(object['spec']) && Object.keys(object['spec']).length === 0;
}
