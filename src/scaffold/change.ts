/**
 * Who owns the content of a changed file:
 * - `scaffold`: the author, once it is written; different content on disk is a conflict
 * - `generated`: ots, which rewrites it (CRDs, roles, PROJECT)
 * - `insertion`: the author; ots adds lines and keeps the rest
 */
export type ChangeOrigin = 'scaffold' | 'generated' | 'insertion';

/** One file of a plan. `before` is undefined for a new file, `after` for a removed one. */
export interface Change {
  readonly path: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly origin: ChangeOrigin;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  /** Permission bits of a new file; an existing file keeps its bits. */
  readonly mode: number;
  /** Whether --force replaces a file of the author. */
  readonly forced: boolean;
}
