import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptedSchemas } from './accepted-schemas.ts';
import { apiSource } from './api-source.ts';
import { generate } from './generate.ts';
import { crdsPath, RealServer, hasRealServer } from './real-server.ts';
import { refusedSpecs } from './refused-specs.ts';

// What a real API server says about what is generated here, and about what would have been generated had it not been refused.
const isReal = hasRealServer('generated manifests');

const crdPath = 'config/crd/bases/a.example.com_foos.yaml';
const rbacPath = '/apis/rbac.authorization.k8s.io/v1';
const admissionPath = '/apis/admissionregistration.k8s.io/v1';

const setScale = (crd: any, scale: object) => (crd.spec.versions[0].subresources = { scale });
const setSelectable = (crd: any, paths: string[]) =>
  (crd.spec.versions[0].selectableFields = paths.map((jsonPath) => ({ jsonPath })));

/** A crdPath that is accepted, to be made invalid. */
const generated = () =>
  structuredClone(generate({ 'src/foo.ts': apiSource({ members: 'status?: {};' }) })[crdPath]![0]);
const webhook = (rest: string) =>
  `/** @webhook {path: /a/b, groups: ['', a.example.com], versions: [v1, v2], resources: [foos, foos/status], verbs: [create, DELETE], ${rest}} */\n`;

