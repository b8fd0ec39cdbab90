// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import type { Job } from 'ots-kubernetes/batch/v1';
import type { JobWatcher, JobWatcherSpec } from '../../src/api/v1/job-watcher.ts';

/** What the images of the tests do. Jobs with other images complete after a second. */
export const images = {
  'pi:*': { exitAfter: '10s' },
  'broken:*': { exitCode: 1 },
  'server:*': {},
} as const;

/** A Job whose only pod runs an image once. */
export function jobOf(name: string, image: string, namespace = 'default'): Job {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { namespace, name },
    spec: {
      backoffLimit: 0,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'job', image }] } },
    },
  };
}

export function watcherOf(name: string, spec: JobWatcherSpec): JobWatcher {
  return {
    apiVersion: 'batch.my.github.com/v1',
    kind: 'JobWatcher',
    metadata: { namespace: 'default', name },
    spec,
  };
}
