import { expect, test } from 'vitest';
import { startNode } from '../support/start-node.ts';

const container = { name: 'app', image: 'app:1' };
const httpGet = { path: '/healthz', port: 'http' };
const ports = [{ name: 'http', containerPort: 8080 }];

test('a readiness probe decides, after as many answers as its thresholds say', async () => {
  let isReady = true;
  const node = await startNode({ 'app:*': { ready: () => isReady } });
  const readinessProbe = {
    httpGet,
    initialDelaySeconds: 3,
    periodSeconds: 5,
    failureThreshold: 2,
    successThreshold: 2,
  };
  await node.create({ containers: [{ ...container, ports, readinessProbe }] });
  await node.environment.advance('7s');
  expect(await node.container()).toMatchObject({ ready: false, started: true });
  await node.environment.advance('1s');
  expect(await node.container()).toMatchObject({ ready: true });
  isReady = false;
  await node.environment.advance('5s');
  expect(await node.container()).toMatchObject({ ready: true });
  await node.environment.advance('5s');
  expect(await node.container()).toMatchObject({ ready: false, restartCount: 0 });
  expect((await node.events()).at(-1)).toBe(
    '2 Warning Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 503',
  );
});

test('an application that does not listen yet refuses connections', async () => {
  const node = await startNode({ 'app:*': { readyAfter: '4s' } });
  await node.create({ containers: [{ ...container, ports, readinessProbe: { httpGet, periodSeconds: 5 } }] });
  expect((await node.events()).at(-1)).toBe(
    '1 Warning Unhealthy: Readiness probe failed: Get "http://10.244.0.1:8080/healthz": dial tcp 10.244.0.1:8080: connect: connection refused',
  );
  await node.environment.advance('5s');
  expect(await node.container()).toMatchObject({ ready: true });
});

test('a container that is not alive is stopped and starts again', async () => {
  let isAlive = true;
  const node = await startNode({
    'app:*': {
      live: () => isAlive,
      terminate: () => {
        isAlive = true;
        return 7;
      },
    },
  });
  const livenessProbe = { tcpSocket: { port: 'http' }, periodSeconds: 10, failureThreshold: 3 };
  await node.create({ restartPolicy: 'OnFailure', containers: [{ ...container, ports, livenessProbe }] });
  await node.environment.advance('30s');
  isAlive = false;
  await node.environment.advance('20s');
  expect(await node.container()).toMatchObject({ restartCount: 0 });
  await node.environment.advance('10s');
  expect(await node.container()).toMatchObject({
    restartCount: 1,
    state: { running: {} },
    lastState: { terminated: { exitCode: 7, reason: 'Error' } },
  });
  const events = await node.events();
  expect(events).toContain(
    '3 Warning Unhealthy: Liveness probe failed: dial tcp 10.244.0.1:8080: connect: connection refused',
  );
  expect(events).toContain('1 Normal Killing: Container app failed liveness probe, will be restarted');
});

test('the other probes wait for the startup probe', async () => {
  const asked: string[] = [];
  let hasStarted = false;
  const node = await startNode({
    'app:*': {
      exec: (command) => {
        asked.push(command.join(' '));
        return command[0] === 'start' && !hasStarted ? { exitCode: 1, stderr: 'still loading' } : {};
      },
    },
  });
  const probe = (command: string) => ({ exec: { command: [command] }, periodSeconds: 2 });
  await node.create({
    containers: [
      {
        ...container,
        startupProbe: probe('start'),
        readinessProbe: probe('ready'),
        livenessProbe: probe('live'),
      },
    ],
  });
  await node.environment.advance('2s');
  expect(asked).toEqual(['start', 'start']);
  expect(await node.container()).toMatchObject({ started: false, ready: false });
  expect((await node.events()).at(-1)).toBe('2 Warning Unhealthy: Startup probe failed: still loading');
  hasStarted = true;
  await node.environment.advance('2s');
  expect(asked).toEqual(['start', 'start', 'start', 'ready', 'live']);
  expect(await node.container()).toMatchObject({ started: true, ready: true });
});

test('a container whose startup probe fails too often starts again', async () => {
  const node = await startNode({ 'app:*': { ready: () => false } });
  const startupProbe = { grpc: { port: 9090 }, periodSeconds: 1, failureThreshold: 3 };
  await node.create({ containers: [{ ...container, startupProbe }] });
  await node.environment.advance('2s');
  expect(await node.container()).toMatchObject({ restartCount: 1, started: false });
  const events = await node.events();
  expect(events).toContain('1 Normal Killing: Container app failed startup probe, will be restarted');
  expect(events.join()).toContain('Startup probe failed: service unhealthy (responded with "NOT_SERVING")');
});

test('an answer that takes too long is a failure', async () => {
  const node = await startNode({ 'app:*': { http: () => new Promise(() => {}) } });
  const readinessProbe = { httpGet: { port: 80 }, timeoutSeconds: 2 };
  await node.create({ containers: [{ ...container, readinessProbe }] });
  await node.environment.advance('2s');
  expect((await node.events()).at(-1)).toBe(
    '1 Warning Unhealthy: Readiness probe failed: Get "http://10.244.0.1/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
  );
});

test('an application answers HTTP probes itself', async () => {
  const seen: string[] = [];
  const node = await startNode({
    'app:*': {
      http: ({ url, headers }) => {
        seen.push(`${url} ${headers.get('x-probe')}`);
        return new Response('', { status: 500 });
      },
    },
  });
  const probe = { ...httpGet, httpHeaders: [{ name: 'X-Probe', value: 'yes' }] };
  await node.create({ containers: [{ ...container, ports, readinessProbe: { httpGet: probe } }] });
  expect(seen).toEqual(['http://10.244.0.1:8080/healthz yes']);
  expect((await node.events()).at(-1)).toBe(
    '1 Warning Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 500',
  );
});

test('a header that HTTP does not allow fails the probe and not the application', async () => {
  const node = await startNode({ 'app:*': { http: () => new Response('') } });
  const probe = { ...httpGet, httpHeaders: [{ name: 'X-Probe', value: 'a\nb' }] };
  await node.create({ containers: [{ ...container, ports, readinessProbe: { httpGet: probe } }] });
  expect((await node.events()).at(-1)).toBe(
    '1 Warning Unhealthy: Readiness probe failed: Get "http://10.244.0.1:8080/healthz": net/http: invalid header field value for "X-Probe"',
  );
  expect(await node.container()).toMatchObject({ ready: false, restartCount: 0 });
});

test('a header of a probe arrives as UTF-8', async () => {
  const seen: unknown[] = [];
  const node = await startNode({
    'app:*': {
      http: ({ headers }) => {
        seen.push(Buffer.from(headers.get('x-probe') ?? '', 'latin1').toString());
        return new Response('');
      },
    },
  });
  const probe = { ...httpGet, httpHeaders: [{ name: 'X-Probe', value: '10 €' }] };
  await node.create({ containers: [{ ...container, ports, readinessProbe: { httpGet: probe } }] });
  expect(seen).toEqual(['10 €']);
});
