import { expect, test } from 'vitest';
import { createLogger } from '../logging/create-logger.ts';
import { systemClock } from 'ots-apimachinery/clock/clock';
import { claimedSpec } from './claimed-spec.ts';
import { createElector } from './create-elector.ts';
import { electionTiming } from './leader-election-options.ts';

const id = 'test';

test('the defaults are those of controller-runtime', () => {
  expect(electionTiming({})).toEqual({ leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 });
});

test.each([
  [{ leaseDuration: '10s' }, 'leaseDuration (10000 ms) is not longer than renewDeadline (10000 ms)'],
  [{ retryPeriod: '9s' }, 'retryPeriod (9000 ms) does not fit into renewDeadline (10000 ms)'],
  [{ retryPeriod: 0 }, 'retryPeriod (0 ms) does not fit'],
  [{ renewDeadline: 'soon' }, '"soon" is not a duration'],
])('%j is refused', (options, message) => {
  expect(() => electionTiming(options)).toThrow(message);
});

test('the duration in the lease is rounded up, so no replica takes over early', () => {
  expect(claimedSpec(undefined, { identity: 'me', leaseDuration: 1500, epoch: 0 })).toEqual({
    holderIdentity: 'me',
    leaseDurationSeconds: 2,
    leaseTransitions: 0,
    acquireTime: '1970-01-01T00:00:00.000000Z',
    renewTime: '1970-01-01T00:00:00.000000Z',
  });
});

test('an elector needs an id and a namespace', () => {
  const dependencies = { clock: systemClock, logger: createLogger({ level: 'silent' }) };
  const connection = { server: 'http://localhost:1' };
  expect(() => createElector({ id }, { ...dependencies, connection })).toThrow(
    'namespace for leader election is unknown',
  );
  expect(() => createElector({ id: '' }, { ...dependencies, connection })).toThrow('has no id');
  expect(() =>
    createElector({ id }, { ...dependencies, connection: { ...connection, namespace: 'mine' } }),
  ).not.toThrow();
});
