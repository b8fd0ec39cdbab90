import type { LeaseSpec } from 'ots-kubernetes/coordination/v1';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { MemoryLeases, failure } from '../../test/memory-leases.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { withDeadline } from '../clock/with-deadline.ts';
import { createLogger } from '../logging/create-logger.ts';
import { LeaderElector, type LeaderElectorOptions } from './leader-elector.ts';
import { electionTiming } from './leader-election-options.ts';
import type { Leadership } from './leadership.ts';
import { LeaseUnavailableError } from './leadership-errors.ts';

const timing = electionTiming({});
let clock: VirtualClock;
let leases: MemoryLeases;
let lines: { level: string; msg: string; reason?: string }[];

beforeEach(() => {
  clock = new VirtualClock();
  leases = new MemoryLeases();
  lines = [];
});

function elector(identity: string, options: Partial<LeaderElectorOptions> = {}): LeaderElector {
  const stream = { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]) };
  const logger = createLogger({ level: 'debug', stream });
  return new LeaderElector({
    leases,
    identity,
    timing,
    clock,
    logger,
    name: 'test',
    random: () => 0,
    ...options,
  });
}

/** A replica that competes, and leads until a test stops or freezes it. */
class Replica {
  readonly elector: LeaderElector;
  readonly stop = new AbortController();
  leadership: Leadership | undefined;
  outcome: unknown;
  readonly run: Promise<void>;

  constructor(identity: string, options: Partial<LeaderElectorOptions> = {}) {
    this.elector = elector(identity, options);
    this.run = this.#live();
  }

  async #live(): Promise<void> {
    this.leadership = await this.elector.acquire(this.stop.signal);
    if (!this.leadership) return;
    try {
      await this.elector.keep(this.leadership, this.stop.signal);
      await this.elector.release(this.leadership);
      this.outcome = 'released';
    } catch (error) {
      this.outcome = error;
    }
  }

  /** Whether its work may write. */
  get leads(): boolean {
    try {
      this.leadership?.fence();
      return this.leadership !== undefined;
    } catch {
      return false;
    }
  }
}

/** What a request to a server that does not answer comes to, as ServerLeases sees to. */
function noAnswer(signal: AbortSignal | undefined): Promise<never> {
  return withDeadline(clock, 5000, signal, () => new Error('timed out'), untilAborted) as Promise<never>;
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  throw signal.reason;
}

const held = (holderIdentity: string, more: LeaseSpec = {}): LeaseSpec => ({
  holderIdentity,
  leaseDurationSeconds: 15,
  leaseTransitions: 3,
  acquireTime: '2020-01-01T00:00:00.000000Z',
  renewTime: '2020-01-01T00:00:00.000000Z',
  ...more,
});

