import type { Arguments } from '../tag-syntax/parse-arguments.ts';
import { scanQuoted } from '../tag-syntax/scan-quoted.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Span } from '../source/source-text.ts';
import { originKey } from '../schema/origin.ts';
import { locateArgument } from './locate-argument.ts';
import type { Webhook } from './webhook-configuration.ts';

/** Records where the expressions of a webhook's conditions are written, for errors about them. */
export function withMatchConditionOrigins(webhook: Webhook, tag: Tag, args: Arguments): Webhook {
  if (!webhook.matchConditions) return webhook;
  const { source } = tag;
  const matchConditions = webhook.matchConditions.map((condition, index) => {
    const spanOf = (part: string, from?: number, to?: number) => {
      const place = locateArgument(['matchConditions', index, part], args);
      const span = args.span(place.argument, place.path);
      return from === undefined ? span : spanWithin(source.text, span, from, to);
    };
    return { ...condition, [originKey]: { source, span: spanOf('expression'), spanOf } };
  });
  return { ...webhook, matchConditions };
}

/** Returns where characters of a value are: exact on the first line, otherwise at least within the value. */
function spanWithin(text: string, whole: Span, from: number, to = Infinity): Span {
  const quoted = /["'`]/.test(text[whole.start]!) ? scanQuoted(text, whole.start) : undefined;
  const positions = quoted && 'positions' in quoted ? quoted.positions : undefined;
  const at = (index: number) => positions?.[Math.min(index, positions.length - 1)] ?? whole.start + index;
  const start = Math.min(at(from), whole.end - 1);
  return { start, end: Math.max(start + 1, Math.min(at(to), whole.end)) };
}
