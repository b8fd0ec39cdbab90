// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { PersistentVolumeClaim, Pod } from 'ots-kubernetes/core/v1';
import type { Client, DeepReadonly, KubernetesObject } from 'ots-runtime';
import type { EtcdCluster } from '../api/v1/etcd-cluster.ts';
import { EtcdClient, type MemberList } from '../etcd/etcd-client.ts';
import type { Credentials, Transport } from '../etcd/transport.ts';
import { memberLabels, memberURL, ordinalOf, ordinalOfURL } from './names.ts';

/** A member that the cluster lists. */
export interface Member {
  readonly ordinal: number;
  readonly id: string;
  readonly isHealthy: boolean;
  readonly isLeader: boolean;
  /** Undefined if it does not answer. */
  readonly version: string | undefined;
}

/** What a reconcile sees of a cluster: its objects in Kubernetes, and what its members say. */
export interface ClusterView {
  readonly pods: ReadonlyMap<number, DeepReadonly<Pod>>;
  readonly volumes: ReadonlyMap<number, DeepReadonly<PersistentVolumeClaim>>;
  readonly set: DeepReadonly<StatefulSet> | undefined;
  /** In the order of their ordinals; undefined if no member answers. */
  readonly members: readonly Member[] | undefined;
  readonly clusterID: string | undefined;
  /** Whether a majority of the members agrees. */
  readonly hasQuorum: boolean;
  /** A healthy member. */
  readonly etcd: EtcdClient | undefined;
}

/** How a reconcile reads a cluster. */
export interface ViewSource {
  /** Reads from the cache. */
  readonly client: Pick<Client, 'get' | 'list'>;
  /** Reads from the server. */
  readonly apiReader: Pick<Client, 'get'>;
  readonly transport: Transport;
}

/** How many of a number of members must be healthy. */
export function quorumOf(members: number): number {
  return Math.floor(members / 2) + 1;
}

/** Looks at a cluster. Members that do not answer are not an error. */
export async function viewOf(
  cluster: DeepReadonly<EtcdCluster>,
  { client, apiReader, transport }: ViewSource,
  access: { credentials: Credentials | undefined; signal: AbortSignal },
): Promise<ClusterView> {
  const { name, namespace } = cluster.metadata;
  const key = { name: name!, namespace };
  const labelSelector = Object.entries(memberLabels(cluster))
    .map((label) => label.join('='))
    .join(',');
  const pods = await client.list(Pod, { namespace, labelSelector });
  const volumes = await client.list(PersistentVolumeClaim, {
    namespace,
    labelSelector,
  });
  // A cache that has not seen it yet must not make the cluster small again.
  const set = (await client.get(StatefulSet, key)) ?? (await apiReader.get(StatefulSet, key));
  const byOrdinal = ordinals(cluster, pods.items);
  const answers = await Promise.all(
    [...byOrdinal.keys()].map(async (ordinal) => {
      const endpoint = memberURL(cluster, ordinal, 2379);
      const { credentials, signal } = access;
      return ask(new EtcdClient(transport, endpoint, credentials, signal));
    }),
  );
  access.signal.throwIfAborted();
  return {
    pods: byOrdinal,
    volumes: ordinals(cluster, volumes.items),
    set,
    ...agreement(
      cluster,
      answers.filter((answer) => answer !== undefined),
    ),
  };
}

/** The same view after the members have changed. */
export function withMembers(
  cluster: DeepReadonly<EtcdCluster>,
  view: ClusterView,
  { members }: MemberList,
): ClusterView {
  const known = new Map(view.members?.map((member) => [member.id, member]));
  return { ...view, members: membersOf(cluster, members, (ID) => known.get(ID)) };
}

type Answer = Awaited<ReturnType<typeof ask>> & object;

/** What one member says; undefined if it does not answer. */
async function ask(etcd: EtcdClient) {
  try {
    const [isHealthy, status] = await Promise.all([etcd.isHealthy(), etcd.status()]);
    return { etcd, isHealthy, status, list: await etcd.members(isHealthy) };
  } catch {
    return undefined;
  }
}

/** Combines what the members say. A healthy member knows more than one that has lost the others. */
function agreement(cluster: DeepReadonly<EtcdCluster>, answers: readonly Answer[]) {
  const best = answers.find(({ isHealthy }) => isHealthy) ?? answers[0];
  const said = new Map(
    answers.map(({ isHealthy, status }) => [
      status.header.member_id,
      {
        isHealthy,
        isLeader: status.leader === status.header.member_id,
        version: status.version,
      },
    ]),
  );
  return {
    members: best && membersOf(cluster, best.list.members, (ID) => said.get(ID)),
    clusterID: best?.list.header.cluster_id,
    hasQuorum: best?.isHealthy ?? false,
    etcd: best?.isHealthy ? best.etcd : undefined,
  };
}

function membersOf(
  cluster: DeepReadonly<EtcdCluster>,
  listed: MemberList['members'],
  said: (ID: string) => Pick<Member, 'isHealthy' | 'isLeader' | 'version'> | undefined,
): Member[] {
  const silent = { isHealthy: false, isLeader: false, version: undefined };
  return listed
    .map(({ ID, peerURLs }) => {
      const { isHealthy, isLeader, version } = said(ID) ?? silent;
      const ordinal = ordinalOfURL(cluster, peerURLs[0]!) ?? NaN;
      return { ordinal, id: ID, isHealthy, isLeader, version };
    })
    .filter(({ ordinal }) => !Number.isNaN(ordinal))
    .toSorted((one, other) => one.ordinal - other.ordinal);
}

/** The objects of the cluster by the numbers at the end of their names. */
function ordinals<T extends DeepReadonly<KubernetesObject>>(
  cluster: DeepReadonly<EtcdCluster>,
  objects: readonly T[],
): Map<number, T> {
  const found = new Map<number, T>();
  for (const object of objects) {
    const ordinal = ordinalOf(cluster, object.metadata.name!);
    if (ordinal !== undefined) found.set(ordinal, object);
  }
  return found;
}
