import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { applyPatch } from '../../src/manifests/webhook/apply-patch.ts';
import { acceptedWebhooks, leastWebhook, webhookArguments } from './cases/accepted-webhooks.ts';
import { acceptedRoles } from './cases/accepted-roles.ts';
import { refusedRoles } from './cases/refused-roles.ts';
import { refusedWebhooks } from './cases/refused-webhooks.ts';
import { generate } from './generate.ts';
import { RealServer, hasRealServer } from './real-server.ts';
import { roleSource } from './role-source.ts';
import { virtualFiles } from './virtual-files.ts';
import { webhookSource } from './webhook-source.ts';

// What a real API server says about generated webhook configurations and roles, and about what would have been generated had it not
// been refused.
const isReal = hasRealServer('generated webhook configurations and roles');

const admissionPath = '/apis/admissionregistration.k8s.io/v1';
const rbacPath = '/apis/rbac.authorization.k8s.io/v1';

const pathOf = ({ kind }: { kind: string }) => `${admissionPath}/${kind.toLowerCase()}s`;
const configuration = (webhook: object, kind: string) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name: 'w' },
  webhooks: [webhook],
});

const texts = fc.constantFrom(
  '',
  'a',
  'a.b',
  'A',
  '*',
  'a/b',
  '*/*',
  '*/a',
  'a/*',
  'a_',
  '-a',
  'a'.repeat(64),
);
const some = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });
const selector = fc.record(
  {
    matchLabels: fc.dictionary(texts, texts, { maxKeys: 2 }),
    matchExpressions: fc.array(
      fc.record(
        {
          key: texts,
          operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Is'),
          values: some(texts),
        },
        { requiredKeys: ['key', 'operator'] },
      ),
      { maxLength: 1 },
    ),
  },
  { requiredKeys: [] },
);
/** Much of what can be said in a patch, right and wrong; few fields at once, or all would be wrong. */
const randomPatch = fc.oneof(
  fc.record({
    rules: fc.array(
      fc.record(
        {
          apiGroups: some(fc.constantFrom('', 'a', '*', 'a/b')),
          apiVersions: some(fc.constantFrom('v1', 'v2', '*', '')),
          operations: some(fc.constantFrom('CREATE', 'UPDATE', '*', 'create')),
          resources: some(texts),
          scope: fc.constantFrom('*', 'Cluster', 'Namespaced'),
        },
        { requiredKeys: ['apiGroups', 'apiVersions', 'operations', 'resources'] },
      ),
      { minLength: 1, maxLength: 2 },
    ),
  }),
  fc.record({ namespaceSelector: selector }),
  fc.record({ objectSelector: selector }),
  fc.record({
    clientConfig: fc.record({ service: fc.record({ path: fc.stringMatching(/^[/a.B_-]{1,6}$/) }) }),
  }),
  fc.record({
    clientConfig: fc.record({
      service: fc.constant(null),
      url: fc.stringMatching(/^https:\/\/[ah.:/%2?#@[\]-]{1,8}$/),
    }),
  }),
  fc.record(
    {
      name: fc.constantFrom('a.b.c', 'a.b', 'A.b.c', 'a..b.c', `${'a'.repeat(80)}.b.c`),
      admissionReviewVersions: some(fc.constantFrom('v1', 'v1beta1', 'v2')),
      timeoutSeconds: fc.constantFrom(0, 1, 30, 31, null),
      failurePolicy: fc.constantFrom('Fail', 'Ignore', 'fail'),
      sideEffects: fc.constantFrom('None', 'NoneOnDryRun', 'Some', null),
      matchConditions: some(
        fc.record({ name: texts, expression: fc.constantFrom('true', ' ', 'has(object.a)') }),
      ),
    },
    { requiredKeys: [] },
  ),
);
const inComment = (value: unknown) => JSON.stringify(value).replaceAll('*/', '*\\/');

describe.skipIf(!isReal)('a real kube-apiserver', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await RealServer.start();
  }, 120_000);
  afterAll(() => server.stop());

  const roleVerdict = (role: any) => {
    const path =
      role.kind === 'Role'
        ? `${rbacPath}/namespaces/${role.metadata.namespace ?? 'default'}/roles`
        : `${rbacPath}/clusterroles`;
    return server.verdict(path, role);
  };

  describe('accepts a webhook with', () => {
    test.each(acceptedWebhooks)('$name', async ({ arguments: given }) => {
      const source = webhookSource(webhookArguments, given);
      const [object] = generate({ 'src/a.ts': source })['config/webhook/manifests.yaml']!;
      expect(await server.verdict(pathOf(object), object)).toBe('accepted');
    });

    test('another configuration name', async () => {
      const source = `/** @webhookConfiguration mutating=true name=a.b-c */\n${webhookSource(webhookArguments)}`;
      const [object] = generate({ 'src/a.ts': source })['config/webhook/manifests.yaml']!;
      expect(await server.verdict(pathOf(object), object)).toBe('accepted');
    });
  });

  describe('refuses a webhook with', () => {
    test.each(refusedWebhooks.filter(({ spoils }) => spoils))('$name', async ({ spoils, validating }) => {
      const kind = validating ? 'ValidatingWebhookConfiguration' : 'MutatingWebhookConfiguration';
      const good = configuration(leastWebhook, kind);
      expect(await server.verdict(pathOf(good), good)).toBe('accepted');
      const bad = configuration(applyPatch(leastWebhook, spoils as never) as object, kind);
      expect((await server.dryRun(pathOf(bad), bad)).code).not.toBe(201);
    });
  });

  test('accepts every random patch that ots accepts', async () => {
    const patches = fc.sample(randomPatch, 1500);
    let accepted = 0;
    for (const patch of patches) {
      const source = webhookSource(webhookArguments, { patch: inComment(patch) });
      const { files, diagnostics } = generateManifests(virtualFiles({ 'src/a.ts': source }));
      if (diagnostics.length > 0) continue;
      accepted++;
      const [object] = parseAllDocuments(files.get('config/webhook/manifests.yaml')!).map((one) =>
        one.toJS(),
      );
      expect(await server.verdict(pathOf(object), object), JSON.stringify(patch)).toBe('accepted');
    }
    expect(accepted).toBeGreaterThan(patches.length / 10);
  }, 120_000);

  describe('accepts roles of', () => {
    test.each(acceptedRoles)('$name', async ({ tags, namespaced = false }) => {
      const roles = generate({ 'src/a.ts': roleSource(tags) }, { namespaced })['config/rbac/role.yaml']!;
      for (const role of roles) expect(await roleVerdict(role)).toBe('accepted');
    });
  });

  describe('refuses a role for', () => {
    test.each(refusedRoles.filter(({ refusedRole }) => refusedRole))('$name', async ({ refusedRole }) => {
      const verdict = await roleVerdict({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'r' },
        ...refusedRole,
      });
      expect(verdict).toMatch(/"code":4\d\d/);
    });
  });
});
