/**
 * How a file may be changed:
 * - `scaffold`: the author owns it once it is written; different content on disk is a conflict
 * - `generated`: ots owns it and rewrites it (CRDs, roles, PROJECT)
 * - `insertion`: lines were added to what the author has; the rest is untouched
 */
export type ChangeOrigin = 'scaffold' | 'generated' | 'insertion';

/** One file of a plan. `before` is undefined for a new file, `after` for a removed one. */
export interface Change {
  readonly path: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly origin: ChangeOrigin;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  /** Permission bits of a new file; an existing one keeps its own. */
  readonly mode: number;
  /** True when an author's file is replaced because of --force. */
  readonly forced: boolean;
}
