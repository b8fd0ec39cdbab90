import type { JsonObject } from '../json/json-object.ts';
import type { Atom } from './atom.ts';
import type { FieldSet } from './field-set.ts';
import type { StepOrder } from './fields-v1.ts';

/** The versions of a resource, as ownership sees them: every manager's set speaks of one of them. */
export interface TypedVersions {
  /** The schema of a version; undefined for one that is not served. */
  atomOf(apiVersion: string): Atom | undefined;
  /** An object in another version that is served. It may share parts with the given one. */
  convert(object: JsonObject, apiVersion: string): JsonObject;
  /** How the steps of sets are sorted when they are written. */
  readonly order: StepOrder;
  /** The fields that nobody owns, because the endpoint does not write them. */
  resetFields(apiVersion: string): FieldSet | undefined;
}
