import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Pod, Service } from 'ots-kubernetes/core/v1';
import { Client, ControllerBuilder, Manager, createLogger, waitFor, waitForObject } from 'ots-runtime';
import { type Application, type Images, type Network, TestEnvironment } from 'ots-testing';
import { expect, onTestFinished, test } from 'vitest';
import { podOf, startNode } from '../support/start-node.ts';

const inDefault = (name: string) => ({ name, namespace: 'default' });

/** A member of a database that answers HTTP on one port, and words on another one. */
const member: Application = ({ pod }) => ({
  http: async (request, port) => {
    const body = request.method === 'POST' ? ((await request.json()) as object) : {};
    return Response.json({ ...body, pod: pod.metadata.name, port, path: new URL(request.url).pathname });
  },
  tcp: {
    2181: (socket) => void socket.once('data', (word) => socket.end(`${word} by ${pod.metadata.name}`)),
  },
});

function serviceOf(name: string, spec: NonNullable<Service['spec']>): Service {
  const selector = { app: 'db' };
  return { apiVersion: 'v1', kind: 'Service', metadata: inDefault(name), spec: { selector, ...spec } };
}

function members(replicas: number): StatefulSet {
  const ports = [{ name: 'api', containerPort: 2379 }, { containerPort: 2181 }];
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: inDefault('db'),
    spec: {
      serviceName: 'db',
      replicas,
      selector: { matchLabels: { app: 'db' } },
      template: {
        metadata: { labels: { app: 'db' } },
        spec: { containers: [{ name: 'db', image: 'db:1', ports }] },
      },
    },
  };
}

async function createMembers(client: Client, replicas: number): Promise<void> {
  await client.create(Service, serviceOf('db', { clusterIP: 'None', ports: [{ port: 2379 }] }));
  const ports = [{ name: 'http', port: 80, targetPort: 'api' }];
  await client.create(Service, serviceOf('web', { ports }));
  await client.create(StatefulSet, members(replicas));
}

/** Starts two members behind a Service without and one with an address. */
async function startMembers(images: Images = { 'db:*': member }) {
  const node = await startNode(images);
  await createMembers(node.client, 2);
  await node.environment.settle();
  const get = (url: string) => answerOf(node.environment.network, url);
  return { ...node, get };
}

/** What answers, or why nothing does. */
async function answerOf({ fetch }: Network, url: string): Promise<unknown> {
  try {
    return await (await fetch(url)).json();
  } catch (error) {
    return error instanceof TypeError ? (error.cause as { code: unknown }).code : error;
  }
}

test('an application answers HTTP at the address of its pod and at the names of Services', async () => {
  const { client, environment, get } = await startMembers();
  const { podIP } = (await client.get(Pod, inDefault('db-1')))!.status!;
  const { clusterIP } = (await client.get(Service, inDefault('web')))!.spec!;
  const answer = { pod: 'db-1', port: 2379, path: '/v3/members' };
  for (const host of [
    podIP!,
    'db-1.db',
    'db-1.db.default',
    'db-1.db.default.svc',
    'DB-1.db.default.svc.cluster.local.',
  ])
    expect(await get(`http://${host}:2379/v3/members`)).toEqual(answer);
  const any = { ...answer, pod: expect.stringMatching(/^db-[01]$/) as string, path: '/' };
  for (const host of ['db.default.svc:2379', 'web', 'web.default.svc.cluster.local', clusterIP!])
    expect(await get(`http://${host}/`)).toEqual(any);
  const response = await environment.network.fetch('http://db-0.db:2379/v3/members', {
    method: 'POST',
    body: JSON.stringify({ peers: ['db-2'] }),
  });
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual({ ...answer, pod: 'db-0', peers: ['db-2'] });
});