describe('acquiring', () => {
  test('a lease that does not exist is created as client-go does', async () => {
    const replica = new Replica('me');
    await settled();
    expect(replica.leads).toBe(true);
    expect(leases.calls).toEqual(['read', 'create']);
    expect(leases.spec).toEqual({
      holderIdentity: 'me',
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
      acquireTime: '2026-01-01T00:16:40.000000Z',
      renewTime: '2026-01-01T00:16:40.000000Z',
    });
  });

  test.each([
    ['it has no holder', held('')],
    ['its spec is empty', {}],
    ['its holder set no duration', held('other', { leaseDurationSeconds: 0 })],
  ])('a lease is taken at once when %s', async (_, spec) => {
    leases.put(spec);
    const replica = new Replica('me');
    await settled();
    expect(replica.leads).toBe(true);
    expect(leases.spec).toMatchObject({
      holderIdentity: 'me',
      leaseTransitions: (spec.leaseTransitions ?? 0) + 1,
      acquireTime: '2026-01-01T00:16:40.000000Z',
    });
  });

  test('a lease of the same identity is continued without waiting or a transition', async () => {
    leases.put(held('me'));
    const replica = new Replica('me');
    await settled();
    expect(replica.leads).toBe(true);
    expect(leases.spec).toMatchObject({ leaseTransitions: 3, acquireTime: '2020-01-01T00:00:00.000000Z' });
  });

  test('another’s lease is taken when it has not changed for its own duration, whatever its times say', async () => {
    // Renewed years ago by its own clock, and for longer than ours.
    leases.put(held('other', { leaseDurationSeconds: 30 }));
    const replica = new Replica('me');
    await settled();
    await clock.advance(29_000);
    expect(replica.leads).toBe(false);
    await clock.advance(2000);
    expect(replica.leads).toBe(true);
    expect(leases.spec).toMatchObject({
      holderIdentity: 'me',
      leaseTransitions: 4,
      leaseDurationSeconds: 15,
    });
  });

  test('a lease that is renewed is never taken, even when the renewer has a slow clock', async () => {
    leases.put(held('other'));
    const replica = new Replica('me');
    await settled();
    for (let round = 1; round < 20; round += 1) {
      await clock.advance(10_000);
      leases.put(held('other', { renewTime: `2020-01-01T00:00:00.${String(round).padStart(6, '0')}Z` }));
    }
    expect(replica.leads).toBe(false);
    expect(leases.calls.filter((call) => call !== 'read')).toEqual([]);
  });

  test('a new label on the lease of a dead leader does not renew it', async () => {
    leases.put(held('other'));
    const replica = new Replica('me');
    await settled();
    for (let round = 0; round < 8; round += 1) {
      leases.put(leases.spec, { labels: { round: `${round}` } });
      await clock.advance(2000);
    }
    expect(replica.leads).toBe(true);
    expect(leases.lease?.metadata.labels).toEqual({ round: '7' });
  });

  test('fields that elections do not use survive', async () => {
    const unknown = { strategy: 'OldestEmulationVersion', preferredHolder: 'third', later: 1 };
    leases.put({ ...held(''), ...unknown });
    const replica = new Replica('me');
    await settled();
    expect(replica.leads).toBe(true);
    await clock.advance(2000);
    expect(leases.spec).toMatchObject(unknown);
  });

  test.each([
    ['creating', undefined],
    ['updating', held('')],
  ])('a candidate that is beaten to it while %s waits for the next attempt', async (_, spec) => {
    if (spec) leases.put(spec);
    leases.before = (call) => {
      if (call !== 'read') leases.put(held('faster'));
    };
    const replica = new Replica('me');
    await settled();
    expect(replica.leads).toBe(false);
    expect(leases.spec.holderIdentity).toBe('faster');
    expect(lines.filter(({ level }) => level !== 'debug').map(({ msg }) => msg)).toEqual([
      'waiting for leadership',
    ]);
  });

  test('attempts are spread over the retry period and 1.2 times as much', async () => {
    leases.put(held('other'));
    let random = 0;
    const replica = new Replica('me', { random: () => random });
    await settled();
    expect(clock.delays).toEqual([2000]);
    random = 1;
    await clock.advance(2000);
    expect(clock.delays).toEqual([4400]);
    replica.stop.abort();
    await replica.run;
    expect(clock.delays).toEqual([]);
  });

  test('a problem that prevents participation is logged once, until it changes', async () => {
    leases.before = () => {
      throw new LeaseUnavailableError('may not', 'Grant it.');
    };
    const replica = new Replica('me');
    await clock.advance(10_000);
    expect(replica.elector.problem).toBe('may not');
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
      { msg: 'cannot lead', reason: 'may not' },
    ]);
    leases.before = () => {
      throw failure(500, 'InternalError');
    };
    await clock.advance(10_000);
    expect(replica.elector.problem).toBeUndefined();
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    leases.before = () => {};
    await clock.advance(2000);
    expect(replica.leads).toBe(true);
  });

  test('an acquisition whose response arrives too late does not count', async () => {
    let late = true;
    leases.after = async () => {
      if (late) await clock.advance(10_000);
      late = false;
    };
    const replica = new Replica('me');
    await eventually(() => leases.calls.length === 2 && clock.delays.length > 0);
    expect(replica.leadership).toBeUndefined();
    await clock.advance(2000);
    expect(replica.leads).toBe(true);
  });

  test('a stop during the wait ends it at once; one during the acquisition releases the lease', async () => {
    leases.put(held('other'));
    const waiting = new Replica('waiting');
    await settled();
    waiting.stop.abort();
    await waiting.run;
    expect(waiting.leadership).toBeUndefined();
    leases.put(held(''));
    const acquiring = new Replica('acquiring');
    leases.after = () => acquiring.stop.abort();
    await acquiring.run;
    expect(acquiring.leadership).toBeUndefined();
    expect(leases.spec).toMatchObject({ holderIdentity: '', leaseTransitions: 4, leaseDurationSeconds: 1 });
    expect(clock.delays).toEqual([]);
  });
});