describe.skipIf(!isReal)('a real kube-apiserver', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await RealServer.start();
  }, 120_000);
  afterAll(() => server.stop());

  describe('accepts what is generated', () => {
    test.each(acceptedSchemas)('$name', async ({ spec, types = '' }) => {
      expect(
        await server.verdict(crdsPath, generate({ 'src/foo.ts': apiSource({ spec, types }) })[crdPath]![0]),
      ).toBe('accepted');
    });

    test('several versions with every feature of a kind', async () => {
      const tags = [
        '@subresource status',
        '@shortName fo',
        '@category all',
        `@printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status', priority: 1, format: byte}`,
        '@printcolumn name=Age type=date jsonPath=.metadata.creationTimestamp',
        '@scale specReplicasPath=.spec.replicas statusReplicasPath=.status.replicas labelSelectorPath=.status.selector',
        '@label app.kubernetes.io/part-of=foo',
        '@annotation Example.com/Text=a, b; "c"',
        '@cel self.metadata.name != "x" -- not x',
        '@exactlyOneOf a b',
        '@preserveUnknownFields',
        '@title A Foo',
        '@externalDocs https://example.com',
      ];
      const members =
        'a?: string; b?: string; status?: { conditions?: Condition[]; replicas?: int32; /** @column */ selector?: string };';
      const replicas =
        '/** @immutable @column How many */ replicas?: int32; /** @selectable */ "x-y"?: boolean; /** @selectable */ zone?: string;';
      const files = generate({
        'src/v1.ts': apiSource({
          tags: [...tags, '@deprecated Use v2.'],
          members,
          spec: `${replicas} template?: { metadata?: ObjectMeta };`,
        }),
        'src/v2.ts': apiSource({
          tags: ['@storageVersion', ...tags.slice(0, 6)],
          members,
          spec: replicas,
          version: 'v2',
        }),
        'src/c.ts': '/** @conversion group=a.example.com kind=Foo */ export const c = {};',
      });
      expect(await server.verdict(crdsPath, files[crdPath]![0])).toBe('accepted');
    });

    test('several versions without a handler', async () => {
      const files = generate({
        'src/v1.ts': apiSource({ tags: ['@unserved'] }),
        'src/v2.ts': apiSource({ tags: ['@storageVersion'], version: 'v2' }),
      });
      expect(await server.verdict(crdsPath, files[crdPath]![0])).toBe('accepted');
    });

    test('roles', async () => {
      const tags = [
        'groups=core;apps resources=pods;deployments/status verbs=get;list;*',
        'groups=apps resources=deployments resourceNames=a;b verbs=update',
        'groups=apps resources=deployments verbs=get namespace=infra',
        'urls=/healthz;/metrics/* verbs=get',
      ];
      const text = tags.map((tag) => `/** @rbac ${tag} */\n`).join('');
      const [clusterRole, role] = generate({ 'src/a.ts': text })['config/rbac/role.yaml']!;
      expect(await server.verdict(`${rbacPath}/clusterroles`, clusterRole)).toBe('accepted');
      expect(
        await server.verdict(`${rbacPath}/namespaces/default/roles`, {
          ...role,
          metadata: { name: role.metadata.name },
        }),
      ).toBe('accepted');
    });

    test('webhook configurations', async () => {
      const text =
        webhook('mutating: true, name: m.kb.io, reinvocationPolicy: IfNeeded, timeoutSeconds: 30') +
        webhook(
          'mutating: false, name: v.kb.io, matchPolicy: Exact, sideEffects: NoneOnDryRun, failurePolicy: Ignore',
        );
      const [mutating, validating] = generate({ 'src/a.ts': text })['config/webhook/manifests.yaml']!;
      expect(await server.verdict(`${admissionPath}/mutatingwebhookconfigurations`, mutating)).toBe(
        'accepted',
      );
      expect(await server.verdict(`${admissionPath}/validatingwebhookconfigurations`, validating)).toBe(
        'accepted',
      );
    });
  });

  describe('refuses what is refused here', () => {
    test.each(refusedSpecs.filter(({ refusedSchema }) => refusedSchema))(
      '$name',
      async ({ refusedSchema }) => {
        const crd = generated();
        crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties = { x: refusedSchema };
        expect((await server.dryRun(crdsPath, crd)).code).toBe(422);
      },
    );

    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
    test.each<[string, (crd: any) => void]>([
      ['a scale path without a dot', (crd) => setScale(crd, { ...scale, specReplicasPath: 'spec.size' })],
      ['a scale path to the status', (crd) => setScale(crd, { ...scale, specReplicasPath: '.status.size' })],
      ['a scale path to the spec', (crd) => setScale(crd, { ...scale, statusReplicasPath: '.spec.size' })],
      ['a selector of metadata', (crd) => setScale(crd, { ...scale, labelSelectorPath: '.metadata.name' })],
      ['scale without a path', (crd) => setScale(crd, { specReplicasPath: '.spec.size' })],
      ['a selectable field that is not there', (crd) => setSelectable(crd, ['.spec.siez'])],
      ['selectable metadata', (crd) => setSelectable(crd, ['.metadata.name'])],
      ['a selectable object', (crd) => setSelectable(crd, ['.spec'])],
      ['a selectable path in brackets', (crd) => setSelectable(crd, [".spec['size']"])],
      ['a selectable field twice', (crd) => setSelectable(crd, ['.spec.size', '.spec.size'])],
      [
        'nine selectable fields',
        (crd) => {
          const names = Array.from('abcdefghi');
          const { spec } = crd.spec.versions[0].schema.openAPIV3Schema.properties;
          spec.properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
          setSelectable(
            crd,
            names.map((name) => `.spec.${name}`),
          );
        },
      ],
      [
        'the same selectable field of versions with other schemas',
        (crd) => {
          setSelectable(crd, ['.spec.size']);
          const second = structuredClone({ ...crd.spec.versions[0], name: 'v2', storage: false });
          second.schema.openAPIV3Schema.description = 'Another one.';
          crd.spec.versions.push(second);
        },
      ],
      [
        'other selectable fields of versions with the same schema',
        (crd) => {
          crd.spec.versions.push(structuredClone({ ...crd.spec.versions[0], name: 'v2', storage: false }));
          setSelectable(crd, ['.spec.size']);
        },
      ],
      ['a label without a valid name', (crd) => (crd.metadata.labels = { '-a': 'b' })],
      ['a label with a prefix in upper case', (crd) => (crd.metadata.labels = { 'A.com/x': 'b' })],
      ['a label without a valid value', (crd) => (crd.metadata.labels = { a: 'b c' })],
      ['a label that is too long', (crd) => (crd.metadata.labels = { a: 'b'.repeat(64) })],
      ['an annotation without a name', (crd) => (crd.metadata.annotations = { '': 'b' })],
      [
        'a column without a name',
        (crd) =>
          (crd.spec.versions[0].additionalPrinterColumns = [{ name: '', type: 'string', jsonPath: '.a' }]),
      ],
      [
        'an empty deprecation',
        (crd) => Object.assign(crd.spec.versions[0], { deprecated: true, deprecationWarning: '' }),
      ],
      [
        'a deprecation of what is not deprecated',
        (crd) => Object.assign(crd.spec.versions[0], { deprecationWarning: 'a' }),
      ],
      [
        'a group without a dot',
        (crd) => Object.assign(crd.spec, { group: 'example' }) && (crd.metadata.name = 'foos.example'),
      ],
      [
        'a reserved group',
        (crd) => Object.assign(crd.spec, { group: 'a.k8s.io' }) && (crd.metadata.name = 'foos.a.k8s.io'),
      ],
      ['a version that is not a name', (crd) => (crd.spec.versions[0].name = 'V1')],
      [
        'a kind that is too long',
        (crd) => Object.assign(crd.spec.names, { kind: 'F'.repeat(60), listKind: `${'F'.repeat(60)}List` }),
      ],
      ['an invalid short name', (crd) => (crd.spec.names.shortNames = ['Fo'])],
      ['no storage version', (crd) => (crd.spec.versions[0].storage = false)],
      ['two storage versions', (crd) => crd.spec.versions.push({ ...crd.spec.versions[0], name: 'v2' })],
      [
        'a column of another type',
        (crd) =>
          (crd.spec.versions[0].additionalPrinterColumns = [{ name: 'A', type: 'text', jsonPath: '.a' }]),
      ],
      [
        'a path without a dot',
        (crd) =>
          (crd.spec.versions[0].additionalPrinterColumns = [{ name: 'A', type: 'string', jsonPath: 'a' }]),
      ],
      [
        'a deprecation that is too long',
        (crd) =>
          Object.assign(crd.spec.versions[0], { deprecated: true, deprecationWarning: 'é'.repeat(129) }),
      ],
    ])('%s', async (_, change) => {
      const crd = generated();
      expect(await server.verdict(crdsPath, crd)).toBe('accepted');
      change(crd);
      expect((await server.dryRun(crdsPath, crd)).code).toBe(422);
    });
  });
});
