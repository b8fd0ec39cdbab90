// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { describe, expect, test } from 'vitest';
import type { Captain } from '../../../api/crew/v1/captain.ts';
import { CaptainValidator } from './captain.validator.ts';

function resource(name: string): Captain {
  const metadata = { name };
  return { apiVersion: 'crew.example.com/v1', kind: 'Captain', metadata } as Captain;
}

describe('CaptainValidator', () => {
  const validator = new CaptainValidator();

  test('accepts a Captain when it is created and updated', () => {
    expect(() => validator.validateCreate(resource('sample'))).not.toThrow();
    expect(() => validator.validateUpdate(resource('sample'), resource('sample'))).not.toThrow();
  });

  test('refuses the name of the operator', () => {
    expect(() => validator.validateCreate(resource('multigroup'))).toThrow('reserved');
  });
});
