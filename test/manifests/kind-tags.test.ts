import { describe, expect, test } from 'vitest';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { apiSource } from './api-source.ts';
import type { ApiSource } from './api-source.ts';
import { generate } from './generate.ts';
import { virtualFiles } from './virtual-files.ts';

const crdPath = 'config/crd/bases/a.example.com_foos.yaml';

function crd(options: ApiSource): any {
  return generate({ 'src/foo.ts': apiSource(options) })[crdPath]![0];
}

function version(options: ApiSource): any {
  return crd(options).spec.versions[0];
}

/** What is said, and the source from the place that is pointed at. */
function errors(files: Readonly<Record<string, string>>): string[] {
  const { diagnostics } = generateManifests(virtualFiles(files));
  return diagnostics.map(
    ({ message, hint, sourceLine, column }) => `${message} (${hint}) at ${sourceLine.slice(column - 1)}`,
  );
}

const scalable: ApiSource = {
  spec: 'replicas?: int32; size?: double; list?: int32[];',
  members: 'status?: { replicas?: int32; selector?: string };',
};

describe('scale', () => {
  test.each([
    [
      '@scale specReplicasPath=.spec.replicas statusReplicasPath=.status.replicas labelSelectorPath=.status.selector',
    ],
    [
      '@scale {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}',
    ],
    [
      '@subresource scale specReplicasPath=.spec.replicas statusReplicasPath=.status.replicas labelSelectorPath=.status.selector',
    ],
    [
      '+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector',
    ],
  ])('%s', (tag) => {
    expect(version({ ...scalable, tags: [tag] }).subresources).toEqual({
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    });
  });

  test('is generated beside status, with or without a selector', () => {
    const tags = [
      '+kubebuilder:subresource:status',
      '@scale specReplicasPath=.spec.replicas statusReplicasPath=.status.replicas',
    ];
    expect(version({ ...scalable, tags }).subresources).toEqual({
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    });
  });

  const scale = (spec: string, status = '.status.replicas', rest = '') =>
    `@scale specReplicasPath=${spec} statusReplicasPath=${status}${rest}`;
  test.each([
    [
      scale('.spec.replica'),
      /leads to \.spec\.replica, which.*did you mean \.spec\.replicas\?.* at specReplicasPath/,
    ],
    [scale('.status.replicas'), /specReplicasPath must lead to a field of \.spec /],
    [scale('.spec.size'), /must lead to an integer, and \.spec\.size is a number/],
    [scale('.spec.list'), /\.spec\.list is an array/],
    [scale('.spec.list[0]'), /is not a path of plain names.*\.spec\.replicas/],
    [scale('spec.replicas'), /is not a path of plain names/],
    [scale('.spec.replicas', '.spec.replicas'), /statusReplicasPath must lead to a field of \.status /],
    [
      scale('.spec.replicas', '.status.selector'),
      /must lead to an integer, and \.status\.selector is a string/,
    ],
    [
      scale('.spec.replicas', undefined, ' labelSelectorPath=.status.replicas'),
      /labelSelectorPath must lead to a string/,
    ],
    [scale('.spec.replicas', undefined, ' labelSelectorPath=.metadata.name'), /labelSelectorPath/],
    ['@scale specReplicasPath=.spec.replicas', /statusReplicasPath is missing/],
    ['@subresource scale specpth=.spec.replicas,statuspath=.status.replicas', /unknown argument specpth/],
    ['+kubebuilder:subresource:scale', /specReplicasPath is missing/],
    ['@subresource scael', /cannot be 'scael'/],
  ])('is refused for %s', (tag, message) => {
    const found = errors({ 'src/foo.ts': apiSource({ ...scalable, tags: [tag] }) });
    expect(found.join('\n')).toMatch(message);
  });

  test('is refused twice', () => {
    const tags = [scale('.spec.replicas'), `@subresource ${scale('.spec.replicas').slice(1)}`];
    expect(errors({ 'src/foo.ts': apiSource({ ...scalable, tags }) })).toEqual([
      expect.stringMatching(/^duplicate scale/),
    ]);
  });
});

