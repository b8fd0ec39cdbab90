// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restoreScript, saveScript } from './snapshot-job.ts';

const canRun = ['bash', 'wget'].every((program) => spawnSync(program, ['--version']).status === 0);

/** Runs a script with its volumes in a folder. */
function run(script: string, folder: string, env: Record<string, string> = {}) {
  const local = script.replaceAll(/\/(backup|data)\b/g, `${folder}/$1`);
  return new Promise<string>((resolve, reject) =>
    execFile('bash', ['-c', local], { env: { ...process.env, ...env } }, (error, _, stderr) =>
      error ? reject(new Error(stderr)) : resolve(stderr),
    ),
  );
}

async function volumes() {
  const folder = await mkdtemp(join(tmpdir(), 'snapshot-'));
  await mkdir(join(folder, 'backup'));
  await mkdir(join(folder, 'data'));
  return {
    folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

async function member(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: { SNAPSHOT_URL: `http://127.0.0.1:${port}/commands/snapshot`, AUTHORIZATION: 'ip' },
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

test.skipIf(!canRun)('a snapshot becomes the data of a member that has none', async () => {
  await using disk = await volumes();
  let changes = 0;
  await using leader = await member((request, response) => {
    changes += 1;
    const headers = { last_zxid: `0x50000000${changes}`, snapshot_size: '4' };
    const isKnown = request.headers.authorization === 'ip';
    response.writeHead(isKnown ? 200 : 401, headers).end(`data ${changes}`);
  });
  await run(saveScript, disk.folder, leader.env);
  // Another attempt replaces the first one.
  await run(saveScript, disk.folder, leader.env);
  expect((await readdir(join(disk.folder, 'backup'))).toSorted()).toEqual([
    'headers',
    'snapshot.500000002',
  ]);

  const data = join(disk.folder, 'data', 'version-2');
  await run(restoreScript, disk.folder);
  expect(await readFile(join(data, 'snapshot.500000002'), 'utf8')).toBe('data 2');
  await writeFile(join(data, 'snapshot.500000003'), 'later');
  await run(restoreScript, disk.folder);
  expect((await readdir(data)).toSorted()).toEqual(['snapshot.500000002', 'snapshot.500000003']);
});

test.skipIf(!canRun)('an answer without a snapshot fails', async () => {
  await using disk = await volumes();
  await using waiting = await member((_, response) => {
    response.writeHead(200).end('This ZooKeeper instance is not currently serving requests');
  });
  await expect(run(saveScript, disk.folder, waiting.env)).rejects.toThrow('not currently serving');
  await using closed = await member((_, response) => void response.writeHead(403).end());
  await expect(run(saveScript, disk.folder, closed.env)).rejects.toThrow('403');
  await expect(run(restoreScript, disk.folder)).rejects.toThrow('snapshot.*');
  expect(await readdir(join(disk.folder, 'data'))).toEqual(['restored']);
});
