import type { StrictErrors } from '../decoding/strict-errors.ts';
import type { ApiObject } from '../json/api-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import { decodeMetadata } from '../metadata/decode-metadata.ts';
import { type Resource, apiVersionOf } from './resource.ts';

/** Puts apiVersion and kind first, where people look for them. */
const typeMetaFirst = { apiVersion: '', kind: '', metadata: {} };

/**
 * Decodes a JSON object as an object of a resource: prunes it and sets defaults.
 *
 * @param strict receives strict-decoding errors, first those in the metadata of custom resources
 * @throws {DecodeError} when a field has the wrong type
 */
export function decodeObjectOf(resource: Resource, value: JsonObject, strict: StrictErrors): ApiObject {
  const { strategy } = resource;
  const type = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strategy decodes the metadata
  if (strategy.decodesMetadata) return strategy.decode({ ...value, ...type } as ApiObject, strict);
  const metadata = decodeMetadata(value['metadata'], strict);
  return strategy.decode({ ...typeMetaFirst, ...value, ...type, metadata }, strict);
}
