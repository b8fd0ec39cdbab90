import type { Tag } from '../tag-syntax/tag.ts';

/**
 * The key of a property's tags that concern the whole kind. They take effect once the property's path in the
 * kind is known. A symbol survives copies of the schema and does not appear in YAML and JSON.
 */
export const marksKey: unique symbol = Symbol('marks');

export interface FieldMarks {
  /** kubectl shows the value in a column. */
  readonly column?: Tag;
  /** Field selectors can select objects by the value. */
  readonly selectable?: Tag;
  /** The value can be neither changed nor removed. */
  readonly immutable?: Tag;
  /** What the Operator Lifecycle Manager shows about the value; on the schema of a kind, about the kind. */
  readonly olm?: readonly OlmTag[];
}

/** The arguments of one @olm tag. */
export interface OlmTag {
  readonly displayName?: string;
  readonly order?: number;
  readonly resources?: readonly OlmResource[];
  readonly xDescriptors?: readonly string[];
  /** The part of the object that a marker is about. Default: the one that has the field. */
  readonly type?: string;
}

/** A kind of objects that the operator creates for an object, as the Operator Lifecycle Manager lists it. */
export interface OlmResource {
  readonly kind: string;
  /** Without the group. */
  readonly version: string;
  /** Empty if it differs from object to object. */
  readonly name: string;
}
