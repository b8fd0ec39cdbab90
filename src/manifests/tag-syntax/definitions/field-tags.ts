import type { TagDefinition } from './tag-definition.ts';

const questionMark = 'TypeScript says which properties are optional: write or remove the `?` after each name';

/** Tags about a property. */
export const fieldTags: readonly TagDefinition[] = [
  {
    name: 'optional',
    summary: 'The property has a `?`, which is what counts.',
    markers: ['optional', 'k8s:optional', 'kubebuilder:validation:Optional'],
    on: ['field'],
    repeatable: true,
    elsewhere: questionMark,
  },
  {
    name: 'required',
    summary:
      'The property has no `?`, which is what counts; `+k8s:required` also asks for a value that is not empty.',
    markers: ['required', 'k8s:required', 'kubebuilder:validation:Required'],
    on: ['field'],
    repeatable: true,
    elsewhere: questionMark,
  },
  {
    name: 'nullable',
    summary: 'The value can be null, as with `| null`.',
    markers: ['nullable'],
    on: ['field'],
  },
  {
    name: 'default',
    summary: 'The value that the API server fills in.',
    aliases: ['defaultValue'],
    markers: ['kubebuilder:default', 'default'],
    yields: 'default',
    on: ['field'],
  },
  { name: 'example', summary: 'An example.', markers: ['kubebuilder:example'], on: ['field'] },
  {
    name: 'schemaless',
    summary: 'The schema of the type is not used, only that of the tags.',
    markers: ['kubebuilder:validation:Schemaless'],
    on: ['field'],
    distinctive: true,
  },
  {
    name: 'immutable',
    summary: 'The value cannot change once it is set.',
    markers: ['k8s:immutable'],
    on: ['field'],
    distinctive: true,
  },
  {
    name: 'column',
    summary: 'kubectl shows the value in a column: `[Name] [priority=1]`.',
    on: ['field'],
  },
  {
    name: 'selectable',
    summary: 'Objects can be selected by the value with a field selector.',
    on: ['field'],
    distinctive: true,
  },
];
