import type { NamespaceCondition } from 'ots-kubernetes/core/v1';
import { isObject } from '../json/json-object.ts';
import { deleteRecord } from '../registry/delete.ts';
import { type Machinery, timestamp } from '../registry/machinery.ts';
import { contentFinalizer, finalizersOf } from '../built-in/core/namespace-strategy.ts';
import type { Resource } from '../registry/resource.ts';
import type { Change } from '../storage/change-log.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import type { Table } from '../storage/table.ts';
import { type Remaining, namespaceConditions } from './namespace-conditions.ts';
import { WorkQueue } from './work-queue.ts';
import { writeObject } from './write-object.ts';

/** Empties namespaces that are being deleted, and removes them once they are empty. */
export class NamespaceController {
  readonly #machinery: Machinery;
  readonly #namespaces: Resource;
  readonly #terminating = new Set<string>();
  readonly #queue = new WorkQueue<string>((name) => this.#sync(name));
  readonly #unsubscribe: () => void;

  /** @param namespaces the resource of the Namespaces */
  constructor(machinery: Machinery, namespaces: Resource) {
    this.#machinery = machinery;
    this.#namespaces = namespaces;
    this.#unsubscribe = machinery.store.subscribe((table, change) => this.#onChange(table, change));
  }

  stop(): void {
    this.#unsubscribe();
    this.#queue.stop();
  }

  #onChange(table: Table, { type, record }: Change): void {
    const { namespace = '', deletionTimestamp } = record.object.metadata;
    if (table === this.#namespaces.table) {
      if (type === 'DELETED') this.#terminating.delete(record.key);
      else if (deletionTimestamp !== undefined) {
        this.#terminating.add(record.key);
        this.#queue.add(record.key, record.key);
      }
    } else if (this.#terminating.has(namespace)) this.#queue.add(namespace, namespace);
  }

  #sync(name: string): void {
    const record = this.#namespaces.table.get(name);
    if (!record || !this.#terminating.has(name) || finalizersOf(record.object).length === 0) return;
    const resources = this.#namespacedResources();
    // Pods go first: they may need the rest until they end.
    const pods = this.#empty(name, resources.filter(isPods));
    if (pods.resources.size > 0) {
      // While pods terminate the rest is not visited, so the conditions do not report what remains.
      this.#report(record, { resources: new Map(), finalizers: new Map() });
      return;
    }
    const remaining = this.#empty(
      name,
      resources.filter((resource) => !isPods(resource)),
    );
    this.#report(record, remaining);
    if (remaining.resources.size === 0) this.#finalize(name);
  }

  /** Deletes all objects of some resources, and counts those that remain. */
  #empty(name: string, resources: readonly Resource[]): Remaining {
    const remaining: Remaining = { resources: new Map(), finalizers: new Map() };
    const options = { dryRun: false, propagationPolicy: 'Background' as const, preconditions: {} };
    for (const resource of resources) {
      for (const record of resource.table.list(`${name}/`))
        deleteRecord(this.#machinery, resource, record, options);
      const left = resource.table.list(`${name}/`);
      if (left.length > 0) remaining.resources.set(`${resource.plural}.${resource.group}`, left.length);
      for (const finalizer of left.flatMap(({ object }) => object.metadata.finalizers ?? []))
        remaining.finalizers.set(finalizer, (remaining.finalizers.get(finalizer) ?? 0) + 1);
    }
    return remaining;
  }

  #report(record: StoredRecord, remaining: Remaining): void {
    const status = isObject(record.object['status']) ? record.object['status'] : {};
    const old = conditionsOf(status);
    const conditions = namespaceConditions(old, remaining, timestamp(this.#machinery));
    if (conditions !== old)
      writeObject(this.#machinery, this.#namespaces, record, { status: { ...status, conditions } }, 'status');
  }

  #finalize(name: string): void {
    const record = this.#namespaces.table.get(name);
    if (!record) return;
    const finalizers = finalizersOf(record.object).filter((finalizer) => finalizer !== contentFinalizer);
    writeObject(this.#machinery, this.#namespaces, record, { spec: { finalizers } }, 'finalize');
  }

  #namespacedResources(): Resource[] {
    const { registry } = this.#machinery;
    return registry
      .all()
      .filter(
        (resource) => resource.scope === 'Namespaced' && registry.ofTable(resource.table)[0] === resource,
      );
  }
}

function conditionsOf(status: Record<string, unknown>): readonly NamespaceCondition[] {
  const { conditions } = status;
  // Only this controller writes these conditions; others' changes are overwritten.
  return Array.isArray(conditions) && conditions.every(isCondition) ? conditions : [];
}

function isCondition(value: unknown): value is NamespaceCondition {
  return isObject(value) && typeof value['type'] === 'string' && typeof value['status'] === 'string';
}

function isPods({ group, plural }: Resource): boolean {
  return group === '' && plural === 'pods';
}
