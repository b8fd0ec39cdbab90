import type { Tag } from '../tag-syntax/tag.ts';

/**
 * The key of the tags of a property that are about the kind as a whole: they take effect once it is known where the property ends up.
 * A symbol: copies of the schema keep it, YAML and JSON do not show it.
 */
export const marksKey: unique symbol = Symbol('marks');

export interface FieldMarks {
  /** kubectl shows the value in a column. */
  readonly column?: Tag;
  /** Objects can be selected by the value. */
  readonly selectable?: Tag;
  /** The value cannot change, nor be removed. */
  readonly immutable?: Tag;
}
