/** What to do about an error of the API server, by what its text has in common with others of its sort. */
const hints: readonly (readonly [RegExp, string])[] = [
  [/^default\b/, 'change the default, or what it must satisfy'],
  [/^items: Required/, 'write T[]'],
  [/must not be empty (?:at|for)/, 'give it a type, or add @preserveUnknownFields'],
  [/to be structural/, 'write one type with all of it'],
  [/as item of a list with/, 'write @listType map with a @listMapKey, or make the type of the items atomic'],
  [/must be array if/, 'remove @listType and @listMapKey'],
  [/must be object if x-kubernetes-map-type/, 'remove @mapType'],
  [/must be object if x-kubernetes-embedded/, 'remove @embeddedResource'],
  [/must be map if/, 'add @listType map'],
  [/must not be empty if x-kubernetes-list-type/, 'add @listMapKey'],
  [/must be object if parent/, 'write @listType set'],
  [/names of item properties|must be a scalar type/, 'name a property with a single value in @listMapKey'],
  [/duplicate entries/, 'remove one @listMapKey'],
  [/must have a default or be a required/, 'remove its `?`, or give it a @default'],
  [/cannot be nullable/, 'remove null from its type'],
  [/x-kubernetes-int-or-string is true/, 'remove one of the tags'],
  [/mutual exclusive/, 'move those of one type into a property that is a Record<string, T>'],
  [/^properties: .*x-kubernetes-embedded-resource/, 'add @preserveUnknownFields'],
  [/^additionalProperties: .*embedded/, 'declare its properties, or add @preserveUnknownFields'],
  [/must be string|must be object$/, 'change its type, or remove it'],
  [/at the root/, 'remove the tag from the kind, or move what it is about into a property of the spec'],
];

/**
 * Returns what to do about an error.
 * @param text the keyword of the schema, a colon, and the message of the API server
 */
export function hintFor(text: string): string {
  return hints.find(([pattern]) => pattern.test(text))?.[1] ?? 'change the type or the tags of this part';
}
