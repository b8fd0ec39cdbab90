// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { type KubernetesObject, defineKind } from 'ots-runtime';

/**
 * Certificate belongs to another project. Declare the fields that this operator reads; ots keeps the rest of an object
 * unchanged.
 */
export interface Certificate extends KubernetesObject {
  apiVersion: 'cert-manager.io/v1';
  kind: 'Certificate';
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
}

export const Certificate = defineKind<Certificate>({
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  plural: 'certificates',
  scope: 'Namespaced',
});
