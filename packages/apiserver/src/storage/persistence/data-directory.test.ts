import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../../test/support/fixtures.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import type { ApiObject } from '../../json/api-object.ts';
import { StatusError } from '../../status/status-error.ts';
import type { Snapshot } from '../snapshot.ts';
import { Store } from '../store.ts';
import type { Table } from '../table.ts';
import { DataDirectory, type DataDirectoryOptions } from './data-directory.ts';
import { type Disk, machineDisk } from './disk.ts';
import { unicodeCharacter } from '../../../../../test/support/unicode-character.ts';

const history = { changes: 10, characters: 1e6 };
const empty: Snapshot = { revision: 0, tables: new Map() };

interface Running {
  data: DataDirectory;
  store: Store;
  table: Table;
  warnings: string[];
}

/** Opens a directory and loads a store with one table, `/configmaps`, from it. */
async function open(directory: string, options: Partial<DataDirectoryOptions> = {}): Promise<Running> {
  const warnings: string[] = [];
  const data = await DataDirectory.open(directory, { warn: (message) => warnings.push(message), ...options });
  onTestFinished(() => data.close());
  const initial = data.recovered ?? empty;
  await data.begin(initial);
  const store = new Store(history, undefined, initial.revision, data);
  const table = store.createTable('/configmaps');
  store.load(initial, () => {});
  return { data, store, table, warnings };
}

function object(content: unknown): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, content };
}

/** What the next process finds. */
async function reopened(directory: string): Promise<Snapshot> {
  const { data, store } = await open(directory);
  await data.close();
  return store.snapshot();
}

/** A disk of which some operations fail, with the error of a full one. */
function fullDisk(): { disk: Disk; full: Set<keyof Disk>; freeBytes: { left: number } } {
  const full = new Set<keyof Disk>();
  const freeBytes = { left: 0 };
  const noSpace = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const disk: Disk = {
    ...machineDisk,
    create(path) {
      if (full.has('create')) throw noSpace();
      return machineDisk.create(path);
    },
    write(file, bytes, position) {
      if (!full.has('write')) return machineDisk.write(file, bytes, position);
      const taken = Math.min(freeBytes.left, bytes.length);
      if (taken === 0) throw noSpace();
      freeBytes.left -= taken;
      return machineDisk.write(file, bytes.subarray(0, taken), position);
    },
    truncate(file, length) {
      if (full.has('truncate')) throw noSpace();
      machineDisk.truncate(file, length);
    },
    async sync(file) {
      if (full.has('sync')) throw noSpace();
      await machineDisk.sync(file);
    },
  };
  return { disk, full, freeBytes };
}

function refusalOf(write: () => unknown): StatusError['status'] {
  try {
    write();
  } catch (error) {
    if (error instanceof StatusError) return error.status;
    throw error;
  }
  throw new Error('the write is accepted');
}

const content = fc.oneof(
  fc.json().map((text): unknown => JSON.parse(text.replaceAll('-0', '0'))),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
  fc.string({ unit: unicodeCharacter }),
);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ key: fc.constantFrom('a/1', 'a/2', 'b/1'), content }) },
  { weight: 2, arbitrary: fc.record({ key: fc.constantFrom('a/1', 'a/2', 'b/1') }) },
  { weight: 1, arbitrary: fc.constant('turn' as const) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
);

test('checkpoint and logs are the state, whenever checkpoints are written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const directory = temporaryDirectory();
      const options = { minLogBytes: 300 };
      let running = await open(directory, options);
      for (const action of steps) {
        if (action === 'turn') await new Promise(setImmediate);
        else if (action === 'restart') {
          const before = running.store.snapshot();
          await running.data.close();
          running = await open(directory, options);
          expect(running.store.snapshot()).toStrictEqual(before);
        } else if ('content' in action) running.table.put(action.key, object(action.content));
        else {
          const record = running.table.get(action.key);
          if (record) running.table.delete(record);
        }
      }
      await running.data.close();
      expect(await reopened(directory)).toStrictEqual(running.store.snapshot());
      expect(running.warnings).toStrictEqual([]);
    }),
    { numRuns: 40 },
  );
});

