import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Images } from 'ots-testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Session } from '../../../apiserver/test/support/session.ts';
import { startNode } from '../support/start-node.ts';

/** Starts a cluster with a pod, and reads its log through HTTP. */
async function startPod(
  images: Images,
  spec: Parameters<Awaited<ReturnType<typeof startNode>>['create']>[0] = {},
) {
  const node = await startNode(images);
  await node.create(spec);
  const session = new Session(node.environment.config);
  onTestFinished(() => session.close());
  const log = async (query = '') => {
    const { code, body } = await session.get(`/api/v1/namespaces/default/pods/app/log?${query}`);
    return code === 200 ? (body as string) : `${code} ${body.message}`;
  };
  return { ...node, session, log };
}

test('a log has what the application writes, and clients ask for parts of it', async () => {
  const { log, environment } = await startPod({
    'app:*': ({ log: write, clock }) => {
      write('one');
      clock.setTimeout(() => write('two\nthree'), 60_000);
      return { logs: ['begin', ''] };
    },
  });
  expect(await log()).toBe('one\nbegin\n\n');
  await environment.advance('1m');
  expect(await log()).toBe('one\nbegin\n\ntwo\nthree\n');
  expect(await log('tailLines=1')).toBe('three\n');
  expect(await log('tailLines=0')).toBe('');
  expect(await log('sinceSeconds=5')).toBe('two\nthree\n');
  expect(await log('sinceSeconds=5&tailLines=1&timestamps=true')).toBe(
    '2026-01-01T00:01:00.000000000Z three\n',
  );
  expect(await log('sinceTime=2026-01-01T00:02:00Z')).toBe('');
  expect(await log('limitBytes=5')).toBe('one\nb');
});

test('a container that has crashed has a log, and one from before its restart', async () => {
  const { log, environment, container } = await startPod({
    'app:*': ({ restartCount }) => ({
      exitCode: 1,
      exitAfter: restartCount === 0 ? '5s' : '60s',
      logs: `run ${restartCount}`,
    }),
  });
  expect(await log()).toBe('run 0\n');
  expect(await log('previous=true')).toBe('400 previous terminated container "app" in pod "app" not found');
  await environment.advance('5s');
  expect(await log()).toBe('run 1\n');
  expect(await log('previous=true')).toBe('run 0\n');
  await environment.advance('60s');
  expect((await container()).state).toHaveProperty('waiting.reason', 'CrashLoopBackOff');
  expect(await log()).toBe('run 1\n');
  expect(await log('previous=true')).toBe('run 1\n');
  await environment.advance('10s');
  expect(await log()).toBe('run 2\n');
  expect(await log('previous=true')).toBe('run 1\n');
});

test('a container that has not started has no log', async () => {
  const env = [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'absent', key: 'x' } } }];
  const { log } = await startPod({}, { containers: [{ name: 'app', image: 'app:1', env }] });
  expect(await log()).toBe(
    '400 container "app" in pod "app" is waiting to start: CreateContainerConfigError',
  );
});

test('a crash is in the log', async () => {
  const { log } = await startPod(
    {
      'app:*': () => {
        throw new Error('no database');
      },
    },
    { restartPolicy: 'Never' },
  );
  expect(await log()).toMatch(/^Error: no database\n {4}at /);
});

test('a log that is followed arrives as it is written, and ends with the container', async () => {
  const { session, environment } = await startPod(
    {
      'app:*': ({ log: write, clock }) => {
        write('one');
        clock.setTimeout(() => write('two'), 1000);
        return { exitCode: 0, exitAfter: '2s' };
      },
    },
    { restartPolicy: 'Never' },
  );
  const response = await session.open('GET', '/api/v1/namespaces/default/pods/app/log?follow=true');
  const all = text(response);
  await environment.advance('1s');
  await environment.advance('1s');
  expect(await all).toBe('one\ntwo\n');
});

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

describe.skipIf(!hasKubectl)('kubectl', () => {
  test('kubectl logs prints, follows and selects', async () => {
    const { environment } = await startPod(
      {
        'app:*': ({ log: write, clock }) => {
          write('one');
          clock.setTimeout(() => write('two'), 1000);
          return { exitCode: 0, exitAfter: '2s' };
        },
      },
      { restartPolicy: 'Never' },
    );
    const file = await environment.kubeconfigFile();
    const logs = async (...flags: string[]) =>
      text(spawn('kubectl', ['--kubeconfig', file, 'logs', 'app', ...flags]).stdout);
    expect(await logs()).toBe('one\n');
    const followed = logs('--follow');
    const ended = followed.then(() => true);
    while (!(await Promise.race([ended, delay(20, false)]))) await environment.advance('100ms');
    expect(await followed).toBe('one\ntwo\n');
    expect(await logs('-c', 'app', '--tail=1', '--timestamps')).toBe('2026-01-01T00:00:01.000000000Z two\n');
    expect(await logs('--since=1h')).toBe('one\ntwo\n');
  });
});