test('a name, an address or a port where nothing answers is an error with the code of Node.js', async () => {
  const { get, environment } = await startMembers();
  expect(await get('http://db-7.db:2379')).toBe('ENOTFOUND');
  expect(await get('http://db-0.db.other.svc:2379')).toBe('ENOTFOUND');
  expect(await get('http://example.com')).toBe('ENOTFOUND');
  expect(await get('http://db-0.db:9999')).toBe('ECONNREFUSED');
  expect(await get('http://web:9999')).toBe('ECONNREFUSED');
  expect(await get('http://10.244.9.9')).toBe('EHOSTUNREACH');
  const [error] = (await once(environment.network.connect(1, 'db-0.db'), 'error')) as [Error];
  expect(error.message).toMatch(/^connect ECONNREFUSED 10\.244\.0\.\d+:1$/);
  environment.nodes.stop('node-1');
  expect(await get('http://db-0.db:2379')).toBe('EHOSTUNREACH');
});

test('a Service leads to the pods that are ready', async () => {
  const { environment, get } = await startMembers({
    'db:*': ({ pod }) => ({
      readyAfter: pod.metadata.name === 'db-1' ? '1m' : 0,
      http: () => Response.json(pod.metadata.name),
    }),
  });
  for (let count = 0; count < 8; count += 1) expect(await get('http://web')).toBe('db-0');
  expect(await get('http://db-1.db:2379')).toBe('ENOTFOUND');
  await environment.advance('1m');
  expect(await get('http://db-1.db:2379')).toBe('db-1');
  environment.failures.add({ name: 'db-0' }, { crashAfter: 0 });
  await environment.settle();
  for (let count = 0; count < 8; count += 1) expect(await get('http://web')).toBe('db-1');
});

test('an application answers bytes on a port, and its connections end with it', async () => {
  let greet = () => {};
  const { environment, client } = await startMembers({
    'db:*': {
      tcp: {
        2181: (socket) => void socket.once('data', (word) => socket.end(`${word}!`)),
        2182: (socket) => {
          greet = () => socket.write('hello');
        },
        2183: () => {
          throw new Error('boom');
        },
      },
    },
  });
  const { connect } = environment.network;
  const asked = connect(2181, 'db-0.db.default.svc');
  await once(asked, 'connect');
  asked.write('ruok');
  expect(await text(asked)).toBe('ruok!');

  const open = connect(2182, 'db-0.db.default.svc');
  await once(open, 'connect');
  greet();
  expect(String((await once(open, 'data'))[0])).toBe('hello');
  const ended = once(open, 'end');
  environment.failures.add({ name: 'db-0' }, { crashAfter: 0 });
  await environment.settle();
  await ended;

  await once(connect(2183, 'db-1.db').resume(), 'end');
  await environment.settle();
  const { containerStatuses } = (await client.get(Pod, inDefault('db-1')))!.status!;
  expect(containerStatuses).toMatchObject([{ restartCount: 1, lastState: { terminated: { exitCode: 1 } } }]);
});

test('applications reach each other by names of their namespace', async () => {
  const heard: string[] = [];
  await startMembers({
    'db:*': async ({ pod, network }) => {
      if (pod.metadata.name === 'db-1') {
        heard.push(await (await network.fetch('http://db-0.db:2379/join')).text());
        heard.push(await text(network.connect(2181, 'db-0.db').end('hi')));
      }
      return {
        http: (request) => new Response(`welcome to ${request.url}`),
        tcp: { 2181: (socket) => void socket.once('data', (word) => socket.end(`${word}!`)) },
      };
    },
  });
  expect(heard).toEqual(['welcome to http://db-0.db:2379/join', 'hi!']);
});

test('a request ends with the application, and with its signal', async () => {
  const { environment, get } = await startMembers({
    'db:*': ({ clock }) => ({
      http: async () => {
        await new Promise<void>((resolve) => clock.setTimeout(resolve, 3_600_000));
        return new Response('late');
      },
    }),
  });
  const abort = new AbortController();
  const aborted = environment.network.fetch('http://db-1.db:2379', { signal: abort.signal });
  const broken = get('http://db-0.db:2379');
  await environment.settle();
  abort.abort(new Error('enough'));
  await expect(aborted).rejects.toThrow('enough');
  environment.failures.add({ name: 'db-0' }, { crashAfter: 0 });
  await environment.settle();
  expect(await broken).toBe('ECONNRESET');
});

