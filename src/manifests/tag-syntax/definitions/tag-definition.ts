/** Where a tag has its effect; `file` means the comments of a file that declares kinds, `anywhere` any comment of a scanned file. */
export type Placement = 'kind' | 'type' | 'field' | 'file' | 'anywhere';

/** What is known about a tag before its value is read. */
export interface TagDefinition {
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** Other names of the doc tag. */
  readonly aliases?: readonly string[];
  /** The same in the spelling of Go, without the plus. */
  readonly markers?: readonly string[];
  readonly on: readonly Placement[];
  /** May stand several times at one place. */
  readonly repeatable?: boolean;
  /** The marker that gives way to the other spellings, where it stands beside one. */
  readonly yields?: string;
  /** No other tool has a tag of this name, so finding it (or nearly it) without effect is a mistake in any file. */
  readonly distinctive?: boolean;
  /** The value is free text, in which quotes and brackets have no meaning of their own. */
  readonly rawValue?: boolean;
  /** What to say where it has no effect, instead of where it belongs. */
  readonly elsewhere?: string;
}
