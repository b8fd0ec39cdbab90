import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { definitionOf } from '../tag-syntax/registry.ts';
import { markConsumed, valueSpan, writtenName } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { tagText } from '../tag-syntax/tag-text.ts';
import type { Module } from '../source/module.ts';
import type { Kind } from './kind.ts';

/** Returns the tags about a whole file: those outside types. */
export function fileTags(module: Module): Tag[] {
  return module.tags.filter(
    (tag) =>
      definitionOf(tag)?.on.includes('file') &&
      !module.typeSpans.some(({ start, end }) => start <= tag.span.start && tag.span.start < end),
  );
}

/** Returns whether a file says to generate no CRDs for its kinds. Its tags then count as consumed. */
export function isSkipped(module: Module): boolean {
  if (!fileTags(module).some((tag) => definitionOf(tag)?.name === 'skip')) return false;
  markConsumed(module.tags.filter((tag) => definitionOf(tag)));
  return true;
}

/** Checks the group and version tags of the file and the kind. They must agree with apiVersion. */
export function checkFileTags(
  kind: Kind,
  groups: ReadonlyMap<string, readonly Tag[]>,
  diagnostics: Diagnostics,
): void {
  const own = [...(groups.get('group') ?? []), ...(groups.get('version') ?? [])];
  for (const tag of [...fileTags(kind.declaration.module), ...own]) {
    const name = definitionOf(tag)?.name === 'group' ? 'group' : 'version';
    const value = tagText(tag);
    if (value === kind[name]) continue;
    diagnostics.error(
      tag.source,
      valueSpan(tag),
      'tag-value',
      `${writtenName(tag)} is ${value || 'empty'} here, and the ${name} of ${kind.kind} is ${kind[name]}`,
      'the literal type of apiVersion decides; remove the tag',
    );
  }
}
