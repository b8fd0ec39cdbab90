// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import { Client } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, test, vi } from 'vitest';
import { watcherOf } from '../../../test/support/objects.ts';
import { startOperator } from '../../../test/support/operator.ts';
import { JobWatcher } from '../../api/v1/job-watcher.ts';
import { JobWatcherDefaulter } from './job-watcher.defaulter.ts';

const notCalled =
  'The API server does not call JobWatcherDefaulter: ' +
  'correct its @webhook tag and run `npm run manifests`';

test('a JobWatcher watches its own namespace unless it names others', async () => {
  const defaulter = vi.spyOn(JobWatcherDefaulter.prototype, 'default');
  await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
  await using client = new Client(environment.config);
  await using manager = await startOperator(environment);

  const watcher = watcherOf('own', { jobNamePatterns: ['pi'] });
  const created = await client.create(JobWatcher, watcher);
  expect(defaulter, notCalled).toHaveBeenCalled();
  expect(created.spec).toEqual({
    jobNamePatterns: ['pi'],
    namespacePatterns: ['default'],
    completedTTL: 3600,
    failedTTL: 86400,
    frequency: 60,
  });

  const named = { jobNamePatterns: ['pi'], namespacePatterns: ['ci-.*'] };
  const { spec } = await client.create(JobWatcher, watcherOf('others', named));
  expect(spec.namespacePatterns).toEqual(['ci-.*']);
  await manager.stop();
});
