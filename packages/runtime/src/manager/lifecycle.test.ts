import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryLeases } from '../../test/memory-leases.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { currentWork, runInContext } from '../context/work-context.ts';
import { electionTiming } from '../leader-election/leader-election-options.ts';
import { LeaderElector } from '../leader-election/leader-elector.ts';
import { LeadershipLostError } from '../leader-election/leadership-errors.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Election } from './election.ts';
import { Lifecycle, type LifecycleOptions, type Parts } from './lifecycle.ts';
import type { Runnable } from './runnable.ts';
import { Work } from './work.ts';

const logger = createLogger({ level: 'silent' });
let clock: VirtualClock;
let leases: MemoryLeases;
/** What happened, in order. */
let log: string[];

beforeEach(() => {
  clock = new VirtualClock();
  leases = new MemoryLeases();
  log = [];
  leases.before = (call) => {
    if (call !== 'read') log.push(`lease ${call}`);
  };
});

/** Ends when its signal aborts, or, if it is slow, when `release` is called. */
class Recorded implements Runnable {
  readonly name: string;
  readonly needsLeaderElection: boolean;
  signal: AbortSignal | undefined;
  finish: () => void = () => {};
  fail: (error: Error) => void = () => {};
  readonly warmUp?: (signal: AbortSignal) => Promise<void>;
  readonly #isSlow: boolean;

  constructor(name: string, { elected = true, slow = false, warm = false } = {}) {
    this.name = name;
    this.needsLeaderElection = elected;
    this.#isSlow = slow;
    if (warm) {
      this.warmUp = async () => {
        log.push(`${name} warm`);
      };
    }
  }

  start(signal: AbortSignal): Promise<void> {
    this.signal = signal;
    log.push(`${this.name} started`);
    return new Promise<void>((resolve, reject) => {
      this.fail = reject;
      this.finish = () => {
        log.push(`${this.name} ended`);
        resolve();
      };
      signal.addEventListener('abort', () => {
        log.push(`${this.name} aborted`);
        if (!this.#isSlow) this.finish();
      });
    });
  }
}

class Stage {
  readonly lifecycle: Lifecycle;
  readonly work: Work;
  readonly parts: Parts;
  readonly stop = new AbortController();
  outcome: unknown;
  run: Promise<void> = Promise.resolve();
  leadership: { fence(): void } | undefined;

  constructor({ elects = true, ...options }: Partial<LifecycleOptions> & { elects?: boolean } = {}) {
    this.lifecycle = new Lifecycle({
      clock,
      logger,
      shutdownTimeout: 30_000,
      releaseOnStop: true,
      ...options,
    });
    this.work = new Work({
      logger: options.logger ?? logger,
      onFailure: (error) => this.lifecycle.fail(error),
    });
    const record = (what: string) => async (): Promise<void> => void log.push(what);
    this.parts = {
      connect: async () => {},
      servers: {
        open: record('servers open'),
        closeWebhooks: record('webhooks closed'),
        close: record('servers closed'),
        closeNow: () => void log.push('servers cut off'),
      },
      cache: {
        start: (signal) => signal.addEventListener('abort', () => log.push('cache aborted')),
        synced: record('cache synced'),
        stopped: record('cache stopped'),
      },
      work: this.work,
      election: elects ? this.#election() : undefined,
      sharding: undefined,
      disconnect: record('disconnected'),
    };
  }

  #election(): Election {
    const elector = new LeaderElector({
      leases,
      identity: 'me',
      timing: electionTiming({}),
      clock,
      logger,
      name: 'test',
      random: () => 0,
    });
    return new Election({
      elector,
      close: async () => void log.push('election closed'),
      onElected: (leadership) => {
        this.leadership = leadership;
        this.work.lead(leadership);
        this.lifecycle.elected.reach();
      },
      onLost: (error) => this.lifecycle.fail(error),
    });
  }

  start(): this {
    this.run = this.lifecycle.run(this.parts, this.stop.signal).then(
      () => void (this.outcome = 'stopped'),
      (error: unknown) => void (this.outcome = error),
    );
    return this;
  }
}

const heldByOther = { holderIdentity: 'other', leaseDurationSeconds: 15 };

