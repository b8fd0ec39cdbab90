// Copyright 2026 Acme Ltd
// SPDX-License-Identifier: MIT

import { type KubernetesObject, defineKind } from 'ots-runtime';

/**
 * Certificate belongs to another project. Declare here the fields that this operator reads; the rest of an object
 * is kept as it is.
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