test('an object that is nested as deeply as the server accepts survives', async () => {
  const directory = temporaryDirectory();
  const { data, table } = await open(directory);
  let nested: unknown = 1n << 60n;
  for (let depth = 0; depth < 9_990; depth += 1) nested = [nested];
  const { object: stored } = table.put('a/1', object(nested));
  await data.close();
  const [record] = (await reopened(directory)).tables.get('/configmaps')!;
  let [expected, found] = [stored['content'], record!.object['content']];
  for (; Array.isArray(expected) && Array.isArray(found); [expected, found] = [expected[0], found[0]]);
  expect(found).toBe(1n << 60n);
  expect(expected).toBe(1n << 60n);
});

test('a log that has grown is replaced by a checkpoint, while changes continue', async () => {
  const directory = temporaryDirectory();
  const { store, data, table } = await open(directory, { minLogBytes: 10_000 });
  for (let round = 0; round < 500; round += 1) {
    table.put(`a/${round % 50}`, object(`${round}`.repeat(20)));
    if (round % 10 === 0) await new Promise(setImmediate);
  }
  await until(async () => readdirSync(directory).every((name) => !name.endsWith('-0')));
  const names = readdirSync(directory).filter((name) => !name.startsWith('lock-'));
  expect(names.filter((name) => name.startsWith('checkpoint-')).length).toBeGreaterThan(0);
  await data.close();
  expect(await reopened(directory)).toStrictEqual(store.snapshot());
});

test('only the owner can read the files', async () => {
  const directory = join(temporaryDirectory(), 'a', 'b');
  const { data, table } = await open(directory);
  data.keep(
    'secret',
    () => 'text',
    () => true,
  );
  table.put('a/1', object(1));
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  const files = readdirSync(directory).filter((name) => !name.startsWith('lock-'));
  expect(files).toStrictEqual(['checkpoint-0', 'log-0', 'secret.pem']);
  for (const name of files) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
});

