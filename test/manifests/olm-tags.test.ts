import { describe, expect, test } from 'vitest';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { type OwnedKind, ownedKinds } from '../../src/manifests/olm/owned-kinds.ts';
import { apiSource } from './api-source.ts';
import { generate } from './generate.ts';
import { virtualFiles } from './virtual-files.ts';

type Source = Parameters<typeof apiSource>[0];

function owned(source: Source): OwnedKind {
  const { crds, diagnostics } = generateManifests(virtualFiles({ 'src/foo.ts': apiSource(source) }));
  expect(diagnostics).toEqual([]);
  return ownedKinds(crds)[0]!;
}

const podCount = 'urn:alm:descriptor:com.tectonic.ui:podCount';

describe('@olm on a field', () => {
  test('makes a descriptor with the path, the comment and words as its name', () => {
    const { specDescriptors } = owned({
      spec: '/** How many pods. @olm xDescriptors=podCount @minimum 1 */ podCPULimit?: int32; other?: string;',
    });
    expect(specDescriptors).toEqual([
      {
        path: 'podCPULimit',
        displayName: 'Pod CPU Limit',
        description: 'How many pods.',
        xDescriptors: [podCount],
      },
    ]);
  });

  test('reaches nested fields and items of lists, by order and path', () => {
    const { specDescriptors, statusDescriptors } = owned({
      spec: 'z: { /** @olm */ b: string }; /** @olm Last order=2 */ a: string; /** @olm order=1 */ users: { /** @olm The name xDescriptors=text;urn:x */ name: string }[];',
      members:
        'status?: { /** @olm {displayName: Ready nodes, xDescriptors: [podStatuses]} */ nodes: string[] };',
    });
    expect(specDescriptors.map(({ path, displayName }) => [path, displayName])).toEqual([
      ['users', 'Users'],
      ['a', 'Last'],
      ['users[0].name', 'The name'],
      ['z.b', 'B'],
    ]);
    expect(specDescriptors[2]!.xDescriptors).toEqual(['urn:alm:descriptor:com.tectonic.ui:text', 'urn:x']);
    expect(statusDescriptors.map(({ displayName }) => displayName)).toEqual(['Ready nodes']);
  });

  test('can be a marker of operator-sdk, also for the spec and the status of a shared type', () => {
    const marker = '+operator-sdk:csv:customresourcedefinitions:';
    const { specDescriptors, statusDescriptors } = owned({
      types: `interface Shared {
        // ${marker}type=spec,displayName="Wanted, size",xDescriptors={"urn:alm:descriptor:com.tectonic.ui:podCount"},order=1
        // ${marker}type=status,displayName="Size"
        size: int32;
      }`,
      spec: 'shared: Shared;',
      members: 'status?: { shared: Shared };',
    });
    expect(specDescriptors).toEqual([
      { path: 'shared.size', displayName: 'Wanted, size', description: '', xDescriptors: [podCount] },
    ]);
    expect(statusDescriptors).toEqual([
      { path: 'shared.size', displayName: 'Size', description: '', xDescriptors: [] },
    ]);
  });

  test('changes nothing in the CRD', () => {
    const crd = (comment: string) =>
      generate({ 'src/foo.ts': apiSource({ spec: `/** ${comment} */ size: int32;`, tags: [comment] }) });
    expect(crd('@olm Size order=1')).toEqual(crd(''));
  });
});

describe('@olm on a kind', () => {
  test('names it and what it creates', () => {
    expect(owned({ tags: ['@olm Foo App order=3 resources=Service/v1;Deployment/v1/foo'] })).toMatchObject({
      kind: 'Foo',
      displayName: 'Foo App',
      order: 3,
      resources: [
        { kind: 'Service', version: 'v1', name: '' },
        { kind: 'Deployment', version: 'v1', name: 'foo' },
      ],
    });
  });

  test('can be repeated, and be a marker of operator-sdk', () => {
    expect(
      owned({
        tags: [
          '+operator-sdk:csv:customresourcedefinitions:displayName="Foo App",resources={{Pod,v1,"a pod, or two"},{"Service","v1",b}}',
          '@olm order=2',
        ],
      }),
    ).toMatchObject({
      displayName: 'Foo App',
      order: 2,
      resources: [
        { kind: 'Pod', version: 'v1', name: 'a pod, or two' },
        { kind: 'Service', version: 'v1', name: 'b' },
      ],
    });
  });

  test('is not needed', () => {
    expect(owned({ spec: 'size: int32;' })).toMatchObject({
      displayName: undefined,
      defaultDisplayName: 'Foo',
      resources: undefined,
      order: undefined,
      specDescriptors: [],
      statusDescriptors: [],
    });
  });
});

test.each([
  [{ tags: ['@olm Foo resources=Deployment'] }, /invalid resource: Deployment .*Kind\/version/],
  [{ tags: ['@olm Foo resources=Deployment/apps/v1'] }, /invalid resource: Deployment\/apps\/v1/],
  [{ tags: ['@olm Foo xDescriptors=podCount'] }, /unknown argument xDescriptors/],
  [{ spec: '/** @olm resources=Pod/v1 */ x: string;' }, /unknown argument resources/],
  [{ spec: '/** @olm X order=first */ x: string;' }, /order must be an integer/],
  [{ spec: '/** @olm X type=metadata */ x: string;' }, /type cannot be metadata/],
  [{ types: '/** @olm X */ interface X { a: string }', spec: 'x: X;' }, /no effect here/],
] as [Source, RegExp][])('%o is refused', (source, message) => {
  const { diagnostics } = generateManifests(virtualFiles({ 'src/foo.ts': apiSource(source) }));
  expect(diagnostics.map((found) => `${found.message} (${found.hint})`).join('\n')).toMatch(message);
});
