import type { TagDefinition } from './tag-definition.ts';

/** Tags about a whole file, and tags that any comment can contain. */
export const fileTags: readonly TagDefinition[] = [
  {
    name: 'group',
    summary: 'The API group. The literal type of apiVersion sets it; the tag must agree.',
    markers: ['groupName'],
    on: ['kind', 'file'],
  },
  {
    name: 'version',
    summary: 'The API version. The literal type of apiVersion sets it; the tag must agree.',
    markers: ['versionName'],
    on: ['kind', 'file'],
  },
  {
    name: 'skip',
    summary: 'Generates no CRDs for the kinds in this file.',
    markers: ['kubebuilder:skip'],
    on: ['file'],
  },
  {
    name: 'rbac',
    summary: 'Permissions of the manager: `groups=… resources=… verbs=…`.',
    markers: ['kubebuilder:rbac'],
    on: ['anywhere'],
    repeatable: true,
    distinctive: true,
  },
  {
    name: 'webhook',
    summary: 'A webhook that the manager serves.',
    markers: ['kubebuilder:webhook'],
    on: ['anywhere'],
    repeatable: true,
    distinctive: true,
  },
  {
    name: 'webhookConfiguration',
    summary: 'The name of the mutating or validating webhook configuration: `mutating=… name=…`.',
    markers: ['kubebuilder:webhookconfiguration'],
    on: ['anywhere'],
    repeatable: true,
    distinctive: true,
  },
  {
    name: 'conversion',
    summary: 'A handler that converts between the versions of a kind: `group=… kind=…`.',
    on: ['anywhere'],
    repeatable: true,
    distinctive: true,
  },
];
