import type { ApiObject } from '../json/api-object.ts';
import { jsonTextOf } from '../json/stringify-json.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import type { Resource } from './resource.ts';

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

/** An object in the version of a resource. It is shared and must not be changed. */
export function viewOf(resource: Resource, record: StoredRecord): ApiObject {
  return cached(resource, record).object;
}

/** {@link viewOf} as JSON text. */
export function jsonOf(resource: Resource, record: StoredRecord): string {
  return jsonTextOf(viewOf(resource, record));
}

function cached(resource: Resource, record: StoredRecord): View {
  const known = views.get(record);
  if (known?.first.resource === resource) return known.first;
  const other = known?.others?.get(resource);
  if (other) return other;
  const view = { resource, object: resource.strategy.fromStorage(record.object) };
  if (!known) views.set(record, { first: view });
  else (known.others ??= new WeakMap()).set(resource, view);
  return view;
}
