import { afterEach, beforeAll, expect, test } from 'vitest';
import { masked } from '../../support/masked.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { RawSocket, upgrade } from '../../support/raw-socket.ts';
import { asRecorded } from '../../support/recorded.ts';

const namespace = '/api/v1/namespaces/connections';
const pods = `${namespace}/pods`;
const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/connections';

const offering = (...protocols: string[]) => [...upgrade, `Sec-WebSocket-Protocol: ${protocols.join(', ')}`];
const spdy = ['Connection: Upgrade', 'Upgrade: SPDY/3.1', 'X-Stream-Protocol-Version: v4.channel.k8s.io'];
const v5 = offering('v5.channel.k8s.io');
const tunnel = offering('SPDY/3.1+portforward.k8s.io');
const as = (user: string) => `Impersonate-User: ${user}`;

/** A request for a connection: method, path below the pods, and headers. */
type Request = readonly [method: string, path: string, headers: readonly string[]];

const cases: Record<string, readonly Request[]> = {
  'a node that cannot be reached': [
    ['GET', 'away/exec?command=ls&stdout=1&stderr=1', v5],
    ['GET', 'away/exec?command=ls&stdin=1&stderr=1&container=c1', v5],
    ['GET', 'away/exec?command=ls', v5],
    ['GET', 'away/attach?stdin=1&stdout=1&tty=1', v5],
    ['GET', 'away/exec?command=ls&stdout=1', offering('v4.channel.k8s.io', 'v5.channel.k8s.io')],
    ['GET', 'away/exec?command=ls&stdout=1', offering('v4.channel.k8s.io')],
    ['GET', 'away/exec?command=ls&stdout=1', upgrade],
    ['POST', 'away/exec?command=ls&stdout=1', spdy],
    ['GET', 'away/exec?command=ls&stdout=1', spdy],
    ['POST', 'away/attach?stdout=1', spdy],
    ['POST', 'away/portforward', spdy],
    ['GET', 'away/portforward', tunnel],
    ['GET', 'away/portforward?ports=80', offering('v4.channel.k8s.io')],
    ['GET', 'away/portforward', v5],
  ],
  'handshakes that are refused': [
    ['POST', 'away/exec?command=ls&stdout=1', v5],
    ['GET', 'away/exec?command=ls&stdout=1', v5.filter((line) => !line.includes('Key'))],
    ['GET', 'away/exec?command=ls&stdout=1', v5.map((line) => line.replace('Version: 13', 'Version: 8'))],
  ],
  'requests that are refused': [
    ['GET', 'new/exec?command=ls&stdout=1', v5],
    ['GET', 'away/exec?command=ls&stdout=1&container=missing', v5],
    ['GET', 'two/exec?command=ls&stdout=1', v5],
    ['POST', 'two/attach?stdout=1', spdy],
    ['GET', 'lost/exec?command=ls&stdout=1', v5],
    ['GET', 'missing/exec?command=ls&stdout=1', v5],
    ['GET', 'missing/portforward', tunnel],
    ['GET', 'away/portforward?ports=x', tunnel],
    ['GET', 'away/exec?command=ls&stdout=1&dryRun=All', v5],
    ['DELETE', 'away/exec?command=ls&stdout=1', v5],
  ],
  'users who may get, but not create': [
    ['GET', 'away/exec?command=ls&stdout=1', [...v5, as('reader')]],
    ['GET', 'missing/exec?command=ls&stdout=1', [...v5, as('reader')]],
    ['GET', 'away/exec?command=ls&stdout=1', [as('reader')]],
    ['POST', 'away/exec?command=ls&stdout=1', [...spdy, as('reader')]],
    ['GET', 'away/attach?stdout=1', [...v5, as('reader')]],
    ['GET', 'away/portforward', [...tunnel, as('reader')]],
    ['GET', 'away/exec?command=ls&stdout=1', [...v5, as('creator')]],
    ['POST', 'away/exec?command=ls&stdout=1', [...spdy, as('creator')]],
  ],
};

onEachServer('connections to pods', (server) => {
  const sockets: RawSocket[] = [];
  beforeAll(async () => {
    const { session } = server;
    await session.post('/api/v1/namespaces', { metadata: { name: 'connections' } });
    await session.post('/api/v1/nodes', { metadata: { name: 'away' } });
    await session.merge('/api/v1/nodes/away/status', {
      status: { addresses: [{ type: 'InternalIP', address: '127.0.0.9' }] },
    });
    const createPod = async (name: string, nodeName: string | undefined, containers: readonly string[]) => {
      const spec = { nodeName, containers: containers.map((each) => ({ name: each, image: 'i' })) };
      expect((await session.post(pods, { metadata: { name }, spec })).code).toBe(201);
    };
    await createPod('away', 'away', ['c1']);
    await createPod('new', undefined, ['c1']);
    await createPod('two', 'away', ['c1', 'c2']);
    await createPod('lost', 'nowhere', ['c1']);
    const resources = ['pods/exec', 'pods/attach', 'pods/portforward'];
    for (const [name, verbs] of [
      ['reader', ['get']],
      ['creator', ['create', 'get']],
    ]) {
      await session.post(`${rbac}/roles`, {
        metadata: { name },
        rules: [{ apiGroups: [''], resources, verbs }],
      });
      await session.post(`${rbac}/rolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
      });
    }
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });

  /** Everything that a server answers until it ends the connection, or has sent a whole object. */
  async function ask([method, path, headers]: Request): Promise<unknown> {
    const socket = RawSocket.open(server.environment.config, `${method} ${pods}/${path}`, headers);
    sockets.push(socket);
    await socket.until(({ isOver, body }) => isOver || /^\{.*\}\s*$/s.test(body));
    const { head, frames, body } = socket;
    const isOpen = head[0]?.includes('101') ?? false;
    const shown = isOpen
      ? { frames: frames.map(({ kind, text }) => ({ kind, text: withoutCause(text) })) }
      : { body: parsed(withoutCause(body)) };
    return { asked: `${method} ${path}`, head, ...shown };
  }

  test.each(Object.keys(cases))('%s', async (title) => {
    const answers = [];
    for (const request of cases[title] ?? []) answers.push(await ask(request));
    const file = `../recorded/pod-connections/${title.replaceAll(/[^a-z]+/g, '-')}.yaml`;
    await expect(asRecorded(masked(answers))).toMatchFileSnapshot(file);
  });
});

/** What a server says without why it does not reach the node: the embedded server connects to none. */
function withoutCause(text: string): string {
  return text.replaceAll(/(dial tcp 127\.0\.0\.9:10250: )[^"\\]+/g, '$1<cause>');
}

/** The body of an answer. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
