import { ApiServer, type Connection, type PodStreams } from 'ots-apiserver';
import { TestEnvironment } from 'ots-testing';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { openKubeletPort } from './kubelet-port.ts';
import { serverNames } from './on-each-server.ts';
import { Session } from './session.ts';

/** A server whose pods have a kubelet. */
export interface StreamingServer {
  readonly name: 'embedded' | 'kube-apiserver';
  readonly connection: Connection;
  readonly kubeconfig: string;
  readonly session: Session;
}

const pods = '/api/v1/namespaces/default/pods';

/**
 * Each block of tests runs against the embedded server with a kubelet in its process, and against the real one if its binaries are
 * available: its node is the embedded server. The pod `app` has one container, `main`, and the pod `pair` has two, `one` and `two`.
 *
 * @param streams the kubelet
 * @param skip whether to skip the tests, for example because a program that they need is not installed
 */
export function onEachStreamingServer(
  title: string,
  { streams, skip = false }: { streams: PodStreams; skip?: boolean },
  define: (server: StreamingServer) => void,
): void {
  describe.skipIf(skip).each(serverNames)(`${title} on %s`, (name) => {
    let running: Omit<StreamingServer, 'name'> | undefined;
    const closing: (() => Promise<void> | void)[] = [];
    beforeAll(async () => {
      const embedded = await ApiServer.start({ podStreams: streams });
      closing.push(() => embedded.stop());
      const session = new Session(embedded.connection);
      closing.push(() => session.close());
      await createPods(session);
      running = { connection: embedded.connection, kubeconfig: embedded.kubeconfig, session };
      if (name === 'kube-apiserver') running = await startReal(Number(new URL(embedded.url).port), closing);
    });
    afterAll(async () => {
      for (const close of closing.splice(0).toReversed()) await close();
    });
    const current = () => {
      if (!running) throw new Error('The server has not started: use it in a test');
      return running;
    };
    define({
      name,
      get connection() {
        return current().connection;
      },
      get kubeconfig() {
        return current().kubeconfig;
      },
      get session() {
        return current().session;
      },
    });
  });
}

/** A real server whose node is the kubelet port of an embedded one. */
async function startReal(
  embeddedPort: number,
  closing: (() => Promise<void> | void)[],
): Promise<Omit<StreamingServer, 'name'>> {
  const kubelet = await openKubeletPort(embeddedPort);
  closing.push(kubelet.close);
  const environment = await TestEnvironment.start({ env: process.env, controllers: false });
  closing.push(() => environment.stop());
  const session = new Session(environment.config);
  closing.push(() => session.close());
  await session.post('/api/v1/nodes', { metadata: { name: 'n1' } });
  await session.merge('/api/v1/nodes/n1/status', {
    status: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } },
    },
  });
  await createPods(session);
  return { connection: environment.config, kubeconfig: environment.kubeconfig, session };
}

async function createPods(session: Session): Promise<void> {
  await createPod(session, 'app', ['main']);
  await createPod(session, 'pair', ['one', 'two']);
}

async function createPod(session: Session, name: string, containers: readonly string[]): Promise<void> {
  const image = 'i';
  const spec = { nodeName: 'n1', containers: containers.map((each) => ({ name: each, image })) };
  const { code, body } = await session.post(pods, { metadata: { name }, spec });
  expect(code, JSON.stringify(body)).toBe(201);
  const state = { running: { startedAt: '2020-01-01T00:00:00Z' } };
  const containerStatuses = containers.map((each) => ({
    name: each,
    image,
    imageID: image,
    ready: true,
    restartCount: 0,
    state,
  }));
  const conditions = [{ type: 'Ready', status: 'True' }];
  await session.merge(`${pods}/${name}/status`, {
    status: { phase: 'Running', conditions, containerStatuses },
  });
}
