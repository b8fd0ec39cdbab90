// Copyright 2026 Somebody Else
// SPDX-License-Identifier: MIT

import { describe, expect, it } from 'vitest';
import type { MyApp } from '../../../api/apps/v1alpha1/my-app.ts';
import { MyAppDefaulter } from './my-app.defaulter.ts';

function resource(labels?: Record<string, string>): MyApp {
  const metadata = { name: 'sample', labels };
  return { apiVersion: 'apps.example.com/v1alpha1', kind: 'MyApp', metadata } as MyApp;
}

describe('MyAppDefaulter', () => {
  it('says who manages the MyApp', () => {
    const given = resource();
    new MyAppDefaulter().default(given);
    expect(given.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'moved' });
  });

  it('keeps what the author says', () => {
    const given = resource({ 'app.kubernetes.io/managed-by': 'somebody' });
    new MyAppDefaulter().default(given);
    expect(given.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'somebody' });
  });
});
