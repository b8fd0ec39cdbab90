import type { TagDefinition } from './tag-definition.ts';

const schema = ['field', 'type'] as const;
/** The interface of a kind is an object, too. */
const objectSchema = ['field', 'type', 'kind'] as const;

function validation(name: string, summary: string, rest: Partial<TagDefinition> = {}): TagDefinition {
  const marker = `${name[0]!.toUpperCase()}${name.slice(1)}`;
  return { name, summary, markers: [`kubebuilder:validation:${marker}`], on: schema, ...rest };
}

/** Adds the second spelling that Kubernetes' own API types use. */
function declarative(definition: TagDefinition): TagDefinition {
  return { ...definition, markers: [...(definition.markers ?? []), `k8s:${definition.name}`] };
}

/** Tags that constrain a value. Each one also exists for the items of a list. */
const constraints: readonly TagDefinition[] = [
  declarative(validation('minimum', 'The minimum value of a number.')),
  declarative(validation('maximum', 'The maximum value of a number.')),
  validation(
    'exclusiveMinimum',
    'Numbers must be greater than this one; `true` excludes the value of @minimum.',
  ),
  validation(
    'exclusiveMaximum',
    'Numbers must be less than this one; `true` excludes the value of @maximum.',
  ),
  validation('multipleOf', 'Numbers must be multiples of this one.'),
  declarative(validation('minLength', 'The minimum number of characters in a string.')),
  declarative(validation('maxLength', 'The maximum number of characters in a string.')),
  validation('pattern', 'A regular expression (RE2) that strings must match.', { rawValue: true }),
  declarative(validation('minItems', 'The minimum number of items in a list.')),
  declarative(validation('maxItems', 'The maximum number of items in a list.')),
  declarative(validation('minProperties', 'The minimum number of properties in an object.')),
  declarative(validation('maxProperties', 'The maximum number of properties in an object.')),
  validation('enum', 'The allowed values: `a;b;c` or a JSON array.'),
  declarative(validation('format', 'A format of strings or numbers that the API server checks.')),
  {
    name: 'type',
    summary: 'The type of a value that TypeScript leaves open.',
    aliases: ['asType'],
    markers: ['kubebuilder:validation:Type'],
    on: schema,
  },
  {
    name: 'intOrString',
    summary: 'The value is an integer or a string.',
    markers: ['kubebuilder:validation:XIntOrString'],
    on: schema,
    distinctive: true,
  },
  {
    name: 'preserveUnknownFields',
    summary: 'Keeps fields that the schema does not define.',
    markers: ['kubebuilder:pruning:PreserveUnknownFields', 'kubebuilder:validation:XPreserveUnknownFields'],
    on: objectSchema,
    distinctive: true,
  },
  {
    name: 'embeddedResource',
    summary: 'The value is a whole Kubernetes object, with apiVersion, kind and metadata.',
    markers: ['kubebuilder:validation:EmbeddedResource', 'kubebuilder:validation:XEmbeddedResource'],
    on: schema,
    distinctive: true,
  },
  {
    name: 'validation',
    summary:
      'A CEL rule: `{rule: "…", message: "…", messageExpression, reason, fieldPath, optionalOldSelf}`.',
    markers: ['kubebuilder:validation:XValidation'],
    on: objectSchema,
    repeatable: true,
  },
  {
    name: 'cel',
    summary: 'A CEL rule and its message: `rule -- message`.',
    on: objectSchema,
    repeatable: true,
    rawValue: true,
  },
];

const ofItems = (marker: string): string[] =>
  marker.startsWith('k8s:') || marker === 'kubebuilder:pruning:PreserveUnknownFields'
    ? []
    : [marker.replace(/^(?:kubebuilder:validation:)/, 'kubebuilder:validation:items:')];

/** The same tags for the items of a list. `items.items.` reaches into lists of lists. */
const itemConstraints: readonly TagDefinition[] = constraints.map((definition) => {
  const { aliases, markers, ...rest } = definition;
  return {
    ...rest,
    name: `items.${definition.name}`,
    summary: `For the items of a list: ${definition.summary[0]!.toLowerCase()}${definition.summary.slice(1)}`,
    ...(aliases ? { aliases: aliases.map((alias) => `items.${alias}`) } : {}),
    ...(markers ? { markers: markers.flatMap(ofItems) } : {}),
    on: schema,
    distinctive: true,
  };
});

/** Tags about the value of a field, or of all fields of a declared type. */
export const valueTags: readonly TagDefinition[] = [
  ...constraints,
  ...itemConstraints,
  {
    name: 'exactlyOneOf',
    summary: 'Exactly one of the named properties must be set.',
    markers: ['kubebuilder:validation:ExactlyOneOf'],
    on: ['type', 'kind'],
    repeatable: true,
    distinctive: true,
  },
  {
    name: 'atMostOneOf',
    summary: 'At most one of the named properties may be set.',
    markers: ['kubebuilder:validation:AtMostOneOf'],
    on: ['type', 'kind'],
    repeatable: true,
    distinctive: true,
  },
  {
    name: 'atLeastOneOf',
    summary: 'At least one of the named properties must be set.',
    markers: ['kubebuilder:validation:AtLeastOneOf'],
    on: ['type', 'kind'],
    repeatable: true,
    distinctive: true,
  },
  {
    name: 'listType',
    summary: 'How a list is merged: atomic, set or map.',
    markers: ['listType', 'k8s:listType'],
    on: schema,
    distinctive: true,
  },
  {
    name: 'listMapKey',
    summary: 'A property that identifies each item of a map list.',
    markers: ['listMapKey', 'k8s:listMapKey'],
    on: schema,
    repeatable: true,
    distinctive: true,
  },
  {
    name: 'mapType',
    summary: 'How an object is merged: granular or atomic.',
    markers: ['mapType'],
    on: schema,
    distinctive: true,
  },
  {
    name: 'structType',
    summary: 'The same as @mapType.',
    markers: ['structType'],
    on: schema,
    distinctive: true,
  },
  {
    name: 'title',
    summary: 'A title for the value.',
    markers: ['kubebuilder:title'],
    on: objectSchema,
    rawValue: true,
  },
  {
    name: 'externalDocs',
    summary: 'A link to more documentation: `url text`.',
    markers: ['kubebuilder:externalDocs'],
    on: objectSchema,
    rawValue: true,
    distinctive: true,
  },
  {
    name: 'k8s:enum',
    summary: 'The type is an enum. In TypeScript, a union of literals already says so.',
    markers: ['k8s:enum'],
    on: ['type'],
    elsewhere: 'it belongs to a type that is a union of literals, and such a type needs no marker',
  },
];
