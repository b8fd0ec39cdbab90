import type { ApiObject } from '../objects/api-object.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import type { Resource } from './resource.ts';

interface View {
  object: ApiObject;
  json?: string;
}

/** Views live as long as the state of the object and the definition of the resource that they show. */
const views = new WeakMap<StoredRecord, WeakMap<Resource, View>>();

/** An object in the version of a resource. It is shared: nobody may change it. */
export function viewOf(resource: Resource, record: StoredRecord): ApiObject {
  return cached(resource, record).object;
}

/** {@link viewOf} as JSON text. Gets, lists and watches of one state share it. */
export function jsonOf(resource: Resource, record: StoredRecord): string {
  const view = cached(resource, record);
  view.json ??= JSON.stringify(view.object);
  return view.json;
}

function cached(resource: Resource, record: StoredRecord): View {
  let ofRecord = views.get(record);
  if (!ofRecord) views.set(record, (ofRecord = new WeakMap()));
  let view = ofRecord.get(resource);
  if (!view) ofRecord.set(resource, (view = { object: resource.strategy.fromStorage(record.object) }));
  return view;
}
