import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { Module } from '../source/module.ts';
import { definitionOf, hintFor, isDistinctive, isDocumentationTag } from './registry.ts';
import type { Placement } from './registry.ts';
import { writtenName } from './tag.ts';
import type { Tag } from './tag.ts';

const PLACES: Readonly<Record<Placement, string>> = {
  kind: 'the interface of a kind',
  type: 'a type that a kind uses',
  field: 'a property of a type that a kind uses',
  file: 'a file that declares kinds',
  anywhere: 'a comment',
};

/**
 * Reports the tags that had no effect: misspelt ones, and ours in the wrong place. Tags of documentation are left alone, and so are, outside
 * of the types of an API, names that other tools use too.
 * @param isApi whether types of this file became part of a schema
 */
export function reportLeftovers(module: Module, isApi: boolean, diagnostics: Diagnostics): void {
  for (const tag of module.tags) {
    if (tag.consumed) continue;
    const inApiType =
      isApi && module.typeSpans.some(({ start, end }) => start <= tag.span.start && tag.span.start < end);
    if (inApiType ? isDocumentation(tag) : !isDistinctive(tag)) continue;
    const definition = definitionOf(tag);
    if (definition) {
      const places = definition.on.map((place) => PLACES[place]).join(', or of ');
      diagnostics.error(
        tag.source,
        tag.span,
        'misplaced-tag',
        `${writtenName(tag)} has no effect here`,
        definition.elsewhere ?? `it belongs in the comment of ${places}`,
      );
    } else {
      diagnostics.error(
        tag.source,
        tag.span,
        'unknown-tag',
        `there is no tag ${writtenName(tag)}`,
        hintFor(tag) ?? 'if it is prose, put it in backticks',
      );
    }
  }
}

/** Within API types, tags of ours count even if documentation has them too, but for those that are fine in any comment. */
function isDocumentation(tag: Tag): boolean {
  if (tag.form === 'marker' || !isDocumentationTag(tag.name)) return false;
  return !definitionOf(tag) || tag.name === 'deprecated' || tag.name === 'example';
}