describe('the order of a lifecycle', () => {
  test('is servers, caches, others, warm-ups, election, elected; and back, with the lease released last', async () => {
    const stage = new Stage();
    stage.work.add(new Recorded('elected', { warm: true }));
    // It has nothing to wait for that it could warm up before.
    stage.work.add(new Recorded('other', { elected: false, warm: true }));
    stage.start();
    await settled();
    expect(log).toEqual([
      'servers open',
      'cache synced',
      'other started',
      'elected warm',
      'lease create',
      'elected started',
    ]);
    log.length = 0;
    stage.stop.abort();
    await stage.run;
    expect(log).toEqual([
      'other aborted',
      'other ended',
      'elected aborted',
      'elected ended',
      'cache aborted',
      'cache stopped',
      'webhooks closed',
      'servers closed',
      'lease update',
      'election closed',
      'disconnected',
    ]);
    expect(leases.spec.holderIdentity).toBe('');
    expect(stage.outcome).toBe('stopped');
    expect(clock.delays).toEqual([]);
  });

  test('the lease is renewed while work ends, and its writes may leave until then', async () => {
    const stage = new Stage({ shutdownTimeout: Infinity });
    const slow = new Recorded('slow', { slow: true });
    stage.work.add(slow);
    stage.start();
    await settled();
    expect(stage.lifecycle.problem).toBeUndefined();
    stage.stop.abort();
    await settled();
    await clock.advance(60_000);
    expect(stage.lifecycle.problem).toBe('the manager is stopping');
    expect(stage.outcome).toBeUndefined();
    expect(log.filter((line) => line === 'lease update').length).toBe(30);
    expect(() => stage.leadership?.fence()).not.toThrow();
    slow.finish();
    await stage.run;
    expect(() => stage.leadership?.fence()).toThrow(LeadershipLostError);
    expect(leases.spec.holderIdentity).toBe('');
  });

  test('a standby is ready, runs work without leadership, and takes over when the leader stops', async () => {
    leases.put(heldByOther);
    const stage = new Stage();
    stage.work.add(new Recorded('elected'));
    stage.work.add(new Recorded('other', { elected: false }));
    stage.start();
    await stage.lifecycle.ready.promise;
    await settled();
    await clock.advance(10_000);
    expect(stage.lifecycle.elected.isReached).toBe(false);
    expect(log).toContain('other started');
    expect(log).not.toContain('elected started');
    await clock.advance(6000);
    await stage.lifecycle.elected.promise;
    expect(log).toContain('elected started');
    stage.stop.abort();
    await stage.run;
  });

  test('a standby that stops never leads, not even when the lease becomes free', async () => {
    leases.put(heldByOther);
    const stage = new Stage();
    const slow = new Recorded('slow', { elected: false, slow: true });
    stage.work.add(slow);
    stage.work.add(new Recorded('elected'));
    stage.start();
    await settled();
    stage.stop.abort();
    leases.put({ ...heldByOther, holderIdentity: '' });
    await clock.advance(20_000);
    slow.finish();
    await stage.run;
    expect(log).not.toContain('elected started');
    expect(log).not.toContain('lease update');
    expect(stage.outcome).toBe('stopped');
    await expect(stage.lifecycle.elected.promise).rejects.toThrow('was stopped');
    expect(clock.delays).toEqual([]);
  });

  test('a late runnable starts with its group: warm-ups at once, elected work with the leadership', async () => {
    leases.put(heldByOther);
    const stage = new Stage();
    stage.start();
    await settled();
    stage.work.add(new Recorded('late', { warm: true }));
    stage.work.add(new Recorded('late other', { elected: false }));
    await settled();
    expect(log.slice(-2)).toEqual(['late warm', 'late other started']);
    await clock.advance(16_000);
    stage.work.add(new Recorded('later'));
    await settled();
    expect(log.slice(-3)).toEqual(['lease update', 'late started', 'later started']);
    stage.stop.abort();
    await stage.run;
  });

  test('a runnable that a reconciler adds does not end with the reconcile', async () => {
    const stage = new Stage({ elects: false }).start();
    await stage.lifecycle.elected.promise;
    const contexts: unknown[] = [];
    const added = (needsLeaderElection: boolean): Runnable => ({
      needsLeaderElection,
      start: async () => void contexts.push(currentWork()),
    });
    runInContext({ signal: AbortSignal.abort() }, () => {
      stage.work.add(added(true));
      stage.work.add(added(false));
    });
    expect(contexts).toEqual([{}, {}]);
    stage.stop.abort();
    await stage.run;
  });

  test('without election, everything runs at once and elected also resolves', async () => {
    const stage = new Stage({ elects: false });
    stage.work.add(new Recorded('elected'));
    stage.start();
    await stage.lifecycle.elected.promise;
    expect(log).toEqual(['servers open', 'cache synced', 'elected started']);
    stage.stop.abort();
    await stage.run;
  });

  test.each([
    ['with', true],
    ['without', false],
  ])('a stop during the warm-up is not an error, and starts nothing more, %s election', async (_, elects) => {
    const stage = new Stage({ elects });
    const warming = (signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    stage.work.add(Object.assign(new Recorded('elected'), { warmUp: warming }));
    const slow = new Recorded('slow', { elected: false, slow: true });
    stage.work.add(slow);
    stage.start();
    await settled();
    stage.stop.abort();
    await settled();
    slow.finish();
    await stage.run;
    expect(stage.outcome).toBe('stopped');
    expect(log).not.toContain('elected started');
    expect(log).not.toContain('lease create');
    await expect(stage.lifecycle.ready.promise).rejects.toThrow('was stopped');
  });
});

describe('elected work', () => {
  test('runs under the fence of its term', async () => {
    const stage = new Stage();
    let fence: (() => void) | undefined;
    stage.work.add({ start: async () => void (fence = currentWork()?.fence) });
    stage.start();
    await settled();
    expect(fence).toBeDefined();
    expect(fence).not.toThrow();
    clock.jump(3_600_000);
    expect(fence).toThrow(expect.objectContaining({ code: 'LEADERSHIP_UNCERTAIN' }));
    await clock.advance(2000);
    expect(fence).not.toThrow();
    stage.stop.abort();
    await stage.run;
    expect(fence).toThrow(LeadershipLostError);
  });

  test('is aborted at once when the leadership is lost, without waiting', async () => {
    const stage = new Stage();
    const stuck = new Recorded('stuck', { slow: true });
    stage.work.add(stuck);
    stage.work.add(new Recorded('other', { elected: false, slow: true }));
    stage.start();
    await settled();
    leases.before = () => {
      throw new Error('the server is gone');
    };
    await clock.advance(10_000);
    await stage.run;
    expect(stuck.signal?.reason).toBeInstanceOf(LeadershipLostError);
    expect(stage.outcome).toBe(stuck.signal?.reason);
    expect(log.slice(-3)).toEqual(['servers cut off', 'election closed', 'disconnected']);
    expect(clock.delays).toEqual([]);
  });

  test('is also cut off when the leadership is lost while it ends', async () => {
    const stage = new Stage({ shutdownTimeout: Infinity });
    stage.work.add(new Recorded('slow', { slow: true }));
    stage.start();
    await settled();
    stage.stop.abort();
    await settled();
    await clock.advance(3000);
    leases.put({ ...heldByOther });
    await clock.advance(2000);
    await stage.run;
    expect(stage.outcome).toMatchObject({ code: 'LEADERSHIP_LOST' });
  });
});

describe('a stop that takes too long', () => {
  test('is an error that names what still runs; the lease expires, and its fence is closed', async () => {
    const stage = new Stage();
    stage.work.add(new Recorded('slow', { slow: true }));
    stage.work.add({ start: () => new Promise(() => {}), needsLeaderElection: false });
    stage.start();
    await settled();
    stage.stop.abort();
    await settled();
    await clock.advance(30_000);
    await stage.run;
    expect(stage.outcome).toMatchObject({
      code: 'SHUTDOWN_TIMEOUT',
      message: 'The manager did not stop within 30 s; still running: an unnamed runnable, slow',
    });
    expect(leases.spec.holderIdentity).toBe('me');
    expect(() => stage.leadership?.fence()).toThrow(LeadershipLostError);
    expect(log.slice(-3)).toEqual(['servers cut off', 'election closed', 'disconnected']);
    expect(clock.delays).toEqual([]);
  });

  test('comes after what stopped it', async () => {
    const stage = new Stage({ elects: false });
    const failing = new Recorded('failing');
    stage.work.add(failing);
    stage.work.add(new Recorded('slow', { slow: true }));
    stage.start();
    await settled();
    failing.fail(new Error('first'));
    await settled();
    await clock.advance(30_000);
    await stage.run;
    expect(stage.outcome).toMatchObject({
      code: 'MANAGER_FAILED',
      message: 'first; and then: The manager did not stop within 30 s; still running: slow',
      errors: [{ message: 'first' }, { code: 'SHUTDOWN_TIMEOUT' }],
      cause: { message: 'first' },
    });
    await expect(stage.lifecycle.elected.promise).resolves.toBeUndefined();
  });

  test('is not an error with a timeout of 0', async () => {
    const stage = new Stage({ shutdownTimeout: 0, elects: false });
    stage.work.add(new Recorded('slow', { slow: true }));
    stage.start();
    await settled();
    stage.stop.abort();
    await settled();
    await clock.advance(0);
    await stage.run;
    expect(stage.outcome).toBe('stopped');
  });

  test('does not wait for a response about the lease either', async () => {
    const stage = new Stage({ shutdownTimeout: 0 });
    stage.work.add(new Recorded('slow', { slow: true }));
    stage.start();
    await settled();
    leases.before = (_, signal) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    await clock.advance(2000);
    stage.stop.abort();
    await settled();
    await clock.advance(0);
    await settled();
    expect(stage.outcome).toBe('stopped');
    expect(() => stage.leadership?.fence()).toThrow(LeadershipLostError);
    expect(clock.delays).toEqual([]);
  });

  test('does not release the lease if releaseOnStop is false', async () => {
    const stage = new Stage({ releaseOnStop: false });
    stage.start();
    await settled();
    stage.stop.abort();
    await stage.run;
    expect(leases.spec.holderIdentity).toBe('me');
    expect(clock.delays).toEqual([]);
  });
});

describe('a failure', () => {
  test('of the caches prevents all work, and closes open servers', async () => {
    const stage = new Stage();
    stage.parts.cache.synced = () => Promise.reject(new Error('did not sync'));
    stage.work.add(new Recorded('other', { elected: false }));
    await stage.start().run;
    expect(stage.outcome).toMatchObject({ message: 'did not sync' });
    expect(log).toEqual([
      'servers open',
      'cache aborted',
      'cache stopped',
      'webhooks closed',
      'servers closed',
      'election closed',
      'disconnected',
    ]);
    await expect(stage.lifecycle.ready.promise).rejects.toThrow('did not sync');
  });

  test('of a warm-up keeps the replica out of the election', async () => {
    const stage = new Stage();
    stage.work.add({ start: async () => {}, warmUp: () => Promise.reject(new Error('cold')) });
    await stage.start().run;
    expect(stage.outcome).toMatchObject({ message: 'cold' });
    expect(leases.calls).toEqual([]);
  });

  test('that the abort causes does not count; others are logged, and not thrown', async () => {
    const lines: string[] = [];
    const stage = new Stage({
      elects: false,
      logger: createLogger({ level: 'warn', stream: { write: (line) => lines.push(line) } }),
    });
    const failing = (error: (signal: AbortSignal) => unknown): Runnable => ({
      start: (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(error(signal)))),
    });
    stage.work.add(failing((signal) => signal.reason));
    stage.work.add(failing(() => new DOMException('the request was canceled', 'AbortError')));
    stage.work.add({ name: 'third', ...failing(() => new Error('broken')) });
    stage.start();
    await settled();
    stage.stop.abort();
    await stage.run;
    expect(stage.outcome).toBe('stopped');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { msg: 'runnable failed while stopping', runnable: 'third', err: { message: 'broken' } },
    ]);
  });

  test('that happens long after the timeout does no harm', async () => {
    const stage = new Stage({ shutdownTimeout: 0, elects: false });
    const slow = new Recorded('slow', { slow: true });
    stage.work.add(slow);
    stage.start();
    await settled();
    stage.stop.abort();
    await settled();
    await clock.advance(0);
    await stage.run;
    slow.fail(new Error('late'));
    await settled();
    expect(stage.outcome).toBe('stopped');
  });
});

test('a server that cannot be closed is an error, after the one that stopped the manager', async () => {
  const stage = new Stage({ elects: false });
  stage.parts.servers.close = () => Promise.reject(new Error('will not close'));
  stage.start();
  await settled();
  stage.lifecycle.fail(new Error('first'));
  await stage.run;
  expect(stage.outcome).toMatchObject({ message: 'first; and then: will not close' });
  expect(log.at(-1)).toBe('disconnected');
});