test('a change that a full disk refuses does not happen, and the next one does when there is space', async () => {
  const directory = temporaryDirectory();
  const { disk, full, freeBytes } = fullDisk();
  const { data, store, table } = await open(directory, { disk });
  const heard: string[] = [];
  table.subscribers.add('', ({ type, record }) => heard.push(`${type} ${record.key}`));
  table.put('a/1', object('first'));
  const before = store.snapshot();
  full.add('write');
  freeBytes.left = 30;
  const problem = 'the change cannot be stored: ENOSPC: no space left on device';
  expect(refusalOf(() => table.put('a/2', object('lost')))).toMatchObject({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${problem}`,
  });
  expect(refusalOf(() => table.delete(table.get('a/1')!)).code).toBe(500);
  expect(store.snapshot()).toStrictEqual(before);
  full.delete('write');
  full.add('truncate');
  expect(refusalOf(() => table.put('a/2', object('lost'))).code).toBe(500);
  full.delete('truncate');
  table.put('a/3', object('x'));
  expect(heard).toStrictEqual(['ADDED a/1', 'ADDED a/3']);
  await data.close();
  expect(await reopened(directory)).toStrictEqual(store.snapshot());
});

test('without space for a checkpoint, changes continue in the log', async () => {
  const directory = temporaryDirectory();
  const { disk, full } = fullDisk();
  const { data, store, table, warnings } = await open(directory, { disk, minLogBytes: 100 });
  full.add('create');
  for (let round = 0; round < 10; round += 1) table.put('a/1', object(round));
  await until(async () => warnings.length > 0);
  table.put('a/1', object('last'));
  expect(warnings).toStrictEqual([
    `The checkpoint of ${directory} cannot be written: ENOSPC: no space left on device`,
  ]);
  await data.close();
  expect(await reopened(directory)).toStrictEqual(store.snapshot());
});

test('after changes did not reach the disk, the server accepts none until a checkpoint has all of them', async () => {
  const directory = temporaryDirectory();
  const { disk, full } = fullDisk();
  const { data, store, table, warnings } = await open(directory, { disk });
  full.add('sync');
  table.put('a/1', object('first'));
  await until(async () => warnings.length > 0);
  expect(warnings).toStrictEqual([
    `Changes cannot be written to ${directory}: ENOSPC: no space left on device`,
  ]);
  full.delete('sync');
  expect(refusalOf(() => table.put('a/2', object('refused'))).code).toBe(500);
  await until(async () => existsSync(join(directory, 'checkpoint-1')));
  await until(async () => {
    try {
      return table.put('a/3', object('accepted')).revision === 2;
    } catch {
      return false;
    }
  });
  await data.close();
  expect(await reopened(directory)).toStrictEqual(store.snapshot());
});

test('a state that replaces all others needs space; without it the one before continues', async () => {
  const directory = temporaryDirectory();
  const { disk, full } = fullDisk();
  const { data, store, table } = await open(directory, { disk });
  table.put('a/1', object('first'));
  full.add('write');
  await expect(data.begin({ revision: 7, tables: new Map() })).rejects.toThrow(
    `${directory} cannot keep the data: ENOSPC: no space left on device. Correct that, or choose another directory.`,
  );
  full.delete('write');
  table.put('a/2', object('second'));
  const names = readdirSync(directory).filter((name) => !name.startsWith('lock-'));
  expect(names).toStrictEqual(['checkpoint-0', 'log-0', 'log-7']);
  await data.close();
  expect(await reopened(directory)).toStrictEqual(store.snapshot());
});

test('of servers that start at the same time on one directory, at most one runs', async () => {
  const directory = temporaryDirectory();
  const { data } = await open(directory);
  await expect(open(directory)).rejects.toMatchObject({
    code: 'DATA_IN_USE',
    message: `Another server uses ${directory}. Stop it, or choose another directory.`,
  });
  await data.close();
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => open(directory)));
  expect(all.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  for (const each of all) if (each.status === 'fulfilled') await each.value.data.close();
  const { data: last } = await open(directory);
  await last.close();
  expect(readdirSync(directory)).toStrictEqual(['checkpoint-0', 'log-0']);
});

test('the lock of a killed process is taken over, and revisions that it may have lost are not used again', async () => {
  const directory = temporaryDirectory();
  const { data, table } = await open(directory);
  table.put('a/1', object('kept'));
  await data.close();
  const socket = JSON.stringify(join(directory, 'lock-0123abcd'));
  const child = spawn(process.execPath, [
    '-e',
    `require('node:net').createServer().listen(${socket}, () => process.kill(process.pid, 'SIGKILL'))`,
  ]);
  await once(child, 'exit');
  expect(existsSync(join(directory, 'lock-0123abcd'))).toBe(true);
  const next = await open(directory);
  expect(existsSync(join(directory, 'lock-0123abcd'))).toBe(false);
  expect(next.table.get('a/1')).toMatchObject({ revision: 1, object: { content: 'kept' } });
  expect(next.store.revision).toBe(1_000_001);
  await next.data.close();
  expect((await open(directory)).store.revision).toBe(1_000_001);
});

test('the path of a directory may be longer than that of a socket', async () => {
  const directory = join(temporaryDirectory(), 'x'.repeat(120));
  const { data } = await open(directory);
  await expect(open(directory)).rejects.toMatchObject({ code: 'DATA_IN_USE' });
  await data.close();
});

test('a directory of other programs is not used', async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, '.DS_Store'), '');
  mkdirSync(join(directory, 'lost+found'));
  await (await open(directory)).data.close();
  const other = temporaryDirectory();
  writeFileSync(join(other, 'thesis.txt'), '');
  await expect(open(other)).rejects.toMatchObject({
    code: 'DATA_DIRECTORY',
    message: `${other} has files of other programs, such as thesis.txt. Choose another directory, or a new one.`,
  });
  expect(readdirSync(other)).toStrictEqual(['thesis.txt']);
  await expect(open(join(other, 'thesis.txt'))).rejects.toMatchObject({ code: 'DATA_DIRECTORY' });
});

test('a kept text is made once, and again when it is of no use any more', async () => {
  const directory = temporaryDirectory();
  const { data } = await open(directory);
  expect(
    data.keep(
      'key',
      () => 'one',
      () => true,
    ),
  ).toBe('one');
  expect(
    data.keep(
      'key',
      () => 'two',
      () => true,
    ),
  ).toBe('one');
  expect(
    data.keep(
      'key',
      () => 'two',
      (text) => text !== 'one',
    ),
  ).toBe('two');
  const damaged = () =>
    data.keep(
      'key',
      () => 'three',
      () => {
        throw new Error('not a key');
      },
    );
  expect(damaged).toThrow(`${join(directory, 'key.pem')} is damaged: not a key. Restore it from a copy`);
});
