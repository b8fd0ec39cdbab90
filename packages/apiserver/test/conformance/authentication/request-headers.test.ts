import { send } from 'ots-apiserver';
import { beforeAll, expect, test } from 'vitest';
import { configMaps, until } from '../../support/fixtures.ts';
import { connectionOf } from '../../support/kubeconfig-connection.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { RawSocket, origin, upgrade } from '../../support/raw-socket.ts';
import { asRecorded } from '../../support/recorded.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';
const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
const protocolPrefix = 'base64url.bearer.authorization.k8s.io.';

onEachServer('credentials in headers', (server) => {
  let token = '';
  let url = '';
  let caData = '';

  beforeAll(async () => {
    await server.session.post(accounts, { metadata: { name: 'robot' } });
    const kubeconfig = await server.environment.kubeconfigFor({
      serviceAccount: 'robot',
      namespace: 'default',
    });
    const connection = connectionOf(kubeconfig);
    ({ server: url, caData = '', token = '' } = connection);
    const metadata = { name: 'robot' };
    await server.session.post(`${rbac}/roles`, {
      metadata,
      rules: [{ verbs: ['list', 'watch'], apiGroups: [''], resources: ['configmaps'] }],
    });
    await server.session.post(`${rbac}/rolebindings`, {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'robot' },
      subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }],
    });
    // A real server sees new bindings a little later.
    await until(async () => (await send(connection, 'GET', configMaps)).code === 200);
  });

  /** The first line of the answer to a request without credentials of its own, and whom it is about. */
  async function answerTo(line: string, headers: readonly string[]): Promise<unknown> {
    const socket = RawSocket.open({ server: url, caData }, line, headers);
    await socket.until(({ head, body }) => head[0]?.includes(' 101 ') === true || body.includes('"code":'));
    const [status] = socket.head;
    const protocol = socket.head.find((header) => header.startsWith('Sec-WebSocket-Protocol'));
    const user = /User \\"([^"]*)\\"/.exec(socket.body)?.[1];
    socket.close();
    return { status, ...(protocol !== undefined && { protocol }), ...(user !== undefined && { user }) };
  }

  test('the Authorization header', async () => {
    const headers: Record<string, string[]> = {
      'a token': [`Authorization: Bearer ${token}`],
      'a scheme in lower case': [`Authorization: bearer ${token}`],
      'a scheme in upper case': [`AUTHORIZATION: BEARER ${token}`],
      'spaces around': [`Authorization:    Bearer ${token}   `],
      'two spaces': [`Authorization: Bearer  ${token}`],
      'a tab': [`Authorization: Bearer\t${token}`],
      'more after the token': [`Authorization: Bearer ${token} more of it`],
      'a comma after the token': [`Authorization: Bearer ${token}, Basic x`],
      'no token': ['Authorization: Bearer'],
      'no scheme': [`Authorization: ${token}`],
      'an empty header': ['Authorization:'],
      'another scheme': ['Authorization: Basic YTpi'],
      'a bad token': ['Authorization: Bearer bad'],
      'a long token': [`Authorization: Bearer ${'x'.repeat(100_000)}`],
      'a quoted token': [`Authorization: Bearer "${token}"`],
      'a token of other characters': ['Authorization: Bearer \u00e4\u00f6\u00fc'],
      'a token and a bad token': [`Authorization: Bearer ${token}`, 'Authorization: Bearer bad'],
      'a bad token and a token': ['Authorization: Bearer bad', `Authorization: Bearer ${token}`],
      'a proxy that names a user': ['X-Remote-User: admin', 'X-Remote-Group: system:masters'],
      'a proxy beside a token': [`Authorization: Bearer ${token}`, 'X-Remote-User: admin'],
      'a user to impersonate without credentials': ['Impersonate-User: admin'],
      'a group to impersonate without a user': [
        `Authorization: Bearer ${token}`,
        'Impersonate-Group: system:masters',
      ],
      'an empty user to impersonate': [`Authorization: Bearer ${token}`, 'Impersonate-User:'],
    };
    const found: Record<string, unknown> = {};
    for (const [title, list] of Object.entries(headers))
      found[title] = await answerTo('GET /api/v1/nodes', list);
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/request-headers/authorization.yaml');
  });

  test('the subprotocols of a WebSocket', async () => {
    const encoded = (text: string) => Buffer.from(text).toString('base64url');
    const good = `${protocolPrefix}${encoded(token)}`;
    const protocols: Record<string, string[]> = {
      'no token': ['v4.channel.k8s.io'],
      'a token': [good],
      'a token and another': [`${good}, base64.binary.k8s.io`],
      'another and a token': [`base64.binary.k8s.io,${good}`],
      'a token and another in two headers': [good, 'base64.binary.k8s.io'],
      'two tokens': [`${good},${good},base64.binary.k8s.io`],
      'an empty token': [`${protocolPrefix}, base64.binary.k8s.io`],
      'a bad token': [`${protocolPrefix}${encoded('bad')}, base64.binary.k8s.io`],
      'a token with padding': [`${protocolPrefix}YQ==, base64.binary.k8s.io`],
      'a token that is not base64url': [`${protocolPrefix}+/, base64.binary.k8s.io`],
      'a token that is not UTF-8': [`${protocolPrefix}_w, base64.binary.k8s.io`],
    };
    const found: Record<string, unknown> = {};
    for (const [title, list] of Object.entries(protocols)) {
      const headers = [...upgrade, origin, ...list.map((text) => `Sec-WebSocket-Protocol: ${text}`)];
      found[title] = await answerTo(`GET ${configMaps}?watch=1`, headers);
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/request-headers/web-sockets.yaml');
  });
});
