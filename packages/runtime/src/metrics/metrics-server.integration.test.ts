import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { ServiceAccount } from 'ots-kubernetes/core/v1';
import { ClusterRole, ClusterRoleBinding } from 'ots-kubernetes/rbac/v1';
import type { TokenRequest } from 'ots-kubernetes/authentication/v1';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import type { Client } from '../client/client.ts';
import { systemClock } from 'ots-apimachinery/clock/clock';
import { createLogger } from '../logging/create-logger.ts';
import type { Listener } from '../server/listener.ts';
import { ManagerMetrics } from './manager-metrics.ts';
import { metricsServer } from './metrics-server.ts';

// The embedded API server has neither TokenReviews nor RBAC.
describe.skipIf(!process.env['KUBEBUILDER_ASSETS'])('on a real API server', () => {
  const apiServer = apiServerFixture();
  let client: Client;
  let server: Listener;
  const lines: string[] = [];

  beforeAll(async () => {
    ({ client } = apiServer);
    server = metricsServer(
      {
        port: 0,
        host: '127.0.0.1',
        secure: true,
        extraHandlers: { '/debug/state': (_request, response) => response.end('state') },
      },
      {
        metrics: new ManagerMetrics(),
        client,
        clock: systemClock,
        networkClock: systemClock,
        logger: createLogger({ level: 'trace', stream: { write: (line: string) => lines.push(line) } }),
      },
    );
    await server.open();
    await client.create(ClusterRole, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'metrics-reader' },
      rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
    });
  }, 60_000);

  afterAll(() => server.close());

  /** The token of a new service account. */
  async function tokenOf(name: string, mayReadMetrics: boolean): Promise<string> {
    const key = { name, namespace: 'default' };
    await client.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: key });
    if (mayReadMetrics) {
      await client.create(ClusterRoleBinding, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'metrics-reader' },
        subjects: [{ kind: 'ServiceAccount', ...key }],
      });
    }
    const answer = await client.subresource<TokenRequest>('token').create(ServiceAccount, key, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec: { audiences: [], expirationSeconds: 600 },
    });
    return answer.status!.token!;
  }

  function fetchFrom(path: string, token?: string): Promise<{ code: number | undefined; body: string }> {
    return new Promise((resolve, reject) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const options = {
        host: '127.0.0.1',
        port: server.port,
        path,
        headers,
        rejectUnauthorized: false,
        agent: false,
      };
      get(options, (response) => {
        void text(response).then((body) => resolve({ code: response.statusCode, body }), reject);
      }).on('error', reject);
    });
  }

  test('a service account with the role of a metrics reader reads metrics, and nothing else', async () => {
    const token = await tokenOf('reader', true);
    const metrics = await fetchFrom('/metrics', token);
    expect(metrics.code).toBe(200);
    expect(metrics.body).toContain('process_cpu_seconds_total');
    const state = await fetchFrom('/debug/state', token);
    expect(state).toEqual({
      code: 403,
      body: 'system:serviceaccount:default:reader may not get /debug/state\n',
    });
    expect((await fetchFrom('/other', token)).code).toBe(404);
  });

  test('one without the role is refused', async () => {
    expect((await fetchFrom('/metrics', await tokenOf('stranger', false))).code).toBe(403);
  });

  test('a caller without a token of this cluster is refused, and no token is logged', async () => {
    const token = await tokenOf('forged', true);
    expect((await fetchFrom('/metrics')).code).toBe(401);
    expect((await fetchFrom('/metrics', `${token.slice(0, -8)}AAAAAAAA`)).code).toBe(401);
    expect((await fetchFrom('/other')).code).toBe(401);
    expect(lines.join('')).not.toContain(token.slice(0, 20));
  });
});
