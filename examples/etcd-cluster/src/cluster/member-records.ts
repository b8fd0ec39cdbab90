// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { DeepReadonly } from 'ots-runtime';
import type { EtcdCluster, EtcdMember } from '../api/v1/etcd-cluster.ts';
import type { ClusterView } from './cluster-view.ts';
import { memberName, ordinalOf } from './names.ts';

/**
 * The members for the status, with their volumes. A member whose volume is another one than before has lost its data: it must not join
 * again under its old ID, because it has forgotten how it voted.
 */
export function memberRecords(
  cluster: DeepReadonly<EtcdCluster>,
  { members, volumes }: ClusterView,
): readonly EtcdMember[] {
  const recorded = cluster.status?.members ?? [];
  if (!members) return recorded;
  const before = new Map(recorded.map((record) => [ordinalOf(cluster, record.name)!, record]));
  const ids = new Map(members.map(({ ordinal, id }) => [ordinal, id]));
  const all = [...new Set([...before.keys(), ...ids.keys()])].toSorted((one, other) => one - other);
  return all.flatMap((ordinal) => {
    const record = before.get(ordinal);
    const volume = volumes.get(ordinal);
    const { uid = '', deletionTimestamp } = volume?.metadata ?? {};
    const id = ids.get(ordinal);
    // Its data belongs to no member. It must be deleted before a new member gets the name.
    if (id === undefined) return record?.volume === uid ? record : [];
    if (!volume || deletionTimestamp) return record ?? [];
    if (record?.id !== id) return { name: memberName(cluster, ordinal), id, volume: uid };
    return record.volume === uid ? record : { ...record, volume: uid, isLost: true };
  });
}
