import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import { eventually } from '../../test/eventually.ts';
import { expectNothingOpen } from '../../test/open-resources.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { createLogger } from '../logging/create-logger.ts';
import { CertificateFiles, type CertificateFilesOptions } from './certificate-files.ts';

const lines: string[] = [];
const logger = createLogger({ level: 'debug', stream: { write: (line) => lines.push(line) } });
const [first, second, third] = ['a', 'b', 'c'].map((name) => selfSignedCertificate({ names: [name] })) as [
  CertificatePair,
  CertificatePair,
  CertificatePair,
];
let directory: string;
let stop: () => Promise<void> = async () => {};

beforeEach(async () => {
  lines.length = 0;
  directory = await mkdtemp(join(tmpdir(), 'ots-files-'));
});

afterEach(async () => {
  await stop();
  await rm(directory, { recursive: true, force: true });
});

async function write({ cert, key }: CertificatePair, to = directory): Promise<void> {
  await writeFile(join(to, 'tls.crt'), cert);
  await writeFile(join(to, 'tls.key'), key);
}

interface Watched {
  clock: VirtualClock;
  changes: CertificatePair[];
  counts: { read: number; failed: number; notAfter: number };
  /** Waits until a change is noticed by itself, and lets the writes settle. */
  noticed: () => Promise<void>;
  /** Lets ten seconds pass without anything being noticed. */
  polled: () => Promise<void>;
}

/** @param serving may refuse a pair. */
async function watch(
  options: Partial<CertificateFilesOptions> = {},
  serving: () => Promise<void> = async () => {},
): Promise<Watched> {
  const clock = new VirtualClock();
  const counts = { read: 0, failed: 0, notAfter: 0 };
  const files = new CertificateFiles({
    directory,
    clock,
    logger,
    observer: {
      read: () => void (counts.read += 1),
      failed: () => void (counts.failed += 1),
      serving: (notAfter) => void (counts.notAfter = notAfter),
    },
    ...options,
  });
  const changes = [await files.load()];
  const aborter = new AbortController();
  const serve = async (pair: CertificatePair): Promise<void> => {
    await serving();
    changes.push(pair);
  };
  const watching = files.watch(serve, aborter.signal);
  stop = async () => {
    aborter.abort();
    await watching;
    expect(clock.delays).toEqual([]);
  };
  return {
    clock,
    changes,
    counts,
    async noticed() {
      const before = counts.read;
      await eventually(() => clock.delays[0] === 250, 'a notification');
      // Writes go on to be noticed until the last of them.
      await eventually(() => {
        void clock.advance(250);
        return counts.read > before;
      });
      await settled();
    },
    async polled() {
      const before = counts.read;
      await eventually(() => {
        if (counts.read === before) void clock.advance(10_000);
        return counts.read > before;
      });
      await eventually(() => clock.delays.length === 1);
    },
  };
}

test('a rewrite of the files is noticed', async () => {
  await write(first);
  const { changes, noticed, counts } = await watch();
  expect(changes).toEqual([first]);
  await write(second);
  await noticed();
  await eventually(() => changes.length === 2);
  expect(changes[1]).toEqual(second);
  expect(counts.notAfter).toBeGreaterThan(Date.now());
});

test('a pair that the server did not accept is tried again', async () => {
  await write(first);
  let tries = 0;
  const { changes, noticed, polled } = await watch({}, async () => {
    tries += 1;
    if (tries === 1) throw new Error('the client authorities cannot be read');
  });
  await write(second);
  await noticed();
  await eventually(() => tries === 1);
  expect(changes).toEqual([first]);
  await polled();
  await eventually(() => changes.length === 2);
  expect([changes[1], tries]).toEqual([second, 2]);
});

test('a rename over the files is noticed', async () => {
  await write(first);
  const { changes, noticed } = await watch();
  const beside = await mkdtemp(join(tmpdir(), 'ots-beside-'));
  await write(second, beside);
  for (const name of ['tls.crt', 'tls.key']) await rename(join(beside, name), join(directory, name));
  await noticed();
  await eventually(() => changes.length === 2);
  expect(changes[1]).toEqual(second);
  await rm(beside, { recursive: true });
});

test('the kubelet’s swap of the link is noticed', async () => {
  const version = async (name: string, pair: CertificatePair): Promise<void> => {
    await mkdir(join(directory, name));
    await write(pair, join(directory, name));
  };
  await version('..2026_01', first);
  await symlink('..2026_01', join(directory, '..data'));
  for (const name of ['tls.crt', 'tls.key']) await symlink(join('..data', name), join(directory, name));
  const { changes, noticed } = await watch();
  await version('..2026_02', second);
  await symlink('..2026_02', join(directory, '..data_tmp'));
  await rename(join(directory, '..data_tmp'), join(directory, '..data'));
  await rm(join(directory, '..2026_01'), { recursive: true });
  await noticed();
  await eventually(() => changes.length === 2);
  expect(changes[1]).toEqual(second);
});

test('after files are moved away or the directory is replaced, the old pair stays until a new one exists', async () => {
  await write(first);
  const { changes, counts, polled } = await watch();
  await rename(directory, `${directory}-away`);
  await polled();
  expect(counts.failed).toBeGreaterThan(0);
  expect(lines.join('')).toContain('keeping the old one');
  expect(changes).toEqual([first]);
  // Nothing notifies any more: looking has to do.
  await mkdir(directory);
  await write(third);
  await polled();
  await eventually(() => changes.length === 2);
  expect(changes[1]).toEqual(third);
  await rm(`${directory}-away`, { recursive: true });
});

test.each([
  ['half a certificate', { ...second, cert: second.cert.slice(0, 300) }],
  ['half of the last certificate of a chain', { ...second, cert: second.cert + first.cert.slice(0, 300) }],
  ['a key that is not there yet', { ...second, key: '' }],
  ['the key of the certificate before', { ...second, key: first.key }],
  ['nothing', { cert: '', key: '' }],
])('%s is not served, and its contents are not logged', async (_, bad) => {
  await write(first);
  const { changes, counts, polled } = await watch();
  await write(bad);
  await polled();
  expect(counts.failed).toBeGreaterThan(0);
  expect(changes).toEqual([first]);
  await write(second);
  await polled();
  await eventually(() => changes.length === 2);
  expect(changes[1]).toEqual(second);
  expect(lines.join('')).not.toMatch(/BEGIN|MIIB|MIGH/);
});

test('the names of the files can be chosen', async () => {
  await writeFile(join(directory, 'server.pem'), first.cert);
  await writeFile(join(directory, 'server-key.pem'), first.key);
  const { changes } = await watch({ certName: 'server.pem', keyName: 'server-key.pem' });
  expect(changes).toEqual([first]);
  await expect(
    new CertificateFiles({ directory, clock: new VirtualClock(), logger, certName: 'other.pem' }).load(),
  ).rejects.toMatchObject({ code: 'CERTIFICATE', hint: expect.stringContaining('other.pem') });
});

test('nothing is left behind after it stops', async () => {
  await write(first);
  await expectNothingOpen();
  const { counts } = await watch();
  await stop();
  await expectNothingOpen();
  const { read } = counts;
  await write(second);
  await settled();
  expect(counts.read).toBe(read);
});
