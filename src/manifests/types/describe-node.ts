import type { Span } from '../source/source-text.ts';
import type { Scope } from './type.ts';

const maxTemplateLength = 40;

/** Returns the source of a type on one line, for messages. */
export function describeNode({ module }: Pick<Scope, 'module'>, { start, end }: Span): string {
  const text = module.source.text.slice(start, end).replaceAll(/\s+/g, ' ');
  return text.length > maxTemplateLength ? `${text.slice(0, maxTemplateLength)}…` : text;
}
