import type { Event } from 'ots-kubernetes/core/v1';
import type { ApiObject } from '../../../json/api-object.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';

/** Casts a decoded object of the core version. */
export function eventOf(object: ApiObject): BuiltInObject<Event> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
  return object as BuiltInObject<Event>;
}
