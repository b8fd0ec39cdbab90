import { closestName } from '../../errors/closest-name.ts';
import type { Tag } from './tag.ts';

/** Where a tag has its effect; `anywhere` means any comment of a scanned file. */
export type Placement = 'kind' | 'type' | 'field' | 'anywhere';

export interface TagDefinition {
  readonly name: string;
  /** The same in kubebuilder's spelling, without its plus. */
  readonly marker?: string;
  readonly on: readonly Placement[];
  /** May stand several times at one place. */
  readonly repeatable?: boolean;
  /** No other tool has a tag of this name, so finding it (or nearly it) without effect is a mistake in any file. */
  readonly distinctive?: boolean;
}

const SCHEMA = ['field', 'type'] as const;
const validation = (name: string): TagDefinition => ({
  name,
  marker: `kubebuilder:validation:${name[0]!.toUpperCase()}${name.slice(1)}`,
  on: SCHEMA,
});

/** Every tag that has an effect on what is generated. */
const definitions: readonly TagDefinition[] = [
  validation('minimum'),
  validation('maximum'),
  validation('exclusiveMinimum'),
  validation('exclusiveMaximum'),
  validation('multipleOf'),
  validation('minLength'),
  validation('maxLength'),
  validation('pattern'),
  validation('minItems'),
  validation('maxItems'),
  validation('enum'),
  validation('format'),
  { name: 'listType', marker: 'listType', on: SCHEMA, distinctive: true },
  { name: 'listMapKey', marker: 'listMapKey', on: SCHEMA, repeatable: true, distinctive: true },
  { name: 'mapType', marker: 'mapType', on: SCHEMA, distinctive: true },
  { name: 'nullable', marker: 'nullable', on: ['field'] },
  { name: 'default', marker: 'kubebuilder:default', on: ['field'] },
  { name: 'example', marker: 'kubebuilder:example', on: ['field'] },
  {
    name: 'subresource',
    marker: 'kubebuilder:subresource',
    on: ['kind'],
    repeatable: true,
    distinctive: true,
  },
  {
    name: 'printcolumn',
    marker: 'kubebuilder:printcolumn',
    on: ['kind'],
    repeatable: true,
    distinctive: true,
  },
  { name: 'shortName', on: ['kind'], repeatable: true, distinctive: true },
  { name: 'category', on: ['kind'], repeatable: true },
  { name: 'resource', marker: 'kubebuilder:resource', on: ['kind'] },
  { name: 'storageVersion', marker: 'kubebuilder:storageversion', on: ['kind'], distinctive: true },
  { name: 'unserved', marker: 'kubebuilder:unservedversion', on: ['kind'], distinctive: true },
  { name: 'deprecated', marker: 'kubebuilder:deprecatedversion', on: ['kind'] },
  { name: 'rbac', marker: 'kubebuilder:rbac', on: ['anywhere'], repeatable: true, distinctive: true },
  { name: 'webhook', marker: 'kubebuilder:webhook', on: ['anywhere'], repeatable: true, distinctive: true },
  { name: 'conversion', on: ['anywhere'], repeatable: true, distinctive: true },
];

const byName = new Map(definitions.map((definition) => [definition.name, definition]));
const byMarker = new Map(
  definitions.flatMap((definition) => (definition.marker ? [[definition.marker, definition] as const] : [])),
);

/** Markers that other tools of the Go world read and that mean nothing to a TypeScript project. */
const IGNORED_MARKERS = /^(?:kubebuilder:(?:object|scaffold|ac)(?::|$)|k8s:deepcopy-gen)/;

