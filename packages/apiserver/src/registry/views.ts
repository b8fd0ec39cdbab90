import type { ApiObject } from '../json/api-object.ts';
import { jsonTextOf } from '../json/stringify-json.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { after } from './after.ts';
import { type Resource, apiVersionOf } from './resource.ts';

interface View {
  resource: Resource;
  object: ApiObject;
}

/** Nearly every state is shown in one version only: the first view is found at once. */
interface Views {
  first: View;
  others?: WeakMap<Resource, View>;
}

/** Views live as long as the stored state and the definition of the resource. */
const views = new WeakMap<StoredRecord, Views>();

/**
 * An object in the version of a resource. It is shared and must not be changed. Where a webhook converts, {@link prepareView}
 * must have converted it.
 */
export function viewOf(resource: Resource, record: StoredRecord): ApiObject {
  return cached(resource, record).object;
}

/** {@link viewOf} as JSON text. */
export function jsonOf(resource: Resource, record: StoredRecord): string {
  return jsonTextOf(viewOf(resource, record));
}

function cached(resource: Resource, record: StoredRecord): View {
  return (
    find(resource, record) ??
    remember(record, { resource, object: resource.strategy.fromStorage(record.object) })
  );
}

function find(resource: Resource, record: StoredRecord): View | undefined {
  const known = views.get(record);
  return known?.first.resource === resource ? known.first : known?.others?.get(resource);
}

function remember(record: StoredRecord, view: View): View {
  const known = views.get(record);
  if (!known || known.first.resource === view.resource) views.set(record, { ...known, first: view });
  else (known.others ??= new WeakMap()).set(view.resource, view);
  return view;
}

/** The states that a webhook is converting at the moment. */
const conversions = new WeakMap<StoredRecord, Map<Resource, Promise<void>>>();

/** How many objects of one list are converted at the same time. */
const maxConversions = 16;

/**
 * Converts what {@link viewOf} cannot convert at once, because a webhook does it.
 *
 * @returns undefined when there is nothing to wait for
 * @throws {StatusError} 500 when the webhook fails
 */
export function prepareView(resource: Resource, record: StoredRecord): Promise<void> | undefined {
  if (!resource.strategy.slowConversion || find(resource, record)) return undefined;
  const running = conversions.get(record)?.get(resource);
  if (running) return running;
  const ofRecord = conversions.get(record) ?? new Map<Resource, Promise<void>>();
  const done = renewView(resource, record)?.finally(() => ofRecord.delete(resource));
  if (!done) return undefined;
  conversions.set(record, ofRecord);
  ofRecord.set(resource, done);
  return done;
}

/** Like {@link prepareView}, also for a view that is known already, and without waiting for the conversion of another reader. */
export function renewView(resource: Resource, record: StoredRecord): Promise<void> | undefined {
  return resource.strategy.slowConversion
    ?.fromStorage(record.object)
    ?.then((object) => void remember(record, { resource, object }));
}

/**
 * Like {@link prepareView}, for a write. A real server compares the state that it knows with the stored one first, so it also
 * converts it back.
 */
export function prepareUpdate(resource: Resource, record: StoredRecord): Promise<unknown> | undefined {
  const { slowConversion } = resource.strategy;
  const known = slowConversion && find(resource, record);
  return known ? slowConversion.toStorage(known.object) : prepareView(resource, record);
}

/** Like {@link prepareUpdate}, for a deletion, which a real server begins with a read. */
export function prepareDeletion(resource: Resource, record: StoredRecord): Promise<unknown> | undefined {
  return renewView(resource, record)?.then(() => prepareUpdate(resource, record));
}

/** Whether {@link viewOf} can show a state: it is converted, or needs no webhook. */
export function isPrepared(resource: Resource, record: StoredRecord): boolean {
  const { slowConversion } = resource.strategy;
  return !slowConversion || record.object.apiVersion === apiVersionOf(resource) || !!find(resource, record);
}

/** {@link prepareView} for many states. The first failure in their order counts. */
export function prepareViews(
  resource: Resource,
  records: readonly StoredRecord[],
): Promise<void> | undefined {
  const { slowConversion } = resource.strategy;
  const missing = slowConversion ? records.filter((record) => !isPrepared(resource, record)) : [];
  return missing.length === 0 ? undefined : prepareAll(resource, missing);
}

async function prepareAll(resource: Resource, records: readonly StoredRecord[]): Promise<void> {
  for (let start = 0; start < records.length; start += maxConversions) {
    const batch = records.slice(start, start + maxConversions);
    const results = await Promise.allSettled(batch.map(async (record) => prepareView(resource, record)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}

/**
 * The view of a new state.
 *
 * @returns a promise only where a webhook has to convert it
 * @throws {StatusError} 500 when the webhook fails
 */
export function convertedView(resource: Resource, record: StoredRecord): ApiObject | Promise<ApiObject> {
  return after(prepareView(resource, record), () => viewOf(resource, record));
}
