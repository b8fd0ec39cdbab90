import {
  Client,
  ConversionBuilder,
  type KubernetesObject,
  Manager,
  createLogger,
  defineKind,
} from 'ots-runtime';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';

const assets = process.env['KUBEBUILDER_ASSETS'];

interface Box extends KubernetesObject {
  spec?: { size?: string; large?: boolean };
}

const kindOf = (version: string) =>
  defineKind<Box>({
    apiVersion: `example.com/${version}`,
    kind: 'Box',
    plural: 'boxes',
    scope: 'Namespaced',
  });
const [v1, v2] = [kindOf('v1'), kindOf('v2')];
const versionOf = (name: string, storage: boolean, properties: object) => ({
  name,
  storage,
  served: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
});
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boxes.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Box', plural: 'boxes' },
    scope: 'Namespaced',
    versions: [
      versionOf('v1', true, { size: { type: 'string' } }),
      versionOf('v2', false, { large: { type: 'boolean' } }),
    ],
    conversion: {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { service: { namespace: 'system', name: 'webhook-service', path: '/convert' } },
      },
    },
  },
};

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'ots-conversion-'));
  await writeFile(path.join(directory, 'crd.yaml'), stringify(definition));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function startManager(environment: TestEnvironment): Promise<Manager> {
  const manager = await Manager.create({
    connection: environment.config,
    logger: createLogger({ level: 'silent' }),
  });
  new ConversionBuilder(manager, v1)
    .withSpoke(v2, {
      convertTo: ({ spec, ...box }) => ({
        ...box,
        apiVersion: 'example.com/v1',
        spec: { size: spec?.large ? 'large' : 'small' },
      }),
      convertFrom: ({ spec, ...box }) => ({
        ...box,
        apiVersion: 'example.com/v2',
        spec: { large: spec?.size === 'large' },
      }),
    })
    .complete();
  manager.start().catch(() => {});
  await manager.ready;
  return manager;
}

const box = (name: string): Box => ({
  apiVersion: 'example.com/v2',
  kind: 'Box',
  metadata: { namespace: 'default', name },
  spec: { large: true },
});

describe.each(assets ? ['embedded', 'kube-apiserver'] : ['embedded'])(
  'conversions of a manager on %s',
  (name) => {
    const env = name === 'embedded' ? {} : { KUBEBUILDER_ASSETS: assets };

    test.each(['crds', 'install'])(
      'they convert while it runs; the definition comes from %s',
      async (from) => {
        await using environment = await TestEnvironment.start({
          env,
          controllers: false,
          crds: from === 'crds' ? [directory] : [],
        });
        await using client = new Client(environment.config);
        await using manager = await startManager(environment);
        if (from === 'install') await environment.install(directory);

        // A real server needs a moment to see a changed definition.
        await expect
          .poll(async () => {
            await client.delete(v1, { namespace: 'default', name: 'box' }).catch(() => {});
            await client.create(v2, box('box'));
            return (await client.get(v1, { namespace: 'default', name: 'box' }))?.spec;
          })
          .toEqual({ size: 'large' });
        expect((await client.get(v2, { namespace: 'default', name: 'box' }))?.spec).toEqual({ large: true });
        await manager.stop();
        await expect
          .poll(async () => (await client.get(v2, { namespace: 'default', name: 'box' }))?.spec)
          .toEqual({});
      },
    );
  },
);
