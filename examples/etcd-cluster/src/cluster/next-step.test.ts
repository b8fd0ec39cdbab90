// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import { PersistentVolumeClaim, type Pod } from 'ots-kubernetes/core/v1';
import { expect, test } from 'vitest';
import { clusterOf } from '../../test/operator.ts';
import type { EtcdMember } from '../api/v1/etcd-cluster.ts';
import type { ClusterView, Member } from './cluster-view.ts';
import { memberRecords } from './member-records.ts';
import { nextStep } from './next-step.ts';

/** Members by their numbers; those in `down` are not healthy. */
function membersOf(ordinals: readonly number[], down: readonly number[] = []): Member[] {
  return ordinals.map((ordinal) => ({
    ordinal,
    id: `${100 + ordinal}`,
    isHealthy: !down.includes(ordinal),
    isLeader: ordinal === 0,
    version: '3.5.21',
  }));
}

interface Situation {
  readonly size: number;
  readonly members: readonly Member[] | undefined;
  readonly hasQuorum?: boolean;
  /** The UIDs of volumes by number; `v0` for 0 and so on by default. */
  readonly volumes?: Readonly<Record<number, string>>;
  readonly records?: EtcdMember[];
  /** Pods that have the old revision, and whether they run. */
  readonly outdated?: Readonly<Record<number, boolean>>;
}

function situation({
  size,
  members,
  hasQuorum = true,
  volumes,
  records,
  outdated = {},
}: Situation) {
  const cluster = clusterOf('db', { size, version: '3.5.21' });
  cluster.status = { clusterID: '1', ...(records && { members: records }) };
  const claims =
    volumes ?? Object.fromEntries(members?.map(({ ordinal }) => [ordinal, `v${ordinal}`]) ?? []);
  const view: ClusterView = {
    pods: new Map(
      Object.entries(outdated).map(([ordinal, runs]) => [Number(ordinal), podOf(ordinal, runs)]),
    ),
    volumes: new Map(
      Object.entries(claims).map(([ordinal, uid]) => [Number(ordinal), volumeOf(ordinal, uid)]),
    ),
    set: {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db', generation: 2 },
      status: { replicas: 3, observedGeneration: 2, updateRevision: 'new' },
    },
    members,
    clusterID: '1',
    hasQuorum,
    etcd: undefined,
  };
  return { cluster, view };
}

function podOf(ordinal: string, runs: boolean): Pod {
  const state = runs ? { running: {} } : { waiting: { reason: 'ImagePullBackOff' } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `db-${ordinal}`, labels: { 'controller-revision-hash': 'old' } },
    status: {
      containerStatuses: [
        { name: 'etcd', image: '', imageID: '', ready: runs, restartCount: 0, state },
      ],
    },
  };
}

function volumeOf(ordinal: string, uid: string): PersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: `data-db-${ordinal}`, uid },
  };
}

const record = (ordinal: number, volume = `v${ordinal}`): EtcdMember => ({
  name: `db-${ordinal}`,
  id: `${100 + ordinal}`,
  volume,
});

/** A step in short, such as `AddMember 2`. */
function stepFor(each: Situation): string | undefined {
  const { cluster, view } = situation(each);
  const step = nextStep(cluster, view);
  switch (step?.type) {
    case 'AddMember':
      return `AddMember ${step.ordinal}`;
    case 'RemoveMember':
      return `RemoveMember ${step.member.ordinal}`;
    case 'DeleteVolume':
      return `DeleteVolume ${step.volume.metadata.name}`;
    case 'RestartMember':
      return `RestartMember ${step.pod.metadata.name}`;
    default:
      return undefined;
  }
}