describe('renewing', () => {
  async function leader(options: Partial<LeaderElectorOptions> = {}): Promise<Replica> {
    const replica = new Replica('me', options);
    await settled();
    expect(replica.leads).toBe(true);
    leases.calls.length = 0;
    return replica;
  }

  test('sends one request per retry period, and keeps the term', async () => {
    const replica = await leader();
    await clock.advance(60_000);
    expect(leases.calls).toEqual(Array.from({ length: 30 }, () => 'update'));
    expect(leases.spec).toMatchObject({
      leaseTransitions: 0,
      acquireTime: '2026-01-01T00:16:40.000000Z',
      renewTime: '2026-01-01T00:17:40.000000Z',
    });
    expect(replica.leads).toBe(true);
  });

  test('continues when others changed the lease but not its record', async () => {
    const replica = await leader();
    leases.put(leases.spec, { annotations: { seen: 'yes' } });
    await clock.advance(2000);
    expect(leases.calls).toEqual(['update', 'read', 'update']);
    expect(leases.lease?.metadata.annotations).toEqual({ seen: 'yes' });
    expect(replica.leads).toBe(true);
  });

  test('recreates a deleted lease', async () => {
    const replica = await leader();
    leases.lease = undefined;
    await clock.advance(2000);
    expect(leases.calls).toEqual(['update', 'read', 'create']);
    expect(leases.spec.holderIdentity).toBe('me');
    expect(replica.leads).toBe(true);
  });

  test('takes back a lease whose holder an administrator cleared', async () => {
    const replica = await leader();
    leases.put({ ...leases.spec, holderIdentity: '' });
    await clock.advance(2000);
    expect(leases.spec).toMatchObject({ holderIdentity: 'me', leaseTransitions: 1 });
    expect(replica.leads).toBe(true);
  });

  test.each([
    ['another holds it', (): void => leases.put(held('other')), 'went to other'],
    ['another held it and gave it back', (): void => leases.put(held('')), 'went to another replica'],
    [
      'it was deleted, and another held it and gave it back',
      (): void => leases.put({ ...leases.spec, holderIdentity: '' }, { uid: 'second' }),
      'went to another replica',
    ],
  ])('ends at once when %s', async (_, change, message) => {
    const replica = await leader();
    change();
    await clock.advance(2000);
    expect(replica.outcome).toMatchObject({
      code: 'LEADERSHIP_LOST',
      message: expect.stringContaining(message),
    });
    expect(replica.leadership?.signal.reason).toBe(replica.outcome);
    expect(clock.delays).toEqual([]);
  });

  test('ends when no attempt succeeds before the deadline, which runs from the start of the last success', async () => {
    const replica = await leader();
    await clock.advance(5000);
    leases.before = () => {
      throw failure(500, 'InternalError');
    };
    // The last success was at 4 s.
    await clock.advance(8999);
    expect(replica.leads).toBe(true);
    await clock.advance(1);
    expect(replica.leadership?.signal.aborted).toBe(true);
    expect(replica.outcome).toMatchObject({
      code: 'LEADERSHIP_LOST',
      message: expect.stringContaining('within 10 s'),
    });
    expect(clock.delays).toEqual([]);
  });

  test('a leader that was frozen for longer than the deadline gives up without another request', async () => {
    const replica = await leader();
    const thaw = clock.now() + 60_000;
    clock.now = () => thaw;
    await clock.advance(2000);
    expect(leases.calls).toEqual([]);
    expect(replica.outcome).toMatchObject({ code: 'LEADERSHIP_LOST' });
  });

  test('a leader of a machine that was suspended finds out with its next renewal', async () => {
    const replica = await leader();
    clock.jump(3_600_000);
    leases.put(held('other'));
    expect(replica.leads).toBe(false);
    expect(replica.leadership?.signal.aborted).toBe(false);
    await clock.advance(2000);
    expect(replica.outcome).toMatchObject({ code: 'LEADERSHIP_LOST' });
  });

  test('one missing response does not cost the leadership', async () => {
    const replica = await leader();
    let hung = false;
    leases.before = (_, signal) => {
      if (hung) return undefined;
      hung = true;
      return noAnswer(signal);
    };
    await clock.advance(30_000);
    expect(hung).toBe(true);
    expect(replica.leads).toBe(true);
  });

  test('an update whose response was lost is recognized', async () => {
    const replica = await leader();
    let lost = 2;
    leases.after = () => {
      if ((lost -= 1) >= 0) throw new Error('the connection broke');
    };
    await clock.advance(20_000);
    expect(replica.leads).toBe(true);
    expect(leases.spec.leaseTransitions).toBe(0);
  });

  test('is reported to observers and to the Lease', async () => {
    const seen: unknown[] = [];
    const replica = await leader({
      observer: { leading: (name, leads) => seen.push([name, leads]) },
      record: (lease, leads, note) => seen.push([lease.metadata.name, leads, note]),
    });
    replica.stop.abort();
    await replica.run;
    expect(seen).toEqual([
      ['test', false],
      ['test', true],
      ['test', true, 'me became leader'],
      ['test', false],
      ['test', false, 'me stopped leading'],
    ]);
  });
});