describe('columns', () => {
  test('of fields, in their order and before those of the kind', () => {
    const found = version({
      spec: '/** How many. @column priority=1 */ replicas?: int32; /** @column Where it is */ zone?: string; part?: { /** @column {name: Ready, description: "Is it?", format: byte} */ ready: boolean };',
      members:
        'status?: { /** @column */ since?: Time; /** @column "How much" priority=2 */ amount?: Quantity; /** @column */ share?: double };',
      tags: ['@printcolumn name=Age type=date jsonPath=.metadata.creationTimestamp'],
    });
    expect(found.additionalPrinterColumns).toEqual([
      { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', priority: 1 },
      { name: 'Where it is', type: 'string', jsonPath: '.spec.zone' },
      { name: 'Ready', type: 'boolean', jsonPath: '.spec.part.ready', description: 'Is it?', format: 'byte' },
      { name: 'Since', type: 'date', jsonPath: '.status.since' },
      { name: 'How much', type: 'string', jsonPath: '.status.amount', priority: 2 },
      { name: 'Share', type: 'number', jsonPath: '.status.share' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ]);
  });

  test('of a type that two fields have, and one list', () => {
    const found = version({
      types: 'interface Part { /** @column */ name?: string }',
      spec: 'a?: Part; b?: Part; list?: Part[];',
    });
    expect(found.additionalPrinterColumns).toEqual([
      { name: 'Name', type: 'string', jsonPath: '.spec.a.name' },
      { name: 'Name', type: 'string', jsonPath: '.spec.b.name' },
    ]);
  });

  test('are refused without a name', () => {
    const tags = ['@printcolumn {name: "", type: string, jsonPath: .spec.size}'];
    expect(errors({ 'src/foo.ts': apiSource({ tags }) })).toEqual([
      expect.stringMatching(/name of the column is empty/),
    ]);
  });
});

describe('selectable fields', () => {
  test('of the kind and of fields', () => {
    const found = version({
      spec: `/** @selectable */ zone?: 'a' | 'b'; on?: boolean; size?: int32; part?: { /** @selectable */ name?: string };`,
      tags: ['@selectableField .spec.on', '+kubebuilder:selectablefield:JSONPath=.spec.size'],
    });
    expect(found.selectableFields).toEqual([
      { jsonPath: '.spec.on' },
      { jsonPath: '.spec.size' },
      { jsonPath: '.spec.zone' },
      { jsonPath: '.spec.part.name' },
    ]);
  });

  const fields = Array.from({ length: 9 }, (_, index) => `/** @selectable */ f${index}?: string;`);
  test('are at most eight', () => {
    expect(version({ spec: fields.slice(1).join('\n') }).selectableFields).toHaveLength(8);
    expect(errors({ 'src/foo.ts': apiSource({ spec: fields.join('\n') }) })).toEqual([
      expect.stringMatching(/more than 8 selectable fields.* at @selectable \*\/ f8/),
    ]);
  });

  test.each([
    ['@selectableField .spec.siez', /leads to \.spec\.siez, which.*did you mean \.spec\.size\?/],
    ['@selectableField .metadata.name', /cannot select by metadata/],
    ['@selectableField .spec', /\.spec is an object/],
    ['@selectableField .spec.list[0]', /not a path of plain names/],
    ['@selectableField spec.size', /not a path of plain names/],
    ['@selectableField', /not a path of plain names/],
    ['+kubebuilder:selectablefield:jsonpth=.spec.size', /unknown argument jsonpth/],
  ])('are refused for %s', (tag, message) => {
    const found = errors({
      'src/foo.ts': apiSource({ spec: 'size?: int32; list?: string[];', tags: [tag] }),
    });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });

  test('are refused twice', () => {
    const source = apiSource({ spec: '/** @selectable */ a?: string;', tags: ['@selectableField .spec.a'] });
    expect(errors({ 'src/foo.ts': source })).toEqual([
      expect.stringMatching(/\.spec\.a is already selectable/),
    ]);
  });
});

describe('selectable fields of several versions', () => {
  const of = (name: string, options: ApiSource) =>
    apiSource({ version: name, tags: name === 'v2' ? ['@storageVersion'] : [], ...options });
  const both = (v1: ApiSource, v2: ApiSource) => ({ 'src/v1.ts': of('v1', v1), 'src/v2.ts': of('v2', v2) });
  const [a, b] = ['/** @selectable */ a?: string;', '/** @selectable */ b?: string;'];

  test.each<[string, ApiSource, ApiSource, string[][]]>([
    ['the same fields and schemas', { spec: a }, { spec: a }, [['.spec.a'], ['.spec.a']]],
    [
      'the same fields of other schemas, in another order',
      { spec: a + b },
      { spec: `${a + b} c?: string;` },
      [
        ['.spec.b', '.spec.a'],
        ['.spec.a', '.spec.b'],
      ],
    ],
    ['other fields', { spec: a }, { spec: b }, [['.spec.a'], ['.spec.b']]],
    ['in one version only', { spec: a }, { spec: 'c?: string;' }, [['.spec.a'], []]],
  ])('%s', (_, v1, v2, paths) => {
    const { versions } = generate(both(v1, v2))[crdPath]![0].spec;
    expect(
      versions.map(({ selectableFields = [] }: any) => selectableFields.map(({ jsonPath }: any) => jsonPath)),
    ).toEqual(paths);
  });

  test.each<[string, ApiSource, ApiSource, RegExp]>([
    [
      'one field of other schemas',
      { spec: a },
      { spec: `${a} c?: string;` },
      /accepts only if their schemas are the same/,
    ],
    [
      'other fields of the same schema',
      { spec: a },
      { spec: 'a?: string;' },
      /have the same schema but other selectable fields/,
    ],
  ])('are refused for %s', (_, v1, v2, message) => {
    expect(errors(both(v1, v2))).toEqual([expect.stringMatching(message)]);
  });
});

describe('labels and annotations', () => {
  test('of the CRD', () => {
    const tags = [
      '@label app.kubernetes.io/part-of=foo',
      '@label empty=',
      '@annotation example.com/Text=a, b; c = "d"',
      '+kubebuilder:metadata:annotations="k=v, w";"x=y=z",labels="a=b"',
      '@metadata {labels: [c=d], annotations: ["e=f"]}',
    ];
    expect(crd({ tags }).metadata).toEqual({
      name: 'foos.a.example.com',
      labels: { 'app.kubernetes.io/part-of': 'foo', empty: '', a: 'b', c: 'd' },
      annotations: { 'example.com/Text': 'a, b; c = "d"', k: 'v, w', x: 'y=z', e: 'f' },
    });
  });

  test.each([
    ['@label app', /cannot be 'app'.*name=value/],
    ['@label -a=b', /an invalid name: '-a'/],
    ['@label A.com/x=b', /an invalid name/],
    ['@label a/b/c=d', /an invalid name/],
    ['@label a=b c', /an invalid value: 'b c'/],
    [`@label a=${'b'.repeat(64)}`, /an invalid value/],
    ['@annotation =b', /an invalid name: ''/],
    ['+kubebuilder:metadata:labels="a"', /cannot be 'a'/],
    ['+kubebuilder:metadata:lables="a=b"', /unknown argument lables.*labels/],
  ])('are refused for %s', (tag, message) => {
    const found = errors({ 'src/foo.ts': apiSource({ tags: [tag] }) });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });

  test('are refused twice', () => {
    const tags = ['@label a=b', '+kubebuilder:metadata:labels="a=b"'];
    expect(errors({ 'src/foo.ts': apiSource({ tags }) })).toEqual([expect.stringMatching(/sets a again/)]);
  });
});

describe('tags of several versions about the CRD', () => {
  test.each([
    ['@label a=b', '@label a=c', /the label a is c here and b in version v1/],
    ['@annotation a=b', '@annotation a=c', /the annotation a is c here and b in version v1/],
    ['@singular foo', '@singular fu', /the singular is fu here and foo in version v1/],
  ])('must agree: %s and %s', (first, second, message) => {
    const of = (name: string, ...tags: string[]) => apiSource({ version: name, tags });
    const files = (tag: string) => ({
      'src/a.ts': of('v1', first),
      'src/b.ts': of('v2', tag, '@storageVersion'),
    });
    expect(errors(files(second))).toEqual([expect.stringMatching(message)]);
    expect(errors(files(first))).toEqual([]);
  });
});

describe('names', () => {
  test('that defineKind sets can be repeated', () => {
    const tags = [
      '@plural foos',
      '@singular foot',
      '@scope Namespaced',
      '@resource {plural: foos, scope: Namespaced, shortNames: [f, g], categories: all}',
    ];
    expect(crd({ tags }).spec).toMatchObject({
      scope: 'Namespaced',
      names: { plural: 'foos', singular: 'foot', shortNames: ['f', 'g'], categories: ['all'] },
    });
  });

  test.each([
    ['@plural fooz', /@plural is fooz here and plural is foos in the defineKind call/],
    ['@scope Cluster', /@scope is Cluster here and scope is Namespaced/],
    ['@singular Foo', /cannot be 'Foo'/],
    ['@resource {scope: Cluster}', /scope is Cluster here and Namespaced/],
    ['@resource {pluarl: foos}', /unknown argument pluarl.*plural/],
  ])('are refused for %s', (tag, message) => {
    const found = errors({ 'src/foo.ts': apiSource({ tags: [tag] }) });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });
});

describe('group and version', () => {
  const header =
    '// +groupName=a.example.com\n// +versionName=v1\n/** @group a.example.com\n * @version v1 */\n';

  test('can be repeated in the header of the file and on the kind', () => {
    const source = header + apiSource({ tags: ['@group a.example.com', '@version v1'] });
    expect(generate({ 'src/foo.ts': source })).toHaveProperty([crdPath]);
    expect(
      generate({ 'src/foo.ts': apiSource({ tags: ['+groupName=a.example.com', '+versionName="v1"'] }) }),
    ).toHaveProperty([crdPath]);
  });

  test.each<[string, string, RegExp]>([
    [
      'another group in the header',
      '// +groupName=b.example.com\n',
      /\+groupName is b\.example\.com here, and the group of Foo is a\.example\.com/,
    ],
    [
      'another version in the header',
      '/** @version v2 */\n',
      /@version is v2 here, and the version of Foo is v1/,
    ],
    ['no group in the header', '// +groupName=\n', /is empty here/],
  ])('are refused for %s', (_, text, message) => {
    expect(errors({ 'src/foo.ts': text + apiSource() })).toEqual([expect.stringMatching(message)]);
  });

  test('are refused for another version on the kind', () => {
    const source = apiSource({ tags: ['+versionName=v1beta1'] });
    expect(errors({ 'src/foo.ts': source })).toEqual([expect.stringMatching(/is v1beta1 here/)]);
  });

  test('are ignored in a file without kinds', () => {
    const files = {
      'src/foo.ts': apiSource(),
      'src/group.ts': '/** About KubernetesObject. */\n// +groupName=a.example.com\nexport {};',
    };
    expect(errors(files)).toEqual([expect.stringMatching(/groupName has no effect here \(it belongs/)]);
  });

  test.each(['Optional', 'Required'])('of a whole file of %s fields are refused', (mode) => {
    const source = `// +kubebuilder:validation:${mode}\n${apiSource()}`;
    expect(errors({ 'src/foo.ts': source })).toEqual([
      expect.stringMatching(/has no effect here \(TypeScript says/),
    ]);
  });
});

describe('what is skipped', () => {
  const other = apiSource({
    kind: 'Bar',
    plural: 'bars',
    types: '/** @listType set */ type Names = string[];',
    spec: 'names?: Names;',
    tags: ['@printcolumn name=A type=string jsonPath=.spec.a'],
  });

  test.each(['// +kubebuilder:skip\n', '/** @skip */\n'])('the kinds of a file with %s', (marker) => {
    const files = generate({ 'src/foo.ts': apiSource(), 'src/bar.ts': marker + other });
    expect(Object.keys(files)).toEqual([crdPath, 'config/rbac/role.yaml']);
  });

  test('a misspelled tag of such a file is still found when a kind uses its types', () => {
    const files = {
      'src/foo.ts': apiSource({ imports: `import type { Part } from './bar.ts';`, spec: 'part?: Part;' }),
      'src/bar.ts': `/** @skip */\nimport 'ots-runtime';\nexport interface Part { /** @minLenght 1 */ a?: string }`,
    };
    expect(errors(files)).toEqual([expect.stringMatching(/unknown tag @minLenght/)]);
  });

  test.each(['@skipVersion', '+kubebuilder:skipversion'])('a version with %s', (tag) => {
    const v1 = apiSource({
      tags: [tag, '@storageVersion'],
      types: '/** @listType set */ type Names = string[];',
      spec: 'names?: Names;',
    });
    const { spec } = generate({ 'src/v1.ts': v1, 'src/v2.ts': apiSource({ version: 'v2' }) })[crdPath]![0];
    expect(spec.versions).toMatchObject([{ name: 'v2', storage: true }]);
    expect(spec).not.toHaveProperty('conversion');
  });

  test('a kind with only skipped versions', () => {
    expect(Object.keys(generate({ 'src/foo.ts': apiSource({ tags: ['@skipVersion'] }) }))).toEqual([
      'config/rbac/role.yaml',
    ]);
  });
});

describe('a tag on the kind itself', () => {
  test('applies to its schema', () => {
    const tags = [
      '@title A Foo',
      '@externalDocs https://example.com',
      `@cel self.metadata.name != 'x' -- not x`,
      '@exactlyOneOf a b',
      '@validation {rule: "has(self.spec)"}',
      '+kubebuilder:validation:XValidation:rule="true",message="always"',
      '@preserveUnknownFields',
    ];
    const { openAPIV3Schema } = version({ members: 'a?: string; b?: string;', tags }).schema;
    expect(openAPIV3Schema).toMatchObject({
      title: 'A Foo',
      externalDocs: { url: 'https://example.com' },
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-validations': [
        { rule: `self.metadata.name != 'x'`, message: 'not x' },
        { rule: 'has(self.spec)' },
        { rule: 'true', message: 'always' },
        {
          rule: '(has(self.a)?1:0)+(has(self.b)?1:0) == 1',
          message: 'exactly one of the fields in [a b] must be set',
        },
      ],
    });
  });

  test('does not apply to a spec that is optional and immutable', () => {
    const source = apiSource().replace('  spec: FooSpec;', '  /** @immutable */\n  spec?: FooSpec;');
    const { openAPIV3Schema } = generate({ 'src/foo.ts': source })[crdPath]![0].spec.versions[0].schema;
    expect(openAPIV3Schema['x-kubernetes-validations']).toEqual([
      { rule: '!has(oldSelf.spec) || has(self.spec)', message: 'field spec is immutable once set' },
    ]);
  });

  test('is refused when it is for fields', () => {
    expect(errors({ 'src/foo.ts': apiSource({ tags: ['@minLength 1'] }) })).toEqual([
      expect.stringMatching(/@minLength has no effect here/),
    ]);
  });
});
