import type { ApiObject } from '../json/api-object.ts';
import { cloneJson } from '../json/clone-json.ts';
import { type Resource, apiVersionOf } from '../registry/resource.ts';
import { unstructured, unstructuredJson } from '../registry/unstructured.ts';

/**
 * An object in another version of its resource. The result shares nothing with the object.
 *
 * @returns a promise only where a webhook converts the kind
 * @throws {StatusError} 500 when the webhook fails
 */
export function convertObject(
  object: ApiObject,
  from: Resource,
  to: Resource,
): ApiObject | Promise<ApiObject> {
  const { slowConversion } = to.strategy;
  if (slowConversion) return slowConversion.convert(object, apiVersionOf(to));
  if (to.custom) return unstructured(to, cloneJson(unstructuredJson(object)));
  return to.strategy.fromStorage(from.strategy.toStorage(cloneJson(object)));
}
