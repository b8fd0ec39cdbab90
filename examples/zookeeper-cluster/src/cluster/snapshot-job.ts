// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { Job } from 'ots-kubernetes/batch/v1';
import type { EnvVar } from 'ots-kubernetes/core/v1';
import type { ApplyConfiguration } from 'ots-runtime';
import { restrictedContainer, restrictedPod } from './security.ts';

/** What a Job with a snapshot does. */
export interface SnapshotJob {
  readonly name: string;
  readonly image: string;
  /** For bash. */
  readonly script: string;
  readonly env?: readonly EnvVar[];
  /** PersistentVolumeClaims, and where they are mounted. */
  readonly volumes: Readonly<Record<string, { readonly claim: string; readonly path: string }>>;
  /** A Secret with certificates, which is mounted at `/conf-tls`. */
  readonly secretName?: string | undefined;
}

/**
 * Asks a member for a snapshot and keeps it as the file that ZooKeeper would write, whose name ends with the last change in it
 * (https://zookeeper.apache.org/doc/r3.9.3/zookeeperSnapshotAndRestore.html). A member that does not serve clients says so with the status
 * 200 and without the header.
 */
export const saveScript = `set -eu
wget --tries=1 --server-response --output-document=/backup/answer \\
  --header="Authorization: $AUTHORIZATION" \${TLS_FLAGS:-} "$SNAPSHOT_URL" 2>/backup/headers ||
  { cat /backup/headers >&2; exit 1; }
change=$(sed -n 's/^ *last_zxid: 0x\\([0-9a-f]*\\).*/\\1/p' /backup/headers)
[ -n "$change" ] || { cat /backup/answer >&2; exit 1; }
rm -f /backup/snapshot.*
mv /backup/answer "/backup/snapshot.$change"
`;

/**
 * Makes a snapshot the data of a member that has none. It does that in one step and only once, so another Job may follow one that was
 * killed.
 */
export const restoreScript = `set -eu
[ ! -e /data/version-2 ] || exit 0
rm -rf /data/restored
mkdir /data/restored
cp /backup/snapshot.* /data/restored
mv /data/restored /data/version-2
`;

/** A Job that takes or restores a snapshot. */
export function snapshotJob({
  name,
  image,
  script,
  env = [],
  volumes,
  secretName,
}: SnapshotJob): ApplyConfiguration<Job> {
  const claims = Object.entries(volumes);
  const tls = secretName === undefined ? [] : [{ name: 'tls', secret: { secretName } }];
  return {
    metadata: { name },
    spec: {
      // The last attempt is ten minutes after the first. A member takes one snapshot in five minutes.
      backoffLimit: 6,
      template: {
        spec: {
          ...restrictedPod,
          restartPolicy: 'Never',
          containers: [
            {
              name: 'snapshot',
              image,
              command: ['bash', '-c', script],
              ...(env.length > 0 && { env: [...env] }),
              securityContext: restrictedContainer,
              volumeMounts: [
                ...claims.map(([each, { path }]) => ({ name: each, mountPath: path })),
                ...tls.map((each) => ({ name: each.name, mountPath: '/conf-tls' })),
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
