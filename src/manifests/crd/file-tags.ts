import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { definitionOf } from '../tag-syntax/registry.ts';
import { markConsumed, valueSpan, writtenName } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { tagText } from '../tag-syntax/tag-text.ts';
import type { Module } from '../source/module.ts';
import type { Kind } from './kind.ts';

/** The tags of a file that are about all of it: those that stand in no type. */
export function fileTags(module: Module): Tag[] {
  return module.tags.filter(
    (tag) =>
      definitionOf(tag)?.on.includes('file') &&
      !module.typeSpans.some(({ start, end }) => start <= tag.span.start && tag.span.start < end),
  );
}

/**
 * Whether a file says that no CRDs are to be made of its kinds. Its tags are then not looked for anywhere else.
 */
export function isSkipped(module: Module): boolean {
  if (!fileTags(module).some((tag) => definitionOf(tag)?.name === 'skip')) return false;
  markConsumed(module.tags.filter((tag) => definitionOf(tag)));
  return true;
}

/** Checks what the file and the kind itself say about group and version, which apiVersion decides. */
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
