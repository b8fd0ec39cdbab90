/**
 * Where a tag has its effect. `file` means the comments of a file that declares kinds. `anywhere` means any
 * comment of a scanned file.
 */
export type Placement = 'kind' | 'type' | 'field' | 'file' | 'anywhere';

/** What is known about a tag before its value is read. */
export interface TagDefinition {
  readonly name: string;
  /** What the tag does, in one line. */
  readonly summary: string;
  /** Other names of the doc tag. */
  readonly aliases?: readonly string[];
  /** The equivalent Go markers, without the plus. */
  readonly markers?: readonly string[];
  readonly on: readonly Placement[];
  /** Whether the tag can be repeated in one place. */
  readonly repeatable?: boolean;
  /** The marker that is ignored beside another spelling of the same tag. */
  readonly yields?: string;
  /**
   * Whether no other tool has a tag of this name. An unused tag with this name, or a similar one, is then an
   * error in any file.
   */
  readonly distinctive?: boolean;
  /** Whether the value is free text, in which quotes and brackets have no special meaning. */
  readonly rawValue?: boolean;
  /** The hint for a tag in the wrong place, instead of where it belongs. */
  readonly elsewhere?: string;
}
