// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { describe, expect, test } from 'vitest';
import type { Captain } from '../../../api/crew/v1/captain.ts';
import { CaptainDefaulter } from './captain.defaulter.ts';

function resource(labels?: Record<string, string>): Captain {
  const metadata = { name: 'sample', labels };
  return { apiVersion: 'crew.example.com/v1', kind: 'Captain', metadata } as Captain;
}

describe('CaptainDefaulter', () => {
  test('labels the Captain with its manager', () => {
    const given = resource();
    new CaptainDefaulter().default(given);
    expect(given.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'multigroup' });
  });

  test('keeps the label of another manager', () => {
    const given = resource({ 'app.kubernetes.io/managed-by': 'another-manager' });
    new CaptainDefaulter().default(given);
    expect(given.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'another-manager' });
  });
});
