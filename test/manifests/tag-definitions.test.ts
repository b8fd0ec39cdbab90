import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  definitionOf,
  hintFor,
  knownMarkerPrefix,
  tagDefinitions,
} from '../../src/manifests/tag-syntax/registry.ts';
import type { Placement } from '../../src/manifests/tag-syntax/registry.ts';
import { controllerGenMarkers } from './cases/controller-gen-markers.ts';

const places: Readonly<Record<string, readonly Placement[]>> = {
  field: ['field'],
  type: ['type', 'kind'],
  package: ['file', 'anywhere'],
};

/** What controller-gen understands and we refuse, each with the reason. */
const refusedTags: Readonly<Record<string, string>> = {
  'k8s:enum field': 'controller-gen refuses it too: it belongs on the type',
  'kubebuilder:validation:Optional package': 'TypeScript says of every property whether it is optional',
  'kubebuilder:validation:Required package': 'TypeScript says of every property whether it is optional',
  'kubebuilder:validation:UniqueItems field': 'the API server refuses every CRD with uniqueItems',
  'kubebuilder:validation:UniqueItems type': 'the API server refuses every CRD with uniqueItems',
  'kubebuilder:validation:items:UniqueItems field': 'the API server refuses every CRD with uniqueItems',
  'kubebuilder:validation:items:UniqueItems type': 'the API server refuses every CRD with uniqueItems',
};

const markers = Object.entries(controllerGenMarkers).flatMap(([name, targets]) =>
  targets.map((target) => ({ name, target, key: `${name} ${target}` })),
);

function isUnderstood(name: string, target: string): boolean {
  const known = knownMarkerPrefix(name);
  const definition = known === undefined ? undefined : definitionOf({ form: 'marker', name: known });
  return definition?.on.some((place) => places[target]!.includes(place)) ?? false;
}

describe('the markers of controller-gen', () => {
  test('are all defined', () => {
    expect(markers).toHaveLength(134);
  });

  test('are understood where controller-gen understands them, or refused for a reason', () => {
    const refused = markers.filter(({ name, target }) => !isUnderstood(name, target)).map(({ key }) => key);
    expect(refused).toEqual(Object.keys(refusedTags));
  });

  test.each(Object.keys(refusedTags))('%s is refused with a hint', (key) => {
    const [name] = key.split(' ');
    const tag = { form: 'marker' as const, name: name! };
    expect(definitionOf(tag)?.elsewhere ?? hintFor(tag)).toBeTruthy();
  });
});

const cases = ['cases/accepted-tags.ts', 'cases/accepted-basics.ts', 'kind-tags.test.ts', 'crds.test.ts']
  .concat(['rbac.test.ts', 'webhooks.test.ts', 'olm-tags.test.ts'])
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n');
/** Cases that are put together from parts. */
const composedTag = /^(?:items\.|kubebuilder:validation:)/;

describe('every tag', () => {
  test.each(tagDefinitions.map((definition) => [definition.name, definition] as const))(
    '%s',
    (_, definition) => {
      expect(definition.summary).toMatch(/^.{8,}\.$/);
      expect(definition.on.length).toBeGreaterThan(0);
      const names = [definition.name, ...(definition.aliases ?? [])].filter((name) => !name.includes(':'));
      const written = [
        ...names.filter((name) => !composedTag.test(name)).map((name) => `@${name}`),
        ...(definition.markers ?? [])
          .filter((marker) => !composedTag.test(marker))
          .map((marker) => `+${marker}`),
      ];
      expect(written.filter((spelling) => !cases.includes(spelling))).toEqual([]);
      expect(definitionOf({ form: 'tag', name: definition.name })).toBe(definition);
      for (const marker of definition.markers ?? [])
        expect(definitionOf({ form: 'marker', name: marker })).toBe(definition);
    },
  );

  test('has unique names', () => {
    const names = tagDefinitions.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    const spellings = tagDefinitions.flatMap(({ markers: own = [] }) => own);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(spellings).size).toBe(spellings.length);
  });
});
