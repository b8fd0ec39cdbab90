// Copyright 2026 The custom-image-deploy authors
// SPDX-License-Identifier: Apache-2.0

import { expectConvergence } from 'ots-testing';
import { expect, test } from 'vitest';
import { createOperator, key, operator, prepare, webWith } from '../../test/support/operator.ts';
import { CustomImageDeploy } from '../api/v1/custom-image-deploy.ts';

const missingImage = 'nginx:typo';

test('the same website runs and goes, whatever happens to the operator', async () => {
  const { edits } = await expectConvergence({
    environment: { crds: ['config/crd/bases'], workloads: true },
    prepare: async (environment) => {
      environment.failures.add({ image: missingImage }, { imagePull: 'manifest unknown' });
      await prepare(environment);
    },
    identity: operator,
    start: createOperator,
    // With its first image there are no old pods, which a website that is deleted and made again would not have.
    object: webWith({ image: missingImage, size: 1 }),
    changes: {
      'gets an image that exists': async ({ client }) =>
        client.patch(CustomImageDeploy, key, { spec: { image: 'nginx:1.18' } }),
      'is scaled': async ({ client }) =>
        client.patch(CustomImageDeploy, key, { spec: { size: 2, port: 9090 } }),
    },
  });
  expect(edits).toEqual(
    expect.arrayContaining([
      expect.stringMatching('Deployment web edited by hand .*/spec/replicas'),
      'Deployment web deleted by hand',
      'Service web deleted by hand',
      'Ingress web deleted by hand',
    ]),
  );
}, 600_000);
