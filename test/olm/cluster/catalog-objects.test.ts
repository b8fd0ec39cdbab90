import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Namespace, Pod } from 'ots-kubernetes/core/v1';
import { Client, type UnstructuredObject } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCatalog } from '../../../src/olm/catalog/read-catalog.ts';
import { validateCatalog } from '../../../src/olm/catalog/validate-catalog.ts';
import { catalogOf, namesFor, serverObjects } from '../../../src/olm/cluster/catalog-objects.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import {
  annotationsFile,
  bundleFrom,
  csvFile,
  replaced,
  sampleFiles,
  withManifest,
} from '../sample-bundle.ts';

const server = { packageName: 'tea', namespace: 'default', image: 'example.com/opm:v1' };

const withText = (text: string) =>
  withManifest(`apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: large\ndata:\n  text: ${text}\n`);
const [configMapKind, serviceKind, deploymentKind] = ['ConfigMap', 'Service', 'Deployment'];
const find = (objects: readonly UnstructuredObject[], kind = '') =>
  objects.find((each) => each.kind === kind) as any;

describe('the catalog of a bundle', () => {
  test('is valid, and has the manifests and the upgrades of the bundle', async () => {
    const upgrade = replaced(csvFile, ['spec:', 'spec:\n  replaces: tea.v1.0.0\n  skips: [tea.v1.1.0]']);
    const content = catalogOf(upgrade);
    const directory = temporaryDirectory();
    writeFileSync(path.join(directory, 'catalog.json'), content);
    const catalog = await readCatalog(directory);
    expect(validateCatalog(catalog).findings).toEqual([]);
    const [, channel, olmBundle] = content
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(channel).toEqual({
      schema: 'olm.channel',
      package: 'tea',
      name: 'stable',
      entries: [{ name: 'tea.v1.2.3', replaces: 'tea.v1.0.0', skips: ['tea.v1.1.0'] }],
    });
    expect(olmBundle.image).toBe('');
    const objects = olmBundle.properties.filter(({ type }: { type: string }) => type === 'olm.bundle.object');
    expect(
      objects
        .map(({ value }: any) => JSON.parse(Buffer.from(value.data, 'base64').toString()).kind)
        .toSorted(),
    ).toEqual(['ClusterServiceVersion', 'CustomResourceDefinition']);
  });

  test('has the default channel of the bundle, or else its first', () => {
    const channels = (texts: Record<string, string>) =>
      JSON.parse(catalogOf(bundleFrom({ ...sampleFiles, ...texts })).split('\n')[0]!).defaultChannel;
    const annotations = sampleFiles[annotationsFile]!;
    expect(channels({})).toBe('stable');
    expect(
      channels({
        [annotationsFile]: `${annotations}  operators.operatorframework.io.bundle.channel.default.v1: fast\n`,
      }),
    ).toBe('fast');
  });

  test('names the image of a bundle that is too large for an InstallPlan', () => {
    const large = withText('x'.repeat(1_400_000));
    expect(() => catalogOf(large)).toThrow(/^The manifests of tea\.v1\.2\.3 have 140\d+ bytes$/);
    const content = catalogOf(large, 'example.com/tea-bundle:v1.2.3');
    expect(content).toContain('"image":"example.com/tea-bundle:v1.2.3"');
    expect(content).not.toContain('olm.bundle.object');
  });
});

describe('what serves the catalog', () => {
  test('has the content in a ConfigMap, whose hash rolls out a new pod', () => {
    const objects = serverObjects('{"a": 1}', server);
    expect(objects.map(({ kind }) => kind)).toEqual([configMapKind, serviceKind, deploymentKind]);
    expect(find(objects, configMapKind).data).toEqual({ 'catalog.json': '{"a": 1}' });
    const hash = (content: string) =>
      find(serverObjects(content, server), deploymentKind).spec.template.metadata.annotations;
    expect(hash('{"a": 1}')).toEqual(hash('{"a": 1}'));
    expect(hash('{"a": 2}')).not.toEqual(hash('{"a": 1}'));
  });

  test('compresses what is too large for a ConfigMap, and refuses what still is', () => {
    const content = catalogOf(withText('y'.repeat(900_000)));
    const objects = serverObjects(content, server);
    const { binaryData } = find(objects, configMapKind);
    expect(gunzipSync(Buffer.from(binaryData['catalog.json.gz'], 'base64')).toString()).toBe(content);
    const [container] = find(objects, deploymentKind).spec.template.spec.containers;
    expect(container.command.at(-1)).toBe(
      'gzip -dc /packed/catalog.json.gz > /configs/catalog.json && exec opm serve /configs --port 50051',
    );
    expect(() => serverObjects(randomBytes(1_500_000).toString('base64'), server)).toThrow(
      'does not fit into a ConfigMap',
    );
  });

  let environment: TestEnvironment;
  let client: Client;
  beforeAll(async () => {
    environment = await TestEnvironment.start();
    client = new Client(environment.config);
    await client.create(Namespace, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'strict', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    });
  });
  afterAll(async () => {
    await client.close();
    await environment.stop();
  });

  test.each([
    ['plain', '{}'],
    ['compressed', 'z'.repeat(1_200_000)],
  ])('is admitted by the Pod Security Standard "restricted": %s', async (_, content) => {
    const { metadata, spec } = find(serverObjects(content, server), deploymentKind).spec.template;
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, name: 'catalog', namespace: 'strict' },
      spec,
    };
    await expect(client.create(Pod, pod as Pod, { dryRun: true })).resolves.toBeDefined();
  });
});

test.each([
  ['tea', 'ots-tea-catalog'],
  ['3scale', 'ots-3scale-catalog'],
  ['Tea.House', 'ots-tea-house-46135da3-catalog'],
])('the Service for the package %s is %s', (packageName, name) => {
  expect(namesFor(packageName).catalog).toBe(name);
});

test('long names of packages stay different, and fit', () => {
  const [first, second] = ['a', 'b'].map((end) => namesFor(`${'operator-'.repeat(10)}${end}`).catalog);
  expect(first).not.toBe(second);
  expect(first!.length).toBeLessThanOrEqual(63);
});
