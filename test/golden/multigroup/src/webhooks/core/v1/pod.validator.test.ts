// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { describe, expect, test } from 'vitest';
import type { Pod } from 'ots-kubernetes/core/v1';
import { PodValidator } from './pod.validator.ts';

function resource(name: string): Pod {
  const metadata = { name };
  return { apiVersion: 'v1', kind: 'Pod', metadata } as Pod;
}

describe('PodValidator', () => {
  const validator = new PodValidator();

  test('accepts a Pod when it is created and updated', () => {
    expect(() => validator.validateCreate(resource('sample'))).not.toThrow();
    expect(() => validator.validateUpdate(resource('sample'), resource('sample'))).not.toThrow();
  });

  test('refuses the name of the operator', () => {
    expect(() => validator.validateCreate(resource('multigroup'))).toThrow('reserved');
  });
});
