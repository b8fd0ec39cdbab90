import type { NamespaceCondition } from 'ots-kubernetes/core/v1';
import type { UserInfo } from '../authentication/user-info.ts';
import { isObject } from '../json/json-object.ts';
import type { ApiObject } from '../json/api-object.ts';
import { cloneJson } from '../json/clone-json.ts';
import { type Waiting, after, inSequence, settled } from '../registry/after.ts';
import { deleteListed } from '../registry/delete-collection.ts';
import { type Machinery, timestamp } from '../registry/machinery.ts';
import { contentFinalizer, finalizersOf } from '../built-in/core/namespace-strategy.ts';
import { patchObject } from '../registry/patch.ts';
import type { Resource } from '../registry/resource.ts';
import { prepareViews } from '../registry/views.ts';
import { StatusError } from '../status/status-error.ts';
import type { Change } from '../storage/change-log.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import type { Table } from '../storage/table.ts';
import { type Remaining, namespaceConditions } from './namespace-conditions.ts';
import { WorkQueue } from './work-queue.ts';
import { controllerUser, controllerWrite } from './controller-user.ts';

const background = { dryRun: false, propagationPolicy: 'Background' as const, preconditions: {} };

/** Empties namespaces that are being deleted, and removes them once they are empty. */
export class NamespaceController {
  readonly #machinery: Machinery;
  readonly #namespaces: Resource;
  readonly #user: UserInfo;
  readonly #terminating = new Set<string>();
  /** States of objects that remain after their deletion: deleting them again would change nothing. */
  readonly #deleting = new WeakSet<StoredRecord>();
  readonly #queue: WorkQueue<string>;
  readonly #unsubscribe: () => void;

  /** @param namespaces the resource of the Namespaces */
  constructor(machinery: Machinery, namespaces: Resource) {
    this.#machinery = machinery;
    this.#user = controllerUser('namespace-controller', machinery.random);
    this.#queue = new WorkQueue(machinery.clock, (name) => this.#sync(name));
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

  #sync(name: string): Waiting {
    const record = this.#namespaces.table.get(name);
    if (!record || !this.#terminating.has(name) || finalizersOf(record.object).length === 0) return undefined;
    const resources = this.#namespacedResources();
    const remaining = noneRemaining();
    // Pods go first: they may need the rest until they end.
    return after(this.#empty(name, resources.filter(isPods), remaining), () => {
      // While pods terminate the rest is not visited, so the conditions do not report what remains.
      if (remaining.resources.size > 0) return this.#report(name, noneRemaining());
      const others = resources.filter((resource) => !isPods(resource));
      return after(this.#empty(name, others, remaining), () => this.#end(name, remaining));
    });
  }

  /** @throws {StatusError} when some content cannot be deleted */
  #end(name: string, remaining: Remaining): Waiting {
    return after(this.#report(name, remaining), () => {
      const [error] = remaining.errors;
      if (error) throw error;
      return remaining.resources.size === 0 ? this.#finalize(name) : undefined;
    });
  }

  /** Deletes all objects of some resources, and notes what remains. */
  #empty(name: string, resources: readonly Resource[], remaining: Remaining): Waiting {
    return inSequence(resources.values(), (resource) =>
      unlessRefused(
        () => after(this.#deleteAll(name, resource), () => this.#note(name, resource, remaining)),
        (error) => void remaining.errors.push(error),
      ),
    );
  }

  #note(namespace: string, { plural, group, table }: Resource, remaining: Remaining): undefined {
    const left = table.list(`${namespace}/`);
    if (left.length > 0) remaining.resources.set(`${plural}.${group}`, left.length);
    for (const record of left) {
      this.#deleting.add(record);
      for (const finalizer of record.object.metadata.finalizers ?? [])
        remaining.finalizers.set(finalizer, (remaining.finalizers.get(finalizer) ?? 0) + 1);
    }
  }

  #deleteAll(namespace: string, resource: Resource): Waiting {
    const all = resource.table.list(`${namespace}/`);
    const records = all.filter((record) => !this.#deleting.has(record));
    if (records.length === 0) return undefined;
    const target = { resource, namespace, name: '', subresource: '' };
    const deletion = { user: this.#user, client: undefined, warnings: [], audit: undefined };
    return after(prepareViews(resource, records), () =>
      deleteListed(this.#machinery, target, records, background, deletion),
    );
  }

  /** What happens to the objects does not depend on whether the status can be written. */
  #report(name: string, remaining: Remaining): Waiting {
    const record = this.#namespaces.table.get(name);
    const old = conditionsOf(record?.object['status']);
    const conditions = namespaceConditions(old, remaining, timestamp(this.#machinery));
    if (!record || conditions === old) return undefined;
    return unlessRefused(
      () =>
        this.#write(name, 'status', (live) => ({
          status: { ...(isObject(live['status']) && live['status']), conditions },
        })),
      () => {},
    );
  }

  #finalize(name: string): Waiting {
    return this.#write(name, 'finalize', (live) => {
      const finalizers = finalizersOf(live).filter((finalizer) => finalizer !== contentFinalizer);
      const spec = finalizers.length > 0 ? { finalizers } : {};
      // Webhooks see the default of a status that was not sent. The server keeps the old one.
      return { spec, status: { phase: 'Active' } };
    });
  }

  #write(name: string, subresource: string, change: (live: ApiObject) => Partial<ApiObject>): Waiting {
    const target = { resource: this.#namespaces, namespace: '', name, subresource };
    const apply = (live: ApiObject) => cloneJson({ ...live, ...change(live) });
    return settled(patchObject(this.#machinery, target, apply, controllerWrite(this.#user)));
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

function noneRemaining(): Remaining {
  return { resources: new Map(), finalizers: new Map(), errors: [] };
}

function conditionsOf(status: unknown): readonly NamespaceCondition[] {
  const conditions = isObject(status) ? status['conditions'] : undefined;
  // Only this controller writes these conditions; others' changes are overwritten.
  return Array.isArray(conditions) && conditions.every(isCondition) ? conditions : [];
}

/** Runs a step, which a refusal of the server ends without failing. */
function unlessRefused(step: () => Waiting, refused: (error: StatusError) => void): Waiting {
  const handle = (error: unknown) => {
    if (!(error instanceof StatusError)) throw error;
    refused(error);
  };
  try {
    return step()?.catch(handle);
  } catch (error) {
    handle(error);
    return undefined;
  }
}

function isCondition(value: unknown): value is NamespaceCondition {
  return isObject(value) && typeof value['type'] === 'string' && typeof value['status'] === 'string';
}

function isPods({ group, plural }: Resource): boolean {
  return group === '' && plural === 'pods';
}
