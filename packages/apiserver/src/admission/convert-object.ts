import type { ApiObject } from '../json/api-object.ts';
import { cloneJson } from '../json/clone-json.ts';
import type { Resource } from '../registry/resource.ts';

/** An object in another version of its resource. The result shares nothing with the object. */
export function convertObject(object: ApiObject, from: Resource, to: Resource): ApiObject {
  return to.strategy.fromStorage(from.strategy.toStorage(cloneJson(object)));
}
