import { expect, test } from 'vitest';
import { audited } from '../../support/audited.ts';
import { until } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Sending } from '../../support/session.ts';
import { pods } from '../limits/pod-security-cases.ts';

const namespaces = '/api/v1/namespaces';
const labeled = (labels: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [`pod-security.kubernetes.io/${name}`, value]),
  );

/** Labels of namespaces. */
const policies: Record<string, Record<string, string>> = {
  'no labels': {},
  'only a version': { 'enforce-version': 'v1.20' },
  privileged: { enforce: 'privileged', audit: 'privileged', warn: 'privileged' },
  enforced: { enforce: 'restricted' },
  audited: { audit: 'restricted' },
  'audited in an old version': { audit: 'restricted', 'audit-version': 'v1.18' },
  warned: { warn: 'restricted' },
  'enforced and audited': { enforce: 'baseline', 'enforce-version': 'v1.30', audit: 'restricted' },
  'enforced and audited more': { enforce: 'restricted', audit: 'baseline', warn: 'privileged' },
};
/** Labels that a namespace gets by an update of its status, where they are not checked. */
const broken: Record<string, Record<string, string>> = {
  'a wrong level': { audit: 'strict' },
  'wrong labels': { enforce: 'strict', 'audit-version': '1', warn: 'no', audit: 'baseline' },
};
const { plain, compliant, privileged } = pods;
const metadata = { labels: { a: 'b' } };

/** What to create: plural, group and fields. */
const objects: Record<string, [path: string, fields: object]> = {
  'a plain pod': ['/api/v1/namespaces/NAMESPACE/pods', plain],
  'a compliant pod': ['/api/v1/namespaces/NAMESPACE/pods', compliant],
  'a privileged pod': ['/api/v1/namespaces/NAMESPACE/pods', privileged],
  'a deployment': [
    '/apis/apps/v1/namespaces/NAMESPACE/deployments',
    { spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata, spec: plain.spec } } },
  ],
};

onEachServer('audit annotations of pod security', { recordRequests: true }, (server) => {
  const create = (namespace: string, name: string, [path, fields]: [string, object], query = '?dryRun=All') =>
    server.session.post(`${path.replace('NAMESPACE', namespace)}${query}`, { metadata: { name }, ...fields });

  async function createNamespace(title: string, labels: Record<string, string>): Promise<string> {
    const name = title.replaceAll(' ', '-');
    const { code } = await server.session.post(namespaces, { metadata: { name, labels: labeled(labels) } });
    expect(code).toBe(201);
    return name;
  }

  async function auditedIn(namespace: string): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    for (const [title, object] of Object.entries(objects))
      found[title] = await audited(server, () => create(namespace, 'p', object));
    return found;
  }

  test('of creates', async () => {
    const found: Record<string, unknown> = {};
    for (const [title, labels] of Object.entries(policies))
      found[title] = await auditedIn(await createNamespace(title, labels));
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/audit-annotations/pod-security.yaml');
  });

  test('of labels that cannot be read', async () => {
    const found: Record<string, unknown> = {};
    for (const [title, labels] of Object.entries(broken)) {
      const namespace = await createNamespace(title, {});
      const { code } = await server.session.merge(`${namespaces}/${namespace}/status`, {
        metadata: { labels: labeled(labels) },
      });
      expect(code).toBe(200);
      // A real server may not see the labels at once.
      await until(async () =>
        (await audited(server, () => create(namespace, 'p', objects['a compliant pod']!))).some(
          ({ annotations }) => 'pod-security.kubernetes.io/error' in annotations,
        ),
      );
      found[title] = await auditedIn(namespace);
    }
    await expect(asRecorded(found)).toMatchFileSnapshot(
      '../recorded/audit-annotations/pod-security-errors.yaml',
    );
  });

  test('of other requests', async () => {
    const found: Record<string, unknown> = {};
    for (const title of ['privileged', 'audited']) {
      const namespace = await createNamespace(`${title}-updates`, policies[title]!);
      await create(namespace, 'p', objects['a plain pod']!, '');
      const path = `${namespaces}/${namespace}/pods/p`;
      const patch = (body: object): Sending => ({
        body,
        contentType: 'application/strategic-merge-patch+json',
      });
      const debugging = { spec: { ephemeralContainers: [{ name: 'debug', image: 'i' }] } };
      const requests: Record<string, () => Promise<unknown>> = {
        labels: () => server.session.send('PATCH', path, patch({ metadata })),
        image: () =>
          server.session.send('PATCH', path, patch({ spec: { containers: [{ name: 'a', image: 'j' }] } })),
        status: () => server.session.send('PATCH', `${path}/status`, patch({ status: { phase: 'Running' } })),
        debugging: () => server.session.send('PATCH', `${path}/ephemeralcontainers`, patch(debugging)),
        eviction: () => server.session.post(`${path}/eviction?dryRun=All`, { metadata: { name: 'p' } }),
        deletion: () => server.session.delete(path),
        namespace: () =>
          server.session.merge(`${namespaces}/${namespace}`, {
            metadata: { labels: labeled({ enforce: 'restricted' }) },
          }),
      };
      for (const [request, send] of Object.entries(requests))
        found[`${title}: ${request}`] = await audited(server, send);
    }
    await expect(asRecorded(found)).toMatchFileSnapshot(
      '../recorded/audit-annotations/pod-security-requests.yaml',
    );
  });
});
