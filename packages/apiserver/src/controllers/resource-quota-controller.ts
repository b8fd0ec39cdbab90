import type { ResourceQuota } from 'ots-kubernetes/core/v1';
import { formatAmounts, parseAmounts, sameAmounts } from '../admission/resource-quota/amounts.ts';
import { recount } from '../admission/resource-quota/recount.ts';
import { jsonEqual } from '../json/json-equal.ts';
import type { Machinery } from '../registry/machinery.ts';
import type { Resource } from '../registry/resource.ts';
import type { Change } from '../storage/change-log.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import type { Table } from '../storage/table.ts';
import { WorkQueue } from './work-queue.ts';
import { writeObject } from './write-object.ts';

/**
 * Writes the limits of ResourceQuotas into their status, and counts again what is used after objects are gone or
 * changed. Admission counts new objects.
 */
export class ResourceQuotaController {
  readonly #machinery: Machinery;
  readonly #quotas: Resource;
  readonly #queue: WorkQueue<string>;
  /** The tables of the kinds whose objects can use more or less than before. */
  readonly #varying: ReadonlySet<Table | undefined>;
  readonly #unsubscribe: () => void;

  /** @param quotas the resource of the ResourceQuotas */
  constructor(machinery: Machinery, quotas: Resource) {
    this.#machinery = machinery;
    this.#queue = new WorkQueue(machinery.clock, (namespace) => this.#sync(namespace));
    this.#quotas = quotas;
    const kinds = ['pods', 'services', 'persistentvolumeclaims'];
    this.#varying = new Set(kinds.map((plural) => machinery.registry.find('', 'v1', plural)?.table));
    this.#unsubscribe = machinery.store.subscribe((table, change) => this.#onChange(table, change));
  }

  stop(): void {
    this.#unsubscribe();
    this.#queue.stop();
  }

  #onChange(table: Table, change: Change): void {
    const { namespace = '' } = change.record.object.metadata;
    if (this.#quotas.table.size === 0 || namespace === '') return;
    if (this.#mayChangeUsage(table, change)) this.#queue.add(namespace, namespace);
  }

  /** New objects were counted when they were admitted. Changes of most kinds do not matter. */
  #mayChangeUsage(table: Table, { type, record, previous }: Change): boolean {
    if (type === 'DELETED') return true;
    if (table === this.#quotas.table) return !jsonEqual(record.object['spec'], previous?.object['spec']);
    return type === 'MODIFIED' && this.#varying.has(table);
  }

  #sync(namespace: string): void {
    for (const record of this.#quotas.table.list(`${namespace}/`)) this.#count(record);
  }

  #count(record: StoredRecord): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored was decoded
    const quota = record.object as unknown as ResourceQuota;
    const { hard = {} } = quota.spec ?? {};
    const used = recount(this.#machinery.registry, quota, this.#machinery.now());
    const { status } = quota;
    const isCurrent =
      sameAmounts(parseAmounts(status?.hard), parseAmounts(hard)) &&
      sameAmounts(parseAmounts(status?.used), used);
    if (isCurrent) return;
    const counted = {
      ...(Object.keys(hard).length > 0 && { hard: { ...hard } }),
      ...(used.size > 0 && { used: formatAmounts(used) }),
    };
    writeObject(this.#machinery, this.#quotas, record, { status: counted }, 'status');
  }
}
