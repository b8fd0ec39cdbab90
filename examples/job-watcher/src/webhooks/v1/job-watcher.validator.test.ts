// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import { ClusterRole, RoleBinding } from 'ots-kubernetes/rbac/v1';
import { Client } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, test, vi } from 'vitest';
import { watcherOf } from '../../../test/support/objects.ts';
import { startOperator } from '../../../test/support/operator.ts';
import { JobWatcher } from '../../api/v1/job-watcher.ts';
import { JobWatcherValidator } from './job-watcher.validator.ts';

const notCalled =
  'The API server does not call JobWatcherValidator: ' +
  'correct its @webhook tag and run `npm run manifests`';

test('the sample is valid; patterns that are not regular expressions are refused, field by field', async () => {
  const validateCreate = vi.spyOn(JobWatcherValidator.prototype, 'validateCreate');
  await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
  await using client = new Client(environment.config);
  await using manager = await startOperator(environment);

  await environment.install('config/samples/batch_v1_jobwatcher.yaml');
  expect(validateCreate, notCalled).toHaveBeenCalled();

  const spec = { jobNamePatterns: ['pi', 'pi(', 'a)(b'], namespacePatterns: ['*'] };
  const refused = client.create(JobWatcher, watcherOf('invalid', spec));
  await expect(refused).rejects.toMatchObject({
    reason: 'Invalid',
    details: {
      causes: [
        { field: 'spec.jobNamePatterns[1]', message: expect.stringContaining('"pi("') },
        { field: 'spec.jobNamePatterns[2]', message: expect.stringContaining('"a)(b"') },
        { field: 'spec.namespacePatterns[0]', message: expect.stringContaining('"*"') },
      ],
    },
  });

  const key = { namespace: 'default', name: 'jobwatcher-v1-sample' };
  const patched = client.patch(JobWatcher, key, { spec: { jobNamePatterns: ['['] } });
  await expect(patched).rejects.toThrow('spec.jobNamePatterns[0]');
  for (const never of [{ completedTTL: -1 }, { frequency: 0 }, { jobNamePatterns: [] }])
    await expect(client.patch(JobWatcher, key, { spec: never })).rejects.toThrow('is invalid');
  await manager.stop();
});

test('only who may delete Jobs in all namespaces can let a JobWatcher do it', async () => {
  await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
  await using admin = new Client(environment.config);
  await using manager = await startOperator(environment);
  await admin.create(ClusterRole, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'developer' },
    rules: [
      { apiGroups: ['batch.my.github.com'], resources: ['jobwatchers'], verbs: ['*'] },
      { apiGroups: ['batch'], resources: ['jobs'], verbs: ['*'] },
    ],
  });
  await admin.create(RoleBinding, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { namespace: 'default', name: 'developers' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'developer' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
  });
  await using jane = new Client(await environment.as({ user: 'jane' }));

  await jane.create(JobWatcher, watcherOf('own', { jobNamePatterns: ['pi'] }));
  const everywhere = watcherOf('everywhere', {
    jobNamePatterns: ['.*'],
    namespacePatterns: ['.*'],
  });
  await expect(jane.create(JobWatcher, everywhere)).rejects.toThrow(
    'jane may not delete Jobs in all namespaces, so the only pattern can be "default"',
  );
  await admin.create(JobWatcher, everywhere);

  // Nor may she change what deletes Jobs of others. What is not in the spec does.
  const key = { namespace: 'default', name: 'everywhere' };
  const shortened = jane.patch(JobWatcher, key, { spec: { completedTTL: 0 } });
  await expect(shortened).rejects.toMatchObject({ reason: 'Forbidden' });
  await jane.patch(JobWatcher, key, { metadata: { labels: { team: 'a' } } });
  await jane.delete(JobWatcher, key);
  await manager.stop();
});
