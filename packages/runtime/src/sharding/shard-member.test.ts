import { beforeEach, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { failure } from '../../test/memory-leases.ts';
import { LeaseServer } from '../../test/sharding/lease-server.ts';
import { ProcessClock, World } from '../../test/sharding/world.ts';
import { electionTiming } from '../leader-election/leader-election-options.ts';
import { createLogger } from '../logging/create-logger.ts';
import { claimsOf, shardScheme } from './claims.ts';
import type { MemberLeases } from './member-leases.ts';
import { ShardMember } from './shard-member.ts';
import { shardCount } from './shard-of.ts';

let world: World;
let server: LeaseServer;
let lines: { level: string; msg: string; reason?: string }[];
/** Replaces what a member sends, to disturb it. */
let disturb: (leases: MemberLeases) => Partial<MemberLeases>;

beforeEach(() => {
  world = new World();
  server = new LeaseServer(world);
  lines = [];
  disturb = () => ({});
});

const scheme = shardScheme('namespace');

function join(name: string): { member: ShardMember; clock: ProcessClock } {
  const clock = new ProcessClock(world);
  const stream = { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]) };
  const reached = server.reachedBy(clock, { delay: () => 5 });
  const member = new ShardMember({
    leases: { ...reached, ...disturb(reached) },
    name,
    identity: `${name}_1`,
    scheme,
    timing: electionTiming({}),
    clock,
    logger: createLogger({ level: 'debug', stream }),
  });
  member.start();
  return { member, clock };
}

const owned = (member: ShardMember): number =>
  Array.from({ length: shardCount }, (_, number) => member.shard(number)).filter(Boolean).length;

test('the first member claims all shards in a Lease as client-go writes it, and then owns them', async () => {
  const { member } = join('a');
  expect(member.busyWith).toBe('this replica joins the members');
  await world.run(1000);
  expect(owned(member)).toBe(shardCount);
  expect(member.busyWith).toBeUndefined();
  expect(server.leases.get('a')).toMatchObject({
    spec: {
      holderIdentity: 'a_1',
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.020000Z',
    },
  });
  expect(claimsOf(server.leases.get('a')!, scheme).size).toBe(shardCount);
});

test('a second member gets its part within one retry period, and all when the first leaves', async () => {
  const first = join('a');
  await world.run(1000);
  const second = join('b');
  await world.run(2500);
  expect(owned(first.member) + owned(second.member)).toBe(shardCount);
  expect(owned(second.member)).toBeGreaterThan(shardCount / 3);
  void first.member.leave();
  second.member.wake();
  await world.run(100);
  second.member.wake();
  await world.run(100);
  expect(owned(second.member)).toBe(shardCount);
  expect([...server.leases.keys()]).toEqual(['b']);
});

test('the shards of a killed member are taken over within 18 s, and not before its Lease has expired', async () => {
  const { member } = join('a');
  const other = join('b');
  await world.run(10_000);
  const before = owned(member);
  other.clock.isDead = true;
  await world.run(14_000);
  expect(owned(member)).toBe(before);
  await world.run(4000);
  expect(owned(member)).toBe(shardCount);
});

test('a shard in which a reconcile runs is given up when that has ended', async () => {
  const { member } = join('a');
  await world.run(1000);
  const shards = Array.from({ length: shardCount }, (_, number) => member.shard(number)!);
  const reasons: unknown[] = [];
  const work = { abort: (reason: unknown) => reasons.push(reason) };
  for (const shard of shards) shard.enter(work);
  const other = join('b');
  await world.run(20_000);
  expect(owned(other.member)).toBe(0);
  expect(other.member.busyWith).toBe(`this replica waits for ${reasons.length} of 1024 shards`);
  expect(reasons[0]).toMatchObject({
    code: 'SHARD_LOST',
    message: expect.stringContaining('another member'),
  });
  for (const shard of shards) shard.leave(work);
  await world.run(2500);
  expect(owned(other.member)).toBe(reasons.length);
  expect(() => shards.find(({ isLost }) => isLost)!.fence()).toThrow('The shard was lost');
});

