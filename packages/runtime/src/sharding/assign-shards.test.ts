import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { assignShards } from './assign-shards.ts';
import { shardCount, shardOf } from './shard-of.ts';

const members = ['my-operator-a', 'my-operator-b', 'my-operator-c'];

function shares(owners: readonly string[]): number[] {
  return [...new Set(owners)].map((name) => owners.filter((owner) => owner === name).length / owners.length);
}

test('every shard has one owner, whatever the order in which members are known', () => {
  const owners = assignShards(members);
  expect(owners).toHaveLength(shardCount);
  expect(assignShards(members.toReversed())).toEqual(owners);
  expect(assignShards([])).toEqual([]);
  expect(new Set(assignShards(['only']))).toEqual(new Set(['only']));
});

test.each([2, 3, 5, 8])('%i members own about as many shards each', (count) => {
  for (let round = 0; round < 20; round += 1) {
    const names = Array.from({ length: count }, (_, index) => `my-operator-pod-${round * count + index}`);
    const owned = shares(assignShards(names));
    expect(owned).toHaveLength(count);
    expect(Math.max(...owned)).toBeLessThan(1.35 / count);
    expect(Math.min(...owned)).toBeGreaterThan(0.65 / count);
  }
});

test('shards move only to a member that joins, and only from a member that leaves', () => {
  const three = assignShards(members);
  const four = assignShards([...members, 'my-operator-d']);
  const moved = four.filter((owner, shard) => owner !== three[shard]);
  expect(new Set(moved)).toEqual(new Set(['my-operator-d']));
  expect(moved.length / shardCount).toBeGreaterThan(0.2);
  expect(moved.length / shardCount).toBeLessThan(0.3);
});

test.each([
  ['numbered namespaces', (index: number) => `team-${index}`],
  ['UIDs', () => randomUUID() as string],
])('3000 %s are divided fairly among three members', (_, keyOf) => {
  const owners = assignShards(members);
  const owned = shares(Array.from({ length: 3000 }, (__, index) => owners[shardOf(keyOf(index))]!));
  expect(Math.max(...owned)).toBeLessThan(0.4);
  expect(Math.min(...owned)).toBeGreaterThan(0.27);
});

test('the shard of a key never changes: replicas of two versions must agree', () => {
  expect(['default', 'kube-system', '0a0c6a1e-7d5b-4b52-9c0e-3c0c5f0a7d11'].map(shardOf))
    .toMatchInlineSnapshot(`
    [
      300,
      267,
      264,
    ]
  `);
  expect(assignShards(members).slice(0, 6)).toMatchInlineSnapshot(`
    [
      "my-operator-a",
      "my-operator-c",
      "my-operator-b",
      "my-operator-c",
      "my-operator-b",
      "my-operator-b",
    ]
  `);
});
