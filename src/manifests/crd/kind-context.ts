import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { valueSpan, writtenName } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Schema } from '../schema/schema.ts';
import type { Kind } from './kind.ts';

/** What the readers of a kind's tags share. */
export interface KindContext {
  readonly kind: Kind;
  readonly schema: Schema;
  readonly diagnostics: Diagnostics;
}

/** Reports what is wrong with the value of a tag. */
export function failTag({ diagnostics }: KindContext, tag: Tag, message: string, hint?: string): void {
  diagnostics.error(tag.source, valueSpan(tag), 'tag-value', `${writtenName(tag)} ${message}`, hint);
}
