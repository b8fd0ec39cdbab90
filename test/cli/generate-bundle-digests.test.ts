import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { GenerateBundleOptions } from '../../src/commands/generate/bundle-options.ts';
import { generateBundleFiles } from '../../src/commands/generate/generate-bundle.ts';
import { base, object, yaml } from '../olm/generate/inputs.ts';
import { runOnCluster } from '../support/cluster-run.ts';
import { RegistryServer } from '../support/registry-server.ts';
import { snapshot } from '../support/snapshot.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const csvFile = 'bundle/manifests/fleet.clusterserviceversion.yaml';
let directory: string;
let registry: RegistryServer;

beforeEach(async () => {
  directory = temporaryDirectory();
  registry = await RegistryServer.start();
  write('PROJECT', 'projectName: fleet\n');
});
afterEach(() => registry.close());

function write(path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}

/** A Deployment with these containers, as the input of the command. */
function writeInput(...deployments: readonly (readonly object[])[]): void {
  const objects = deployments.map((containers, index) =>
    object('apps/v1', 'Deployment', `deployment-${index}`, {
      spec: {
        selector: { matchLabels: { app: 'fleet' } },
        template: { metadata: { labels: { app: 'fleet' } }, spec: { containers } },
      },
    }),
  );
  write('all.yaml', yaml(...objects));
}

function writeBase(annotations: object, relatedImages: readonly object[]): void {
  const { metadata, spec, ...rest } = base() as any;
  const whole = { ...rest, metadata: { ...metadata, annotations }, spec: { ...spec, relatedImages } };
  write('config/manifests/bases/fleet.clusterserviceversion.yaml', yaml(whole));
}

const generate = (options: GenerateBundleOptions = {}) =>
  runOnCluster(
    generateBundleFiles,
    { input: 'all.yaml', version: '0.1.0', useImageDigests: true, ...options },
    { cwd: directory },
  );
const csv = () => parse(readFileSync(join(directory, csvFile), 'utf8'));
const image = (name: string) => `${registry.host}/${name}`;

test('every image has its digest, and is a related image', async () => {
  const digests = Object.fromEntries(
    ['app', 'sidecar', 'worker', 'shown', 'listed'].map((name) => [
      name,
      `${image(name)}@${registry.push(name, 'v1', { labels: { name } })}`,
    ]),
  );
  writeBase({ containerImage: image('shown:v1') }, [{ name: 'listed', image: image('listed:v1') }]);
  const worker = { name: 'RELATED_IMAGE_WORKER', value: image('worker:v1') };
  writeInput([
    { name: 'manager', image: image('app:v1'), env: [worker, { name: 'A', value: image('app:v1') }] },
    { name: 'sidecar', image: image('sidecar:v1') },
  ]);
  expect(await generate()).toMatchObject({ code: 0, stderr: '' });
  const { metadata, spec } = csv();
  const [{ spec: deployment }] = spec.install.spec.deployments;
  expect(metadata.annotations.containerImage).toBe(digests['shown']);
  expect(deployment.template.spec.containers).toMatchObject([
    {
      image: digests['app'],
      env: [
        { name: 'RELATED_IMAGE_WORKER', value: digests['worker'] },
        { name: 'A', value: image('app:v1') },
      ],
    },
    { image: digests['sidecar'] },
  ]);
  expect(spec.relatedImages).toEqual([
    { name: 'worker', image: digests['worker'] },
    { name: 'listed', image: digests['listed'] },
    { name: 'manager', image: digests['app'] },
    { name: 'sidecar', image: digests['sidecar'] },
  ]);
  const files = snapshot(directory);
  expect((await generate()).stdout).toMatch(/^Nothing to do/);
  expect(snapshot(directory)).toEqual(files);
});

test('a tag that moved has its new digest in the next bundle', async () => {
  writeBase({}, []);
  writeInput([{ name: 'manager', image: image('app:v1') }]);
  registry.push('app', 'v1', {});
  await generate();
  const moved = `${image('app')}@${registry.push('app', 'v1', { labels: { tea: 'green' } })}`;
  await generate();
  expect(csv().spec.relatedImages).toEqual([{ name: 'manager', image: moved }]);
});

test('an image with a digest stays, and containers with the same name get different names', async () => {
  writeBase({}, []);
  const [one, two] = ['a', 'b'].map((digit) => `${image('app')}@sha256:${digit.repeat(64)}`);
  writeInput([{ name: 'manager', image: one }], [{ name: 'manager', image: two }]);
  await generate();
  expect(registry.requests).toEqual([]);
  expect(csv().spec.relatedImages).toEqual([
    { name: 'deployment-0-manager', image: one },
    { name: 'deployment-1-manager', image: two },
  ]);
});

test.each([
  ['is not pushed', 'app:v1', 'does not have it'],
  ['is malformed', 'App:v1', 'The reference of the image is'],
])('an image that %s is an error, and nothing is written', async (_, name, message) => {
  writeBase({}, []);
  writeInput([{ name: 'manager', image: image(name) }]);
  const before = snapshot(directory);
  const { code, stderr } = await generate();
  expect([code, stderr.split('\n')]).toEqual([
    1,
    [expect.stringContaining(message), expect.stringMatching(/^hint: /), ''],
  ]);
  expect(snapshot(directory)).toEqual(before);
});
