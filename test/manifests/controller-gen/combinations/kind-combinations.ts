import type { Combination } from '../combination.ts';

const size = { typescript: 'size?: int32;', go: 'Size *int32 json:"size,omitempty"' };
const status = {
  typescript: 'status?: { size?: int32; phase?: string; selector?: string };',
  go: 'Status Status json:"status,omitempty"',
};
const types = {
  typescript: '',
  go: `
    type Status struct {
      Size int32 json:"size,omitempty"
      Phase string json:"phase,omitempty"
      Selector string json:"selector,omitempty"
    }`,
};

/** What can be said about a kind. */
export const kindCombinations: readonly Combination[] = [
  { name: 'nothing', ...size },
  {
    name: 'a status',
    ...size,
    types,
    kind: { typescript: ['@subresource status'], go: ['+kubebuilder:subresource:status'], members: status },
  },
  {
    name: 'a scale',
    ...size,
    types,
    kind: {
      typescript: [
        '@subresource status',
        '@scale specReplicasPath=.spec.size statusReplicasPath=.status.size labelSelectorPath=.status.selector',
      ],
      go: [
        '+kubebuilder:subresource:status',
        '+kubebuilder:subresource:scale:specpath=.spec.size,statuspath=.status.size,selectorpath=.status.selector',
      ],
      members: status,
    },
  },
  {
    name: 'names',
    ...size,
    scope: 'Cluster',
    kind: {
      typescript: ['@resource {shortName: [fo, f], categories: [all, ours], singular: onefoo}'],
      go: ['+kubebuilder:resource:shortName=fo;f,categories=all;ours,singular=onefoo,scope=Cluster'],
    },
  },
  {
    name: 'names one by one',
    ...size,
    kind: {
      typescript: ['@shortName fo', '@shortName f', '@category all', '@singular onefoo'],
      go: ['+kubebuilder:resource:shortName=fo;f,categories=all,singular=onefoo'],
    },
  },
  {
    name: 'columns',
    ...size,
    types,
    kind: {
      typescript: [
        `@printcolumn {name: Ready, type: string, jsonPath: '.status.phase', description: 'The phase, at last.', priority: 1}`,
        '@printcolumn name=Age type=date jsonPath=.metadata.creationTimestamp',
        '@printcolumn {name: Size, type: integer, format: int32, jsonPath: .spec.size}',
      ],
      go: [
        '+kubebuilder:printcolumn:name="Ready",type=string,JSONPath=".status.phase",description="The phase, at last.",priority=1',
        '+kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp',
        '+kubebuilder:printcolumn:name=Size,type=integer,format=int32,JSONPath=.spec.size',
      ],
      members: status,
    },
  },
  {
    name: 'columns as markers',
    ...size,
    types,
    kind: {
      typescript: [
        '+kubebuilder:printcolumn:name="Ready",type=string,JSONPath=".status.phase",description="The phase, at last.",priority=1',
        '+kubebuilder:subresource:status',
        '+kubebuilder:resource:shortName=fo;f,categories=all',
      ],
      go: [
        '+kubebuilder:printcolumn:name="Ready",type=string,JSONPath=".status.phase",description="The phase, at last.",priority=1',
        '+kubebuilder:subresource:status',
        '+kubebuilder:resource:shortName=fo;f,categories=all',
      ],
      members: status,
    },
  },
  {
    name: 'labels and annotations of the CRD',
    ...size,
    kind: {
      typescript: ['@label tier=gold', '@annotation example.com/owner=team one'],
      go: ['+kubebuilder:metadata:labels="tier=gold",annotations="example.com/owner=team one"'],
    },
  },
  {
    name: 'a deprecated version',
    ...size,
    kind: {
      typescript: ['@deprecated Use v2.'],
      go: ['+kubebuilder:deprecatedversion:warning="Use v2."'],
    },
  },
  {
    name: 'a deprecated version without a warning of its own',
    ...size,
    kind: { typescript: ['@deprecated'], go: ['+kubebuilder:deprecatedversion'] },
  },
  {
    name: 'selectable fields',
    typescript: 'color?: string; size?: int32;',
    go: 'Color string json:"color,omitempty"\nSize int32 json:"size,omitempty"',
    kind: {
      typescript: ['@selectableField .spec.color', '@selectableField .spec.size'],
      go: [
        '+kubebuilder:selectablefield:JSONPath=".spec.color"',
        '+kubebuilder:selectablefield:JSONPath=".spec.size"',
      ],
    },
  },
  {
    name: 'rules of a kind',
    ...size,
    kind: {
      typescript: ['@validation {rule: "self.metadata.name.size() < 9", message: "the name is too long"}'],
      go: [
        '+kubebuilder:validation:XValidation:rule="self.metadata.name.size() < 9",message="the name is too long"',
      ],
    },
  },
  {
    name: 'columns and selectable fields that are declared at the fields',
    typescript:
      '/** @column */ size?: int32; /** @column The color priority=1 @selectable */ color?: string;',
    go: 'Size int32 json:"size,omitempty"\nColor string json:"color,omitempty"',
    kind: {
      typescript: [],
      go: [
        '+kubebuilder:printcolumn:name=Size,type=integer,JSONPath=.spec.size',
        '+kubebuilder:printcolumn:name="The color",type=string,priority=1,JSONPath=.spec.color',
        '+kubebuilder:selectablefield:JSONPath=.spec.color',
      ],
    },
  },
  {
    name: 'one of several parts of a kind',
    ...size,
    kind: {
      typescript: ['@exactlyOneOf a b', '@title A Foo'],
      go: ['+kubebuilder:validation:ExactlyOneOf=a;b', '+kubebuilder:title="A Foo"'],
      members: {
        typescript: 'a?: string; b?: string;',
        go: 'A string json:"a,omitempty"\nB string json:"b,omitempty"',
      },
    },
  },
  {
    name: 'labels and annotations as a marker',
    ...size,
    kind: {
      typescript: ['+kubebuilder:metadata:labels="a=1";"b=2",annotations="c.example.com/d=e"'],
      go: ['+kubebuilder:metadata:labels="a=1";"b=2",annotations="c.example.com/d=e"'],
    },
  },
];
