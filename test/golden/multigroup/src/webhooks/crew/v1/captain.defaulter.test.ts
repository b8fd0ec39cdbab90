// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { describe, expect, it } from 'vitest';
import type { Captain } from '../../../api/crew/v1/captain.ts';
import { CaptainDefaulter } from './captain.defaulter.ts';

function resource(labels?: Record<string, string>): Captain {
  const metadata = { name: 'sample', labels };
  return { apiVersion: 'crew.example.com/v1', kind: 'Captain', metadata } as Captain;
}

describe('CaptainDefaulter', () => {
  it('says who manages the Captain', () => {
    const given = resource();
    new CaptainDefaulter().default(given);
    expect(given.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'multigroup' });
  });

  it('keeps what the author says', () => {
    const given = resource({ 'app.kubernetes.io/managed-by': 'somebody' });
    new CaptainDefaulter().default(given);
    expect(given.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'somebody' });
  });
});
