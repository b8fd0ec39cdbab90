import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { TestEnvironment } from 'ots-apiserver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptedSchemas } from './accepted-schemas.ts';
import { apiSource } from './api-source.ts';
import { generate } from './generate.ts';
import { refusedSpecs } from './refused-specs.ts';

// What a real API server says about what is generated here, and about what would have been generated had it not been refused.
const isReal = Boolean(process.env['KUBEBUILDER_ASSETS']);
if (!isReal)
  console.log('SKIPPED: manifests against a real kube-apiserver; set KUBEBUILDER_ASSETS to run them');

const CRD = 'config/crd/bases/a.example.com_foos.yaml';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ADMISSION = '/apis/admissionregistration.k8s.io/v1';

interface Answer {
  readonly code: number;
  readonly warning: string | undefined;
  readonly text: string;
}

/** A CRD that is accepted, to be spoilt. */
const generated = () =>
  structuredClone(generate({ 'src/foo.ts': apiSource({ members: 'status?: {};' }) })[CRD]![0]);
const webhook = (rest: string) =>
  `/** @webhook {path: /a/b, groups: ['', a.example.com], versions: [v1, v2], resources: [foos, foos/status], verbs: [create, DELETE], ${rest}} */\n`;

describe.skipIf(!isReal)('a real kube-apiserver', () => {
  let environment: TestEnvironment;
  beforeAll(async () => {
    environment = await TestEnvironment.start();
  }, 120_000);
  afterAll(() => environment.stop());

  /** Posts an object without storing it, with unknown fields being errors. */
  function dryRun(path: string, object: unknown): Promise<Answer> {
    const { server, token, caData, insecureSkipTlsVerify } = environment.config;
    const url = new URL(`${path}?dryRun=All&fieldValidation=Strict`, server);
    const options = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(caData ? { ca: caData } : {}),
      rejectUnauthorized: !insecureSkipTlsVerify,
    };
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({ code: response.statusCode ?? 0, warning: response.headers['warning']?.toString(), text }),
        );
      });
      request.on('error', reject).end(JSON.stringify(object));
    });
  }

  /** `accepted`, or what the server says. */
  async function verdict(path: string, object: unknown): Promise<string> {
    const { code, warning, text } = await dryRun(path, object);
    return code === 201 ? (warning ?? 'accepted') : text;
  }

  describe('accepts what is generated', () => {
    test.each(acceptedSchemas)('$name', async ({ spec, types = '' }) => {
      expect(await verdict(CRDS, generate({ 'src/foo.ts': apiSource({ spec, types }) })[CRD]![0])).toBe(
        'accepted',
      );
    });

    test('several versions with everything a kind can have', async () => {
      const tags = [
        '@subresource status',
        '@shortName fo',
        '@category all',
        `@printcolumn {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status', priority: 1, format: byte}`,
        '@printcolumn name=Age type=date jsonPath=.metadata.creationTimestamp',
      ];
      const members = 'status?: { conditions?: Condition[]; observedGeneration?: int64 };';
      const files = generate({
        'src/v1.ts': apiSource({
          tags: [...tags, '@deprecated Use v2.'],
          members,
          spec: 'template?: { metadata?: ObjectMeta };',
        }),
        'src/v2.ts': apiSource({ tags: [...tags, '@storageVersion'], members, version: 'v2' }),
        'src/c.ts': '/** @conversion group=a.example.com kind=Foo */ export const c = {};',
      });
      expect(await verdict(CRDS, files[CRD]![0])).toBe('accepted');
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
      expect(await verdict(`${RBAC}/clusterroles`, clusterRole)).toBe('accepted');
      expect(
        await verdict(`${RBAC}/namespaces/default/roles`, {
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
      expect(await verdict(`${ADMISSION}/mutatingwebhookconfigurations`, mutating)).toBe('accepted');
      expect(await verdict(`${ADMISSION}/validatingwebhookconfigurations`, validating)).toBe('accepted');
    });
  });

  describe('refuses what is refused here', () => {
    test.each(refusedSpecs.filter(({ refusedSchema }) => refusedSchema))(
      '$name',
      async ({ refusedSchema }) => {
        const crd = generated();
        crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties = { x: refusedSchema };
        expect((await dryRun(CRDS, crd)).code).toBe(422);
      },
    );

    test.each<[string, (crd: any) => void]>([
      [
        'a group without a dot',
        (crd) => Object.assign(crd.spec, { group: 'example' }) && (crd.metadata.name = 'foos.example'),
      ],
      [
        'a reserved group',
        (crd) => Object.assign(crd.spec, { group: 'a.k8s.io' }) && (crd.metadata.name = 'foos.a.k8s.io'),
      ],
      ['a version that is no name', (crd) => (crd.spec.versions[0].name = 'V1')],
      [
        'a kind that is too long',
        (crd) => Object.assign(crd.spec.names, { kind: 'F'.repeat(60), listKind: `${'F'.repeat(60)}List` }),
      ],
      ['a short name that is none', (crd) => (crd.spec.names.shortNames = ['Fo'])],
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
      expect(await verdict(CRDS, crd)).toBe('accepted');
      change(crd);
      expect((await dryRun(CRDS, crd)).code).toBe(422);
    });
  });
});
