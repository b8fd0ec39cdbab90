import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as fc from 'fast-check';
import { send } from 'ots-apiserver';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { otsBinary } from '../support/ots-binary.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const captains = '/apis/crew.example.com/v1/namespaces/default/captains';

interface Served {
  child: ChildProcess;
  url: string;
  stderr: () => string;
}

/** Starts `ots apiserver --data cluster` in a process of its own and waits until it serves. */
async function serve(cwd: string, ...flags: string[]): Promise<Served> {
  const args = [otsBinary, 'apiserver', '--data', 'cluster', '--controllers=none', '--json', ...flags];
  const child = spawn(process.execPath, args, { cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return { child, url, stderr: () => stderr };
}

async function stop({ child }: Served, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

async function names(server: string, path = configMaps): Promise<string[]> {
  const { body } = await send({ server }, 'GET', path);
  return (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
}

/** What clients know about the objects: those that exist, and those that a write without an answer is about. */
class Knowledge {
  readonly existing = new Set<string>();
  readonly open = new Set<string>();
  acknowledged = 0;
}

/** Creates objects and deletes some of them, until the server is gone. */
async function write(server: string, prefix: string, knowledge: Knowledge): Promise<void> {
  const attempt = async (method: string, path: string, name: string, body?: object) => {
    knowledge.open.add(name);
    const { code } = await send({ server }, method, path, body);
    knowledge.open.delete(name);
    knowledge.acknowledged += 1;
    return code;
  };
  try {
    for (let index = 0; ; index += 1) {
      const name = `${prefix}-${index}`;
      const object = { metadata: { name }, data: { text: 'x'.repeat(index % 7) } };
      if ((await attempt('POST', configMaps, name, object)) === 201) knowledge.existing.add(name);
      if (index % 3 !== 2) continue;
      const old = `${prefix}-${index - 1}`;
      if ((await attempt('DELETE', `${configMaps}/${old}`, old)) === 200) knowledge.existing.delete(old);
    }
  } catch {
    // The server was killed.
  }
}

test('a killed server loses nothing that it has acknowledged', { timeout: 120_000 }, async () => {
  const kills = fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 3, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(kills, async (counts) => {
      const cwd = temporaryDirectory();
      const knowledge = new Knowledge();
      for (const [round, count] of counts.entries()) {
        const served = await serve(cwd);
        const end = knowledge.acknowledged + count;
        const writers = ['a', 'b', 'c', 'd'].map((name) => write(served.url, `${name}${round}`, knowledge));
        while (knowledge.acknowledged < end) await new Promise(setImmediate);
        await stop(served, 'SIGKILL');
        await Promise.all(writers);
      }
      const served = await serve(cwd);
      const isKnown = (name: string) => !knowledge.open.has(name);
      const found = (await names(served.url)).filter(isKnown);
      expect(found.toSorted()).toEqual([...knowledge.existing].filter(isKnown).toSorted());
      expect(served.stderr()).toBe('');
      await stop(served, 'SIGTERM');
      expect(readdirSync(join(cwd, 'cluster')).filter((name) => name.startsWith('lock-'))).toEqual([]);
    }),
    { numRuns: 1, endOnFailure: true },
  );
});

test('a directory keeps definitions, objects and the kubeconfig of a server', async () => {
  const cwd = temporaryDirectory();
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const definition = (shortNames: string[]) =>
    stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'captains.crew.example.com' },
      spec: {
        group: 'crew.example.com',
        names: { plural: 'captains', kind: 'Captain', shortNames },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    });
  writeFileSync(join(cwd, 'crd.yaml'), definition([]));
  const first = await serve(cwd, '--crds', 'crd.yaml');
  const captain = { apiVersion: 'crew.example.com/v1', kind: 'Captain', metadata: { name: 'ahab' } };
  expect((await send({ server: first.url }, 'POST', captains, captain)).code).toBe(201);
  await stop(first, 'SIGINT');
  writeFileSync(join(cwd, 'crd.yaml'), definition(['cap']));
  const next = await serve(cwd, '--crds', 'crd.yaml', '--port', new URL(first.url).port);
  expect(next.url).toBe(first.url);
  expect(await names(next.url, captains)).toEqual(['ahab']);
  const { body } = await send({ server: next.url }, 'GET', '/apis/crew.example.com/v1');
  expect(body).toMatchObject({ resources: [{ name: 'captains', shortNames: ['cap'] }] });
  await stop(next, 'SIGTERM');
});

test('what is wrong with a directory is one line, and what to do another', async () => {
  const cwd = temporaryDirectory();
  const first = await serve(cwd);
  const directory = join(cwd, 'cluster');
  const refused = () => run(cwd, ['apiserver', '--data', 'cluster']);
  expect(await refused()).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: Another server uses ${directory}\nhint: Stop it, or choose another directory.\n`,
  });
  for (const name of ['a', 'b'])
    await send({ server: first.url }, 'POST', configMaps, { metadata: { name } });
  await stop(first, 'SIGKILL');
  const log = join(
    directory,
    readdirSync(directory).find((name) => name.startsWith('log-'))!,
  );
  const whole = readFileSync(log);
  const flipped = Buffer.from(whole);
  flipped[30]! ^= 1;
  writeFileSync(log, flipped);
  expect(await refused()).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: ${log} is damaged at byte 0\nhint: Restore the directory from a copy. To give up the changes from there on instead, shorten the file: truncate -s 0 ${log}\n`,
  });
  writeFileSync(log, whole);
  truncateSync(log, whole.length - 1);
  const at = whole.lastIndexOf('\n', -2) + 1;
  const next = await serve(cwd);
  expect(next.stderr()).toBe(
    `warning: ${log} ends at byte ${at} within a change that was not acknowledged; the change is dropped\n`,
  );
  expect(await names(next.url)).toEqual(['a']);
});

test('a dry run leaves the directory alone', async () => {
  const cwd = temporaryDirectory();
  const { code, stdout } = await run(cwd, ['apiserver', '--data', 'cluster', '--dry-run']);
  expect(code).toBe(0);
  expect(stdout).toContain(`Data: ${join(cwd, 'cluster')}\n`);
  expect(existsSync(join(cwd, 'cluster'))).toBe(false);
});
