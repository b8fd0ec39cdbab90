// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: Apache-2.0

import { describe, expect, test } from 'vitest';
import type { JobWatcher } from '../../api/v1/job-watcher.ts';
import { JobWatcherValidator } from './job-watcher.validator.ts';

function resource(name: string): JobWatcher {
  const metadata = { name };
  return { apiVersion: 'batch.my.github.com/v1', kind: 'JobWatcher', metadata } as JobWatcher;
}

describe('JobWatcherValidator', () => {
  const validator = new JobWatcherValidator();

  test('accepts a JobWatcher when it is created and updated', () => {
    expect(() => validator.validateCreate(resource('sample'))).not.toThrow();
    expect(() => validator.validateUpdate(resource('sample'), resource('sample'))).not.toThrow();
  });

  test('refuses the name of the operator', () => {
    expect(() => validator.validateCreate(resource('jobwatcher'))).toThrow('reserved');
  });
});
