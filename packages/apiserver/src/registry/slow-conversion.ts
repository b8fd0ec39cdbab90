import type { ApiObject } from '../json/api-object.ts';
import type { JsonObject } from '../json/json-object.ts';

/**
 * Converts the objects of a kind whose versions a webhook converts. What needs no webhook returns undefined: the strategy
 * converts it at once.
 */
export interface SlowConversion {
  /** @throws {StatusError} 500 when the webhook fails */
  toStorage(object: ApiObject): Promise<ApiObject> | undefined;
  /** @throws {StatusError} 500 when the webhook fails */
  fromStorage(object: ApiObject): Promise<ApiObject> | undefined;
  /**
   * Converts an object between served versions as the webhook does it, without pruning and defaults.
   *
   * @throws {StatusError} 500 when the webhook fails
   */
  convert(object: JsonObject, apiVersion: string): Promise<ApiObject>;
}
