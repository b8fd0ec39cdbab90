// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: Apache-2.0

import { describe, expect, it } from 'vitest';
import type { JobWatcher } from '../../api/v1/job-watcher.ts';
import { JobWatcherDefaulter } from './job-watcher.defaulter.ts';

function resource(labels?: Record<string, string>): JobWatcher {
  const metadata = { name: 'sample', labels };
  return { apiVersion: 'batch.my.github.com/v1', kind: 'JobWatcher', metadata } as JobWatcher;
}

describe('JobWatcherDefaulter', () => {
  it('says who manages the JobWatcher', () => {
    const given = resource();
    new JobWatcherDefaulter().default(given);
    expect(given.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'jobwatcher' });
  });

  it('keeps what the author says', () => {
    const given = resource({ 'app.kubernetes.io/managed-by': 'somebody' });
    new JobWatcherDefaulter().default(given);
    expect(given.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'somebody' });
  });
});
