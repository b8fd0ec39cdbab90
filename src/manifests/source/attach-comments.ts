import type { Comment } from 'oxc-parser';
import type { DocComment, Tag } from '../tag-syntax/tag.ts';
import { lexComment } from '../tag-syntax/lex-comment.ts';
import type { SourceText } from './source-text.ts';

export interface AttachedComments {
  /** Every tag of every comment, in source order. */
  readonly tags: readonly Tag[];
  /** The comments above the node that begins at an offset. */
  readonly above: ReadonlyMap<number, DocComment & { readonly start: number }>;
}

/**
 * Attaches each comment to the code that follows it, after only white space and more comments. Several
 * comments above one node are read together. The description is that of the last comment that has one.
 */
export function attachComments(source: SourceText, comments: readonly Comment[]): AttachedComments {
  const above = new Map<number, DocComment & { start: number }>();
  const perComment: (readonly Tag[])[] = [];
  let next: { start: number; target: number } | undefined;
  for (const comment of comments.toReversed()) {
    const following = comment.end + /^\s*/.exec(source.text.slice(comment.end, next?.start))![0].length;
    const target = next && following === next.start ? next.target : following;
    next = { start: comment.start, target };
    if (comment.type === 'Block' && !source.text.startsWith('/**', comment.start)) continue;
    const doc = lexComment(source, comment);
    perComment.push(doc.tags);
    const later = above.get(target);
    above.set(target, {
      start: comment.start,
      description: later?.description || doc.description,
      tags: [...doc.tags, ...(later?.tags ?? [])],
    });
  }
  return { tags: perComment.toReversed().flat(), above };
}