test('no write passes the fence later than 10 s after the renewal was sent, whenever its response came', async () => {
  disturb = (leases) => ({
    update: async (lease) => {
      const response = await leases.update(lease);
      // The first claims are stored; then the network is slow, and finally down.
      if (world.now > 1900) await new Promise<void>((resolve) => world.outside.setTimeout(resolve, 4000));
      if (world.now > 8000) throw new Error('no network');
      return response;
    },
  });
  const { member, clock } = join('a');
  await world.run(1000);
  const shard = member.shard(0)!;
  expect(() => shard.fence()).not.toThrow();
  const sent = 2020;
  await world.run(sent + 9900 - world.now);
  expect(() => shard.fence()).not.toThrow();
  await world.run(sent + 10_000 - world.now);
  expect(() => shard.fence()).toThrow('was last renewed 10 s ago');
  expect(member.shard(0)).toBe(shard);
  expect(clock.isPaused).toBe(false);
});

test('after the machine was suspended, no write passes before the next renewal', async () => {
  const { member, clock } = join('a');
  await world.run(1000);
  const shard = member.shard(0)!;
  clock.pause(true);
  await world.run(20_000);
  clock.resume();
  expect(() => shard.fence()).toThrow('was last renewed 21 s ago');
  await world.run(3000);
  // No other member has deleted its Lease.
  expect(() => shard.fence()).not.toThrow();
});

test('a Lease that is renewed at the last moment is not deleted', async () => {
  let revive = (): void => {};
  disturb = (leases) => ({
    delete: async (lease, options) => {
      revive();
      return leases.delete(lease, options);
    },
  });
  const { member } = join('a');
  disturb = () => ({});
  const other = join('b');
  await world.run(5000);
  const before = owned(other.member);
  other.clock.pause(false);
  revive = () => {
    const lease = server.leases.get('b')!;
    const metadata = { ...lease.metadata, resourceVersion: 'renewed' };
    server.leases.set('b', { ...lease, metadata, spec: { ...lease.spec, renewTime: 'now' } });
    revive = () => {};
  };
  await world.run(18_000);
  expect(server.leases.has('b')).toBe(true);
  expect(owned(member)).toBe(shardCount - before);
});

/** The Lease of a member that divides keys by another scheme. */
function addForeign(): void {
  const metadata = { name: 'old', uid: 'old', resourceVersion: 'x' };
  const spec = { holderIdentity: 'old', leaseDurationSeconds: 15, renewTime: 'now' };
  server.leases.set('old', { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
}

test('shards that another member claims at the same time are not owned', async () => {
  disturb = (leases) => ({
    update: (lease) => {
      addForeign();
      return leases.update(lease);
    },
  });
  const { member } = join('a');
  await world.run(1000);
  expect(claimsOf(server.leases.get('a')!, scheme).size).toBe(shardCount);
  expect(owned(member)).toBe(0);
  expect(member.busyWith).toBe('this replica waits for 1024 of 1024 shards');
});

test('members of another scheme keep what they have until they leave', async () => {
  const { member } = join('a');
  await world.run(1000);
  addForeign();
  await world.run(3000);
  expect(owned(member)).toBe(shardCount);
  const late = join('b');
  await world.run(3000);
  expect(owned(late.member)).toBe(0);
  expect(owned(member)).toBeLessThan(shardCount);
});

test('a problem that an administrator must fix is named once', async () => {
  disturb = () => ({
    create: async () => {
      throw failure(403, 'Forbidden');
    },
  });
  const { member } = join('a');
  await world.run(10_000);
  expect(member.problem).toBe('This replica cannot keep its Lease: Forbidden');
  expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
});

test('a Lease of the same name that an earlier process left is waited for', async () => {
  const first = join('a');
  await world.run(3000);
  first.clock.isDead = true;
  const second = join('a');
  await world.run(10_000);
  expect(owned(second.member)).toBe(0);
  await world.run(9000);
  expect(owned(second.member)).toBe(shardCount);
});

test('leaving ends even if the server does not respond', async () => {
  disturb = () => ({
    delete: async () => {
      throw new Error('no network');
    },
  });
  const { member } = join('a');
  await world.run(1000);
  let hasLeft = false;
  void member.leave().then(() => (hasLeft = true));
  await world.run(10_000);
  await eventually(() => hasLeft);
  expect(lines.at(-1)).toMatchObject({ level: 'warn', msg: 'lease not deleted; it expires by itself' });
});
