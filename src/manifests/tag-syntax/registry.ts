import { closestName } from 'ots-apimachinery/closest-name';
import { fieldTags } from './definitions/field-tags.ts';
import { fileTags } from './definitions/file-tags.ts';
import { kindTags } from './definitions/kind-tags.ts';
import type { Placement, TagDefinition } from './definitions/tag-definition.ts';
import { valueTags } from './definitions/value-tags.ts';
import { documentation, ignoredMarkers, replacements } from './foreign-names.ts';
import type { Tag } from './tag.ts';

export type { Placement, TagDefinition };

/** Every tag that affects the generated files or is checked against them. */
export const tagDefinitions: readonly TagDefinition[] = [
  ...valueTags,
  ...fieldTags,
  ...kindTags,
  ...fileTags,
];

const byName = new Map(
  tagDefinitions.flatMap((definition) =>
    [definition.name, ...(definition.aliases ?? [])].map((name) => [name, definition] as const),
  ),
);
const byMarker = new Map(
  tagDefinitions.flatMap((definition) =>
    (definition.markers ?? []).map((marker) => [marker, definition] as const),
  ),
);

/** `items.items.x` has the definition of `items.x`. */
const nestedItems = /^(kubebuilder:validation:)?items([.:])(?:items\2)+/;

function withoutNesting(name: string): string {
  return name.replace(nestedItems, '$1items$2');
}

/** Returns the definition of a tag, or undefined if ots does not define it. */
export function definitionOf(tag: Pick<Tag, 'form' | 'name'>): TagDefinition | undefined {
  return (tag.form === 'tag' ? byName : byMarker).get(withoutNesting(tag.name));
}

/**
 * Cuts a marker's name where its arguments begin (`kubebuilder:rbac:groups` is `kubebuilder:rbac` with an
 * argument).
 * @returns the known part; the whole name if it is unknown but cannot belong to another tool; otherwise
 * undefined
 */
export function knownMarkerPrefix(name: string): string | undefined {
  for (let prefix = name; prefix !== ''; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf(':')))) {
    if (byMarker.has(withoutNesting(prefix))) return prefix;
  }
  if (ignoredMarkers.test(name)) return undefined;
  return name.includes(':') || replacements.has(name) ? name : undefined;
}

/** Returns whether to read `@name` within a line of prose as a tag. */
export function looksLikeTag(name: string): boolean {
  return definitionOf({ form: 'tag', name }) !== undefined || hintFor({ form: 'tag', name }) !== undefined;
}

/** Returns whether the tag's value is free text, in which quotes and brackets have no special meaning. */
export function takesRawValue(name: string): boolean {
  return definitionOf({ form: 'tag', name })?.rawValue ?? !definitionOf({ form: 'tag', name });
}

/** Returns whether the name belongs to a documentation tool and not to ots. */
export function isDocumentationTag(name: string): boolean {
  return documentation.has(name);
}

/** Returns the hint for a tag that ots does not define. */
export function hintFor(tag: Pick<Tag, 'form' | 'name'>): string | undefined {
  const instead = replacements.get(tag.name);
  if (instead) return instead;
  const suggestion = suggestionFor(tag.name, tag.form);
  return suggestion && `did you mean ${tag.form === 'tag' ? '@' : '+'}${suggestion}?`;
}

/** Returns the tag that a misspelled name most likely means. */
function suggestionFor(name: string, form: Tag['form']): string | undefined {
  if (form === 'tag' && documentation.has(name)) return undefined;
  return closestName(name, form === 'tag' ? byName.keys() : byMarker.keys());
}

/** Returns whether an unused tag of this name is an error in any file. */
export function isDistinctive(tag: Tag): boolean {
  if (tag.form === 'marker') return true;
  const definition = definitionOf(tag) ?? byName.get(suggestionFor(tag.name, 'tag') ?? '');
  return definition?.distinctive === true;
}
