import type { JsonObject } from '../json/json-object.ts';
import type { Atom } from './atom.ts';
import type { FieldSet } from './field-set.ts';
import type { StepOrder } from './fields-v1.ts';

/** The versions of a resource, for field ownership: every manager's set belongs to one of them. */
export interface TypedVersions {
  /** The atom of a version; undefined for one that is not served. */
  atomOf(apiVersion: string): Atom | undefined;
  /**
   * Converts an object to another served version. The result may share parts with the object.
   *
   * @param task what fails when the conversion fails, such as `convert new object`; empty to say nothing
   */
  convert(object: JsonObject, apiVersion: string, task: string): JsonObject;
  /** How path elements are sorted when sets are encoded. */
  readonly order: StepOrder;
  /** The fields without an owner, because the endpoint does not write them. */
  resetFields(apiVersion: string): FieldSet | undefined;
}
