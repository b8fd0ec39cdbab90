// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { DeepReadonly } from 'ots-runtime';
import type { EtcdCluster } from '../api/v1/etcd-cluster.ts';
import { memberName, memberURL } from './names.ts';

/**
 * The configuration file of a member (https://etcd.io/docs/v3.5/op-guide/configuration). It reads `initial-*` only when it has no data.
 *
 * @param ordinals all members of the cluster.
 * @param isNew whether the member makes a new cluster; otherwise it joins one.
 */
export function memberConfig(
  cluster: DeepReadonly<EtcdCluster>,
  ordinal: number,
  { ordinals, isNew }: { ordinals: readonly number[]; isNew: boolean },
): string {
  const { tls } = cluster.spec;
  const scheme = tls ? 'https' : 'http';
  const initial = ordinals.map(
    (each) => `${memberName(cluster, each)}=${memberURL(cluster, each, 2380)}`,
  );
  const settings = {
    name: memberName(cluster, ordinal),
    'data-dir': '/var/lib/etcd/data',
    'listen-client-urls': `${scheme}://0.0.0.0:2379`,
    'listen-peer-urls': `${scheme}://0.0.0.0:2380`,
    // Probes have no certificate.
    'listen-metrics-urls': 'http://0.0.0.0:2381',
    'advertise-client-urls': memberURL(cluster, ordinal, 2379),
    'initial-advertise-peer-urls': memberURL(cluster, ordinal, 2380),
    'initial-cluster': initial.join(','),
    'initial-cluster-state': isNew ? 'new' : 'existing',
    'initial-cluster-token': cluster.metadata.uid!,
    ...(tls && {
      'client-transport-security': security,
      'peer-transport-security': security,
    }),
  };
  // JSON is YAML.
  return `${JSON.stringify(settings, undefined, 2)}\n`;
}

const security = {
  'cert-file': '/etc/etcd-tls/tls.crt',
  'key-file': '/etc/etcd-tls/tls.key',
  'trusted-ca-file': '/etc/etcd-tls/ca.crt',
  'client-cert-auth': true,
};