const cases: Record<string, Situation & { step: string | undefined }> = {
  'a cluster of the right size': { size: 3, members: membersOf([0, 1, 2]), step: undefined },
  'too few members': { size: 3, members: membersOf([0, 1]), step: 'AddMember 2' },
  'too few members, one of which is not healthy': {
    size: 5,
    members: membersOf([0, 1, 2], [1]),
    step: undefined,
  },
  'a gap': { size: 3, members: membersOf([0, 2]), step: 'AddMember 1' },
  'a volume where a member is to be added': {
    size: 2,
    members: membersOf([0]),
    volumes: { 0: 'v0', 1: 'of an earlier member' },
    step: 'DeleteVolume data-db-1',
  },
  'a gap with the volume of the member that was removed': {
    size: 3,
    members: membersOf([0, 2]),
    volumes: { 0: 'v0', 1: 'v1', 2: 'v2' },
    records: [record(0), record(1), record(2)],
    step: 'DeleteVolume data-db-1',
  },
  'too many members': { size: 1, members: membersOf([0, 1, 2]), step: 'RemoveMember 2' },
  'too many members, the last of which is not healthy': {
    size: 2,
    members: membersOf([0, 1, 2], [2]),
    step: 'RemoveMember 2',
  },
  'too many members, but the others would have no majority': {
    size: 3,
    members: membersOf([0, 1, 2, 3], [1, 2]),
    step: undefined,
  },
  'a member that has lost its data': {
    size: 3,
    members: membersOf([0, 1, 2], [1]),
    records: [record(0), { ...record(1), isLost: true }, record(2)],
    step: 'RemoveMember 1',
  },
  'a member that has lost its data, without a majority': {
    size: 3,
    members: membersOf([0, 1, 2], [0, 1, 2]),
    hasQuorum: false,
    records: [record(0), { ...record(1), isLost: true }, record(2)],
    step: undefined,
  },
  'outdated pods': {
    size: 3,
    members: membersOf([0, 1, 2]),
    outdated: { 0: true, 1: true },
    step: 'RestartMember db-1',
  },
  'an outdated pod of the leader': {
    size: 3,
    members: membersOf([0, 1, 2]),
    outdated: { 0: true },
    step: 'RestartMember db-0',
  },
  'outdated pods while another member is not healthy': {
    size: 3,
    members: membersOf([0, 1, 2], [2]),
    outdated: { 0: true, 1: true },
    step: undefined,
  },
  'outdated pods, one of which is not healthy': {
    size: 3,
    members: membersOf([0, 1, 2], [1]),
    outdated: { 0: true, 1: true },
    step: 'RestartMember db-1',
  },
  'an outdated pod that does not run, without a majority': {
    size: 3,
    members: undefined,
    hasQuorum: false,
    outdated: { 0: true, 1: false },
    step: 'RestartMember db-1',
  },
};

test.each(Object.entries(cases))('the next step for %s', (_, { step, ...each }) => {
  expect(stepFor(each)).toBe(step);
});

test('a member with another volume than before has lost its data, until it is a new member', () => {
  const records = [record(0), record(1)];
  const lost = situation({
    size: 2,
    members: membersOf([0, 1]),
    volumes: { 0: 'v0', 1: 'other' },
    records,
  });
  const marked = [record(0), { ...record(1, 'other'), isLost: true }];
  expect(memberRecords(lost.cluster, lost.view)).toEqual(marked);

  // The volume of a member that was removed stays on record until it is gone.
  const removed = situation({
    size: 2,
    members: membersOf([0]),
    volumes: { 0: 'v0', 1: 'other' },
    records: marked,
  });
  expect(memberRecords(removed.cluster, removed.view)).toEqual(marked);
  const gone = situation({
    size: 2,
    members: membersOf([0]),
    volumes: { 0: 'v0', 1: 'third' },
    records: marked,
  });
  expect(memberRecords(gone.cluster, gone.view)).toEqual([record(0)]);

  const members = [...membersOf([0]), { ...membersOf([1])[0]!, id: '999' }];
  const added = situation({
    size: 2,
    members,
    volumes: { 0: 'v0', 1: 'third' },
    records: [record(0)],
  });
  expect(memberRecords(added.cluster, added.view)).toEqual([
    record(0),
    { name: 'db-1', id: '999', volume: 'third' },
  ]);
});
