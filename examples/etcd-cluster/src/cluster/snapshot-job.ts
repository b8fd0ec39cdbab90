// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { Job } from 'ots-kubernetes/batch/v1';
import type { ApplyConfiguration } from 'ots-runtime';
import { restrictedContainer, restrictedPod } from './security.ts';

/** What a Job with a snapshot does. */
export interface SnapshotJob {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  /** PersistentVolumeClaims, and where they are mounted. */
  readonly volumes: Readonly<Record<string, { readonly claim: string; readonly path: string }>>;
  /** A Secret with certificates, which is mounted at `/etc/etcd-tls`. */
  readonly secretName?: string | undefined;
}

/** A Job that takes or restores a snapshot. */
export function snapshotJob({
  name,
  image,
  command,
  volumes,
  secretName,
}: SnapshotJob): ApplyConfiguration<Job> {
  const claims = Object.entries(volumes);
  const tls = secretName === undefined ? [] : [{ name: 'tls', secret: { secretName } }];
  return {
    metadata: { name },
    spec: {
      backoffLimit: 6,
      template: {
        spec: {
          ...restrictedPod,
          restartPolicy: 'Never',
          containers: [
            {
              name: 'snapshot',
              image,
              command: [...command],
              securityContext: restrictedContainer,
              volumeMounts: [
                ...claims.map(([each, { path }]) => ({ name: each, mountPath: path })),
                ...tls.map((each) => ({ name: each.name, mountPath: '/etc/etcd-tls' })),
              ],
            },
          ],
          volumes: [
            ...claims.map(([each, { claim }]) => ({
              name: each,
              persistentVolumeClaim: { claimName: claim },
            })),
            ...tls,
          ],
        },
      },
    },
  };
}