/** Names that authors may expect, and what to write instead. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['defaultValue', 'write @default'],
  ['min', 'write @minimum, @minLength or @minItems'],
  ['max', 'write @maximum, @maxLength or @maxItems'],
  ['optional', 'write a `?` after the name of the property'],
  ['required', 'a property without `?` is required'],
  ['uniqueItems', 'the API server refuses uniqueItems; write @listType set'],
  ['plural', 'plural is set in the defineKind call'],
  ['scope', 'scope is set in the defineKind call'],
  ['group', 'the group is part of the literal type of apiVersion'],
  ['kubebuilder:validation:Optional', 'write a `?` after the name of the property'],
  ['kubebuilder:validation:Required', 'a property without `?` is required'],
  ['kubebuilder:validation:UniqueItems', 'the API server refuses uniqueItems; write @listType set'],
  ['kubebuilder:validation:nullable', 'write +nullable or @nullable'],
  ['groupName', 'the group is part of the literal type of apiVersion'],
  ['versionName', 'the version is part of the literal type of apiVersion'],
]);

/** Tags of TSDoc and JSDoc: documentation, which other tools read. */
const DOCUMENTATION = new Set(
  (
    'abstract access alpha async augments author beta borrows callback category class classdesc constant constructor constructs ' +
    'copyright decorator default deprecated description enum event eventProperty example exception experimental export exports ' +
    'extends external file fileoverview fires function generator global group hidden hideconstructor host ignore implements import ' +
    'inheritDoc inheritdoc inner instance interface internal jsx kind label lends license link linkcode linkplain listens member ' +
    'memberof memberOf method mixes mixin module name namespace note overload override overview package packageDocumentation param ' +
    'preserve private privateRemarks prop property protected public readonly remarks requires return returns satisfies sealed see ' +
    'since static summary suppress template this throws todo ts-check ts-expect-error ts-ignore ts-nocheck tutorial type typedef ' +
    'typeParam typeparam types variation version virtual vitest-environment warning yields'
  ).split(' '),
);

/** What the tag means; undefined when it is none of ours. */
export function definitionOf(tag: Tag): TagDefinition | undefined {
  return (tag.form === 'tag' ? byName : byMarker).get(tag.name);
}

/**
 * Cuts a marker's name where its arguments begin (`kubebuilder:rbac:groups` is `kubebuilder:rbac` with an argument).
 * @returns the known part; the whole name when it is unknown but can be meant for nobody else; otherwise undefined
 */
export function knownMarkerPrefix(name: string): string | undefined {
  for (let prefix = name; prefix !== ''; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf(':')))) {
    if (byMarker.has(prefix)) return prefix;
  }
  if (IGNORED_MARKERS.test(name)) return undefined;
  return name.includes(':') || INSTEAD.has(name) ? name : undefined;
}

/** Whether `@name` within a line of prose is to be taken for a tag. */
export function looksLikeTag(name: string): boolean {
  return byName.has(name) || INSTEAD.has(name) || suggestionFor(name, 'tag') !== undefined;
}

/** Whether the tag's value is free text, in which quotes and brackets have no meaning of their own. */
export function takesRawValue(name: string): boolean {
  return name === 'pattern' || name === 'deprecated' || !byName.has(name);
}

/** Whether the name belongs to documentation and not to us. */
export function isDocumentationTag(name: string): boolean {
  return DOCUMENTATION.has(name);
}

/** What to tell the author of a tag that is none of ours. */
export function hintFor(tag: Tag): string | undefined {
  const instead = INSTEAD.get(tag.name);
  if (instead) return instead;
  const suggestion = suggestionFor(tag.name, tag.form);
  return suggestion && `did you mean ${tag.form === 'tag' ? '@' : '+'}${suggestion}?`;
}

/** The tag of ours that a misspelt name most likely means. */
function suggestionFor(name: string, form: Tag['form']): string | undefined {
  if (form === 'tag' && DOCUMENTATION.has(name)) return undefined;
  return closestName(name, form === 'tag' ? byName.keys() : byMarker.keys());
}

/** Whether a tag of this name is a mistake wherever it stands without effect. */
export function isDistinctive(tag: Tag): boolean {
  if (tag.form === 'marker') return true;
  const meant = byName.get(tag.name) ?? byName.get(suggestionFor(tag.name, 'tag') ?? '');
  return meant?.distinctive === true;
}
