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
}
