// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { DeepReadonly } from 'ots-runtime';
import type { ZookeeperCluster } from '../api/v1/zookeeper-cluster.ts';
import { hostOf } from './names.ts';

/**
 * The configuration file that all members have in common (https://zookeeper.apache.org/doc/r3.9.3/zookeeperAdmin.html).
 *
 * @param ensemble how many members there are.
 */
export function zooConfig(cluster: DeepReadonly<ZookeeperCluster>, ensemble: number): string {
  const servers = Array.from(
    { length: ensemble },
    (_, ordinal) => `server.${ordinal + 1}=${hostOf(cluster, ordinal)}:2888:3888`,
  );
  const settings = [
    'tickTime=2000',
    'initLimit=10',
    'syncLimit=5',
    'dataDir=/data',
    'clientPort=2181',
    '4lw.commands.whitelist=srvr,ruok,mntr',
    // Otherwise members would change the list by themselves.
    'reconfigEnabled=false',
    // A backup asks for a snapshot over HTTP. It is restored as a file.
    'admin.serverPort=8080',
    'admin.restore.enabled=false',
    ...(cluster.spec.tls ? security : []),
    ...servers,
  ];
  return `${settings.join('\n')}\n`;
}

const security = [
  'admin.forceHttps=true',
  'admin.needClientAuth=true',
  'secureClientPort=2281',
  'serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory',
  'sslQuorum=true',
  ...['ssl', 'ssl.quorum'].flatMap((prefix) => [
    `${prefix}.keyStore.location=/conf-tls/tls.pem`,
    `${prefix}.trustStore.location=/conf-tls/ca.pem`,
  ]),
];
