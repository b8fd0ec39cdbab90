import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, DeniedError, Manager, WebhookBuilder, createLogger } from 'ots-runtime';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import { stringify } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';

const assets = process.env['KUBEBUILDER_ASSETS'];
const logger = createLogger({ level: 'silent' });
const webhook = (verb: string) => ({
  name: `${verb}.example.com`,
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  failurePolicy: 'Fail',
  clientConfig: { service: { namespace: 'system', name: 'webhook-service', path: `/${verb}--v1-configmap` } },
  rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
});
const manifests = ['mutate', 'validate'].map((verb) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: verb === 'mutate' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
  metadata: { name: verb },
  webhooks: [webhook(verb)],
}));

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'ots-webhooks-'));
  await writeFile(
    path.join(directory, 'manifests.yaml'),
    manifests.map((manifest) => stringify(manifest)).join('---\n'),
  );
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** A manager whose webhooks label ConfigMaps and refuse one name. It does not say where to serve them. */
async function startManager(environment: TestEnvironment): Promise<Manager> {
  const manager = await Manager.create({ connection: environment.config, logger });
  new WebhookBuilder(manager, ConfigMap)
    .withDefaulter({
      default({ metadata }) {
        metadata.labels = { ...metadata.labels, seen: 'yes' };
      },
    })
    .withValidator({
      validateCreate({ metadata }) {
        if (metadata.name === 'refused') throw new DeniedError('this name is reserved');
      },
      validateUpdate() {},
      validateDelete() {},
    })
    .complete();
  manager.start().catch(() => {});
  await manager.ready;
  return manager;
}

function configMap(name: string): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name } };
}

describe.each(assets ? ['embedded', 'kube-apiserver'] : ['embedded'])(
  'webhooks of a manager on %s',
  (name) => {
    const env = name === 'embedded' ? {} : { KUBEBUILDER_ASSETS: assets };

    test.each(['before', 'after'])(
      'they decide, when the configurations are installed %s the start',
      async (when) => {
        await using environment = await TestEnvironment.start({ env, controllers: false });
        await using client = new Client(environment.config);
        if (when === 'before') await environment.install(directory);
        await using manager = await startManager(environment);
        if (when === 'after') await environment.install(directory);

        const created = await client.create(ConfigMap, configMap('labeled'));
        expect(created.metadata.labels).toEqual({ seen: 'yes' });
        await expect(client.create(ConfigMap, configMap('refused'))).rejects.toThrow(
          'admission webhook "validate.example.com" denied the request: this name is reserved',
        );
        await manager.stop();
      },
    );

    test('a webhook whose manager does not run is an error that says so', async () => {
      await using environment = await TestEnvironment.start({ env, controllers: false });
      await using client = new Client(environment.config);
      await environment.install(directory);
      await expect
        .poll(() =>
          client
            .create(ConfigMap, configMap('probe'), { dryRun: true })
            .catch((error: Error) => error.message),
        )
        .toContain('service "webhook-service" not found');
    });
  },
);
