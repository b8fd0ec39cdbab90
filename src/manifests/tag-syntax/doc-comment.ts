import type { Tag } from './tag.ts';

/** What the author says above a declaration: prose and tags. */
export interface DocComment {
  /** The text before the first block tag. */
  readonly description: string;
  readonly tags: readonly Tag[];
}
