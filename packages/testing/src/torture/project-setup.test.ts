import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Manager } from 'ots-runtime';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';
import { projectSetup } from './project-setup.ts';
import { torture } from './torture.ts';

const golden = fileURLToPath(new URL('../../../../test/golden/', import.meta.url));
const cwd = process.cwd();
beforeEach(() => process.chdir(`${golden}moved`));
afterEach(() => process.chdir(cwd));

let directory = '';
beforeAll(() => void (directory = mkdtempSync(path.join(tmpdir(), 'ots-setup-'))));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What a project adds to its manager. */
async function setupOf(project: string): Promise<((manager: Manager) => void)[]> {
  const load = async (file: string, name: string) =>
    ((await import(`${golden}${project}/src/${file}`)) as Record<string, (manager: Manager) => void>)[name]!;
  return [
    await load('controllers/index.ts', 'setupControllers'),
    await load('webhooks/index.ts', 'setupWebhooks'),
  ];
}

/** A file with objects in JSON, which is YAML. */
function sampleOf(...objects: object[]): string {
  const file = path.join(directory, `${objects.length}.yaml`);
  writeFileSync(file, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  return file;
}

// With webhooks; with several groups and kinds of others; with several versions.
test.each([
  ['jobwatcher', 'batch_v1_jobwatcher', 'JobWatcher jobwatcher-v1-sample'],
  ['multigroup', 'sea-creatures_v1beta1_kraken', 'Kraken kraken-v1beta1-sample'],
  ['versions', 'cache_v2_memcached', 'Memcached memcached-v2-sample'],
])(
  'the operator of a scaffolded project runs, with its roles and webhooks: %s',
  async (project, sample, object) => {
    process.chdir(golden + project);
    const setup = await projectSetup({
      sample: `config/samples/${sample}.yaml`,
      setup: await setupOf(project),
    });
    expect(await torture(setup, { plans: [] })).toMatchObject({ object, findings: [] });
  },
);

const web = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' } };
const password = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'password' } };

test('the other objects of the file of the sample exist before the object', async () => {
  const setup = await projectSetup({ sample: sampleOf(web, password), kind: 'ConfigMap', setup: [] });
  expect(setup.object).toMatchObject(web);
  await using environment = await TestEnvironment.start({ ...setup.environment, clock: 'virtual' });
  await setup.prepare?.(environment);
  const names = environment.trace.map(({ resource, name }) => `${resource} ${name}`);
  expect(names).toContain('secrets password');
  expect(names).not.toContain('configmaps web');
});

test('replicas compete for the lease that the roles of the project name', async () => {
  const setup = await projectSetup({ sample: sampleOf(web), setup: [] });
  const [, id] = /leaderElectionId = '(.*)'/.exec(readFileSync('src/main.ts', 'utf8')) ?? [];
  expect(setup).toMatchObject({ leaderElection: { id, namespace: 'system' } });
});

test('the configuration of a project changes the setup of a kind', async () => {
  const config = {
    ConfigMap: (setup) => ({ ...setup, time: '5m' }),
    Secret: (setup) => ({ ...setup, time: '1s' }),
  } satisfies Parameters<typeof projectSetup>[0]['config'];
  const setup = await projectSetup({ sample: sampleOf(web), setup: [], config });
  expect(setup.time).toBe('5m');
});

test('the webhooks of a project decide', async () => {
  process.chdir(`${golden}jobwatcher`);
  const setup = await projectSetup({ sample: 'config/samples/batch_v1_jobwatcher.yaml', setup: [] });
  await using environment = await TestEnvironment.start({ ...setup.environment, clock: 'virtual' });
  await setup.prepare?.(environment);
  await expect(environment.install('config/samples')).rejects.toThrow('failed calling webhook');
});

test('an operator for its own namespace finds its objects there', async () => {
  const setup = await projectSetup({ sample: sampleOf(web), setup: [], namespaced: true });
  expect(setup.object.metadata).toEqual({ namespace: 'system', name: 'web' });
});

test.each([
  [[], undefined, 'contains 0 objects. Name a file with exactly one.'],
  [
    [web, password],
    undefined,
    'contains 2 objects. Say with the option kind which one the operator reconciles.',
  ],
  [[web, web], 'ConfigMap', 'contains 2 objects of the kind ConfigMap. Name a file with exactly one.'],
])('a file without the object is an error: %#', async (objects, kind, message) => {
  const options = { sample: sampleOf(...objects), setup: [], ...(kind !== undefined && { kind }) };
  await expect(projectSetup(options)).rejects.toThrow(message);
});
