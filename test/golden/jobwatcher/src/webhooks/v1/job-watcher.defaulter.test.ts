// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: Apache-2.0

import { describe, expect, test } from 'vitest';
import type { JobWatcher } from '../../api/v1/job-watcher.ts';
import { JobWatcherDefaulter } from './job-watcher.defaulter.ts';

function resource(labels?: Record<string, string>): JobWatcher {
  const metadata = { name: 'sample', labels };
  return { apiVersion: 'batch.my.github.com/v1', kind: 'JobWatcher', metadata } as JobWatcher;
}

describe('JobWatcherDefaulter', () => {
  test('labels the JobWatcher with its manager', () => {
    const given = resource();
    new JobWatcherDefaulter().default(given);
    expect(given.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'jobwatcher' });
  });

  test('keeps the label of another manager', () => {
    const given = resource({ 'app.kubernetes.io/managed-by': 'another-manager' });
    new JobWatcherDefaulter().default(given);
    expect(given.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'another-manager' });
  });
});
