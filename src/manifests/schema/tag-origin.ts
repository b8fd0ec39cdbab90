import { valueSpan } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { RuleOrigin } from './origin.ts';

/** The origin of a rule that a tag stands for, without its author having written it. */
export function tagOrigin(tag: Tag): RuleOrigin {
  const span = valueSpan(tag);
  return { source: tag.source, span, spanOf: () => span };
}
