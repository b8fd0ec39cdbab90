// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { Client, createLogger, Manager } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, test } from 'vitest';
import { Captain } from '../../../api/crew/v1/captain.ts';
import { setupWebhooks } from '../../index.ts';

const reserved: Captain = {
  apiVersion: 'crew.example.com/v1',
  kind: 'Captain',
  metadata: { namespace: 'default', name: 'multigroup' },
  spec: { message: 'Hello' },
};

test('the sample is valid, and the name of the operator is reserved', async () => {
  await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
  // `npm run manifests` writes this file from the @webhook tags.
  await environment.install('config/webhook/manifests.yaml');
  await using client = new Client(environment.config);
  // Without the option `webhooks`, the manager serves them to the API server of the test.
  await using manager = await Manager.create({
    connection: environment.config,
    logger: createLogger({ level: 'silent' }),
  });
  setupWebhooks(manager);
  const running = manager.start();
  running.catch(() => {}); // `ready` rejects, too.
  await manager.ready;

  await environment.install('config/samples/crew_v1_captain.yaml');
  await expect(client.create(Captain, reserved)).rejects.toThrow('reserved for the operator');
  await manager.stop();
  await running;
});