describe('releasing', () => {
  test('clears the holder and lets another replica take over at its next attempt', async () => {
    const first = new Replica('first');
    await settled();
    const second = new Replica('second');
    await settled();
    await clock.advance(1000);
    first.stop.abort();
    await first.run;
    expect(first.outcome).toBe('released');
    expect(first.leads).toBe(false);
    expect(leases.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
    await clock.advance(1000);
    expect(second.leads).toBe(true);
    expect(leases.spec).toMatchObject({
      holderIdentity: 'second',
      leaseTransitions: 1,
      leaseDurationSeconds: 15,
    });
  });

  test.each([
    ['gained a label', (): void => leases.put(leases.spec, { labels: { a: 'b' } }), ''],
    ['was taken by another replica', (): void => leases.put(held('other')), 'other'],
    ['was deleted', (): void => void (leases.lease = undefined), undefined],
  ])('clears the holder only if it is its own: the lease %s', async (_, change, holder) => {
    const replica = new Replica('me');
    await settled();
    change();
    replica.stop.abort();
    await replica.run;
    expect(leases.lease?.spec?.holderIdentity).toBe(holder);
  });

  test('waits for a renewal in progress, and releases its result', async () => {
    const replica = new Replica('me');
    await settled();
    let answer: (() => void) | undefined;
    leases.after = () => (answer ? undefined : new Promise<void>((resolve) => (answer = resolve)));
    await clock.advance(2000);
    replica.stop.abort();
    await settled();
    expect(replica.outcome).toBeUndefined();
    answer?.();
    await replica.run;
    expect(leases.spec).toMatchObject({ holderIdentity: '', renewTime: '2026-01-01T00:16:42.000000Z' });
    expect(leases.calls.slice(2)).toEqual(['update', 'update']);
  });

  test('that fails is logged, and is not an error', async () => {
    const replica = new Replica('me');
    await settled();
    leases.before = () => {
      throw failure(500, 'InternalError');
    };
    replica.stop.abort();
    await replica.run;
    expect(replica.outcome).toBe('released');
    expect(lines.at(-2)).toMatchObject({ level: 'warn', reason: 'InternalError' });
  });
});

test('never two leaders, whatever fails, hangs or jumps', async () => {
  const event = fc.record({
    wait: fc.integer({ min: 0, max: 9 }),
    replica: fc.nat(2),
    what: fc.constantFrom('fail', 'hang', 'work', 'jump', 'lose answers', 'delete'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 15 }), async (events) => {
      clock = new VirtualClock();
      leases = new MemoryLeases();
      const modes = ['work', 'work', 'work'];
      const replicas = modes.map((_, index) => {
        const own: MemoryLeases = Object.create(leases) as MemoryLeases;
        const guarded = <T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
          if (modes[index] === 'fail') return Promise.reject(new Error('failed'));
          if (modes[index] === 'hang') return noAnswer(signal);
          return call().then((answer) => {
            if (modes[index] === 'lose answers') throw new Error('the connection broke');
            return answer;
          });
        };
        own.read = (signal) => guarded(() => leases.read(), signal);
        own.create = (spec, signal) => guarded(() => leases.create(spec), signal);
        own.update = (lease, signal) => guarded(() => leases.update(lease), signal);
        return new Replica(`replica-${index}`, { leases: own });
      });
      for (const { wait, replica, what } of events) {
        if (what === 'jump') clock.jump(wait * 1_000_000);
        // Deleting the Lease of a leader that is cut off lets others in, in client-go too: not while one is.
        else if (what === 'delete')
          leases.put(leases.lease?.spec ?? {}, { labels: { at: `${clock.now()}` } });
        else modes[replica] = what;
        for (let second = 0; second < wait; second += 1) {
          await clock.advance(1000);
          expect(replicas.filter(({ leads }) => leads).length).toBeLessThan(2);
        }
      }
      for (const { stop } of replicas) stop.abort();
      for (const index of modes.keys()) modes[index] = 'fail';
      await clock.advance(30_000);
      await Promise.all(replicas.map(({ run }) => run));
      expect(clock.delays).toEqual([]);
    }),
    { numRuns: 30 },
  );
});