/** An operator that writes into a ConfigMap what each member answers, over HTTP after 2 s and then over TCP after 1 s. */
async function operate(seed: number) {
  const images: Images = {
    'db:*': ({ pod, clock }) => ({
      http: async (request) => {
        if (request.url.endsWith('/slow'))
          await new Promise<void>((resolve) => clock.setTimeout(resolve, 2000));
        return new Response(pod.metadata.name);
      },
      tcp: {
        2181: (socket) =>
          void socket.once('data', (word) => {
            clock.setTimeout(() => socket.end(`${word} of ${pod.metadata.name}`), 1000);
          }),
      },
    }),
  };
  await using environment = await TestEnvironment.start({ clock: 'virtual', seed, workloads: { images } });
  await using client = new Client(environment.config);
  const logger = createLogger({ level: 'error' });
  await using manager = await Manager.create({ connection: environment.config, logger });
  new ControllerBuilder(manager).for(Pod).complete(async (request) => {
    const response = await environment.network
      .fetch(`http://${request.name}.db.default.svc:2379/slow`)
      .catch(() => undefined);
    if (!response) return { requeueAfter: '1s' };
    const seen = await response.text();
    const mode = await text(environment.network.connect(2181, `${request.name}.db.default.svc`).end('mode'));
    await manager.client.patch(ConfigMap, inDefault('seen'), { data: { [seen]: mode } });
    return undefined;
  });
  manager.start().catch(() => {});
  await manager.ready;
  await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: inDefault('seen') });
  await createMembers(client, 3);
  // One pod after the other, several times.
  await environment.advance('30s');
  return { data: (await client.get(ConfigMap, inDefault('seen')))?.data, trace: environment.trace };
}

test('under a virtual clock an operator asks applications, which take their time, in an order that the seed decides', async () => {
  const traces = [];
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 7]) {
    const { data, trace } = await operate(seed);
    expect(data).toEqual({ 'db-0': 'mode of db-0', 'db-1': 'mode of db-1', 'db-2': 'mode of db-2' });
    traces.push(trace);
  }
  const [last, again] = traces.slice(-2);
  expect(again).toEqual(last);
});

test('a tool that decides about deliveries also decides about requests to applications', async () => {
  let count = 0;
  const environment = await TestEnvironment.start({
    clock: 'virtual',
    workloads: { images: { 'app:*': { http: () => Response.json('fine') } } },
    choose: ([first]) => {
      if (first!.user !== 'environment.network' || first!.kind !== 'response') return first;
      count += 1;
      return count === 1 ? { drop: first! } : first;
    },
  });
  onTestFinished(() => environment.stop());
  await using client = new Client(environment.config);
  const containers = [{ name: 'app', image: 'app:1' }];
  await client.create(Pod, { ...podOf('app'), spec: { containers } });
  await environment.settle();
  const { podIP } = (await client.get(Pod, inDefault('app')))!.status!;
  expect(await answerOf(environment.network, `http://${podIP}`)).toBe('ECONNRESET');
  expect(await answerOf(environment.network, `http://${podIP}`)).toBe('fine');
});

const assets = process.env['KUBEBUILDER_ASSETS'];

test.each(assets ? ['embedded', 'kube-apiserver'] : ['embedded'])(
  'with real time an application streams its answer: %s',
  async (name) => {
    const lines = async function* () {
      yield Buffer.from('one\n');
      await delay(1);
      yield Buffer.from('two\n');
    };
    const images: Images = { 'db:*': { http: () => new Response(ReadableStream.from(lines())) } };
    const env = name === 'embedded' ? {} : { KUBEBUILDER_ASSETS: assets };
    await using environment = await TestEnvironment.start({ workloads: { images }, env });
    await using client = new Client(environment.config);
    await createMembers(client, 1);
    await waitForObject(client, StatefulSet, inDefault('db'), (set) => set?.status?.readyReplicas === 1);
    const response = await waitFor(() =>
      environment.network.fetch('http://web.default.svc').catch(() => undefined),
    );
    const chunks: string[] = [];
    for await (const chunk of response.body!) chunks.push(String(Buffer.from(chunk)));
    expect(chunks).toEqual(['one\n', 'two\n']);
  },
);

test('an environment without simulated nodes has no network', async () => {
  await using environment = await TestEnvironment.start({ env: {} });
  expect(() => environment.network).toThrow('The environment has no simulated nodes');
});
