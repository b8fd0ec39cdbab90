import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { Store } from '../store.ts';
import { DataDirectory } from './data-directory.ts';
import { DataError } from './data-error.ts';
import { type Disk, machineDisk } from './disk.ts';
import { encodeLine } from './line.ts';
import { type Recovered, recover } from './recover.ts';

const history = { changes: 10, characters: 1e6 };
const object = (text: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, text });

/** The files of a directory with two objects and three changes, and the state after each change. */
async function written() {
  const directory = temporaryDirectory();
  const data = await DataDirectory.open(directory, { warn: failOnWarning });
  const initial = new Store(history);
  initial.createTable('/configmaps').put('default/a', object('first'));
  initial.createTable('/pods').put('default/p', object('pod'));
  await data.begin(initial.snapshot());
  const store = new Store(history, undefined, 2, data);
  const configMaps = store.createTable('/configmaps');
  const pods = store.createTable('/pods');
  store.load(initial.snapshot(), () => {});
  const states = [{ length: 0, state: store.snapshot() }];
  const log = () => machineDisk.read(join(directory, 'log-2')).length;
  const note = () => states.push({ length: log(), state: store.snapshot() });
  configMaps.put('default/ä', object('"\n😀'));
  note();
  configMaps.put('default/a', object('second'));
  note();
  pods.delete(pods.get('default/p')!);
  note();
  await data.close();
  const files = new Map(
    ['checkpoint-2', 'log-2'].map((name) => [name, machineDisk.read(join(directory, name))]),
  );
  return { states, files };
}

function failOnWarning(message: string): never {
  throw new Error(message);
}

/** What a server recovers from files. */
function recoverFrom(files: ReadonlyMap<string, Buffer>): Recovered | undefined {
  const disk: Disk = {
    ...machineDisk,
    list: () => [...files.keys()].toSorted(),
    read: (path) => files.get(path.replace('/data/', ''))!,
  };
  return recover(disk, '/data');
}

function refusal(files: ReadonlyMap<string, Buffer>): DataError {
  try {
    recoverFrom(files);
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
  throw new Error('the files are accepted');
}

test('a log that ends at any byte has exactly the changes whose writing ended', async () => {
  const { states, files } = await written();
  const log = files.get('log-2')!;
  expect(states.at(-1)?.length).toBe(log.length);
  for (let length = 0; length <= log.length; length += 1) {
    const whole = states.findLast((state) => state.length <= length)!;
    const torn = whole.length < length ? { path: '/data/log-2', at: whole.length } : undefined;
    expect(recoverFrom(new Map(files).set('log-2', log.subarray(0, length)))).toStrictEqual({
      state: whole.state,
      checkpoint: 2,
      torn,
    });
  }
});

test('zeros at the end, as after a loss of power, are dropped', async () => {
  const { states, files } = await written();
  const log = files.get('log-2')!;
  const { length, state } = states[2]!;
  for (const kept of [length, length + 5]) {
    const zeros = Buffer.concat([log.subarray(0, kept), Buffer.alloc(log.length - kept)]);
    expect(recoverFrom(new Map(files).set('log-2', zeros))?.state).toStrictEqual(state);
  }
});

test('no flipped bit is accepted', async () => {
  const { states, files } = await written();
  for (const [name, bytes] of files) {
    const problems = new Set<string>();
    for (let at = 0; at < bytes.length * 8; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at >> 3]! ^= 1 << (at & 7);
      problems.add(refusal(new Map(files).set(name, flipped)).problem);
    }
    const lines = name === 'log-2' ? states.slice(0, -1).map(({ length }) => length) : linesOf(bytes);
    expect([...problems]).toStrictEqual(lines.map((at) => `/data/${name} is damaged at byte ${at}`));
  }
});

/** Where the lines of a file begin. */
function linesOf(bytes: Buffer): number[] {
  const ends = [...bytes.keys()].filter((at) => bytes[at] === 0x0a);
  return [0, ...ends.slice(0, -1).map((end) => end + 1)];
}

test('a refusal says what to do', async () => {
  const { states, files } = await written();
  const log = files.get('log-2')!;
  const at = states[1]!.length;
  const hole = Buffer.concat([log.subarray(0, at), log.subarray(states[2]!.length)]);
  expect(refusal(new Map(files).set('log-2', hole)).message).toBe(
    `/data/log-2 is damaged at byte ${at}: revision 5 follows revision 3. Restore the directory from a copy, or choose a new one.`,
  );
  const flipped = Buffer.from(log);
  flipped[at + 20]! ^= 1;
  const { hint } = refusal(new Map(files).set('log-2', flipped));
  expect(hint).toBe(
    `Restore the directory from a copy. To give up the changes from there on instead, shorten the file: truncate -s ${at} /data/log-2`,
  );
  expect(recoverFrom(new Map(files).set('log-2', flipped.subarray(0, at)))?.state).toStrictEqual(
    states[1]!.state,
  );
});

test('files that are missing are noticed', async () => {
  const { files } = await written();
  expect(recoverFrom(new Map())).toBeUndefined();
  const log = files.get('log-2')!;
  expect(refusal(new Map([['log-2', log]])).problem).toBe(
    '/data has changes, but the checkpoint before them is missing',
  );
  const later = new Map([...files].filter(([name]) => name !== 'log-2')).set('log-5', log);
  expect(refusal(later).problem).toBe('The changes from revision 3 to 5 are missing before /data/log-5');
  const short = files.get('checkpoint-2')!;
  const cut = short.subarray(0, short.lastIndexOf('\n', -2) + 1);
  expect(refusal(new Map(files).set('checkpoint-2', cut)).problem).toBe(
    `/data/checkpoint-2 is damaged at byte ${cut.length}: it ends after 1 of 2 objects`,
  );
});

test('a later format is refused', () => {
  const line = '{"format":2,"revision":1,"records":0}';
  const files = new Map([['checkpoint-1', encodeLine(line)]]);
  expect(refusal(files).message).toBe(
    '/data/checkpoint-1 has format 2, and this version of ots reads format 1. Use the version of ots that wrote it, or choose a new directory.',
  );
});
