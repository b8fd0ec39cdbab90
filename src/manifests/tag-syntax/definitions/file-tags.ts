import type { TagDefinition } from './tag-definition.ts';

/** Tags about a whole file, and those that may stand in any comment. */
export const fileTags: readonly TagDefinition[] = [
  {
    name: 'group',
    summary: 'The group, which the literal type of apiVersion sets.',
    markers: ['groupName'],
    on: ['kind', 'file'],
  },
  {
    name: 'version',
    summary: 'The version, which the literal type of apiVersion sets.',
    markers: ['versionName'],
    on: ['kind', 'file'],
  },
  {
    name: 'skip',
    summary: 'No CRDs are made of the kinds of this file.',
    markers: ['kubebuilder:skip'],
    on: ['file'],
  },
  {
    name: 'rbac',
    summary: 'What the manager may do: `groups=… resources=… verbs=…`.',
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
    summary: 'The name of the configuration of the mutating or validating webhooks: `mutating=… name=…`.',
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
