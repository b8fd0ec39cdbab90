import { Deployment } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Pod } from 'ots-kubernetes/core/v1';
import { expect, onTestFinished, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { ApiError } from '../errors/api-error.ts';
import { Client } from './client.ts';

const server = apiServerFixture();

const said = (tag: string): string => `Add ${tag}, then run npm run manifests and apply the role.`;

test('an RBAC denial has the tag that grants the permission', async () => {
  const stranger = new Client(
    { ...server.config, impersonate: { user: 'stranger' } },
    { fieldOwner: 'test' },
  );
  onTestFinished(() => stranger.close());
  const key = { name: 'a', namespace: 'default' };
  const requests: [() => Promise<unknown>, string][] = [
    [() => stranger.list(Deployment), '@rbac groups=apps resources=deployments verbs=get;list;watch'],
    [() => stranger.get(Pod, key), '@rbac groups=core resources=pods verbs=get'],
    [
      () => stranger.status.patch(Deployment, key, { status: {} }),
      '@rbac groups=apps resources=deployments/status verbs=patch',
    ],
    [
      () => stranger.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key }),
      '@rbac groups=core resources=configmaps verbs=create',
    ],
    [() => stranger.delete(ConfigMap, key), '@rbac groups=core resources=configmaps verbs=delete'],
    [() => stranger.raw({ method: 'GET', path: '/metrics' }), '@rbac urls=/metrics verbs=get'],
  ];
  for (const [request, tag] of requests) await expect(request()).rejects.toMatchObject({ hint: said(tag) });
});

test('a 403 from another source has no such hint', () => {
  const messages = [
    'admission webhook "v.example.com" denied the request: no',
    'pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    'pods "a" is forbidden: violates PodSecurity "restricted:latest": privileged',
  ];
  for (const message of messages) {
    const { hint } = new ApiError({ code: 403, reason: 'Forbidden', message });
    expect(hint).toBe('See the message of the server: a webhook, a quota or a policy denied the request.');
  }
});
