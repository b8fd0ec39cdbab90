// Copyright 2026 Harbor Ltd
// SPDX-License-Identifier: MIT

import { describe, expect, test } from 'vitest';
import type { MyApp } from '../../../api/apps/v1alpha1/my-app.ts';
import { MyAppDefaulter } from './my-app.defaulter.ts';

function resource(labels?: Record<string, string>): MyApp {
  const metadata = { name: 'sample', labels };
  return { apiVersion: 'apps.example.com/v1alpha1', kind: 'MyApp', metadata } as MyApp;
}

describe('MyAppDefaulter', () => {
  test('labels the MyApp with its manager', () => {
    const given = resource();
    new MyAppDefaulter().default(given);
    expect(given.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'moved' });
  });

  test('keeps the label of another manager', () => {
    const given = resource({ 'app.kubernetes.io/managed-by': 'another-manager' });
    new MyAppDefaulter().default(given);
    expect(given.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'another-manager' });
  });
});
