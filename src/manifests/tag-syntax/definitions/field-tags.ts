import type { TagDefinition } from './tag-definition.ts';

const questionMark = 'TypeScript says which properties are optional: write or remove the `?` after each name';

/** Tags about a property. */
export const fieldTags: readonly TagDefinition[] = [
  {
    name: 'optional',
    summary: 'The property is optional. Only the `?` decides this; the tag must agree.',
    markers: ['optional', 'k8s:optional', 'kubebuilder:validation:Optional'],
    on: ['field'],
    repeatable: true,
    elsewhere: questionMark,
  },
  {
    name: 'required',
    summary:
      'The property is required. Only the missing `?` decides this; `+k8s:required` also rejects an empty value.',
    markers: ['required', 'k8s:required', 'kubebuilder:validation:Required'],
    on: ['field'],
    repeatable: true,
    elsewhere: questionMark,
  },
  {
    name: 'nullable',
    summary: 'The value can be null, like `| null` in the type.',
    markers: ['nullable'],
    on: ['field'],
  },
  {
    name: 'default',
    summary: 'The default value, which the API server sets if the property is missing.',
    aliases: ['defaultValue'],
    markers: ['kubebuilder:default', 'default'],
    yields: 'default',
    on: ['field'],
  },
  { name: 'example', summary: 'An example value.', markers: ['kubebuilder:example'], on: ['field'] },
  {
    name: 'schemaless',
    summary: 'Ignores the schema of the type and uses only the tags.',
    markers: ['kubebuilder:validation:Schemaless'],
    on: ['field'],
    distinctive: true,
  },
  {
    name: 'immutable',
    summary: 'The value can be neither changed nor removed once it is set.',
    markers: ['k8s:immutable'],
    on: ['field'],
    distinctive: true,
  },
  {
    name: 'column',
    summary: 'Shows the value in a column of `kubectl get`: `[Name] [priority=1]`.',
    on: ['field'],
  },
  {
    name: 'selectable',
    summary: 'Field selectors can select objects by the value.',
    on: ['field'],
    distinctive: true,
  },
];
