import type { CronJobSpec } from 'ots-kubernetes/batch/v1';
import { expect, test } from 'vitest';
import { type CachedCronJob, StartTimes } from './start-times.ts';

type Schedule = Pick<CronJobSpec, 'schedule' | 'timeZone' | 'startingDeadlineSeconds'>;

function cronJobOf(spec: Schedule, lastScheduleTime: string): CachedCronJob {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'work', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { jobTemplate: {}, ...spec },
    status: { lastScheduleTime },
  };
}

/** The starts of a CronJob that a controller looks at whenever it is time. */
function startsBetween(spec: Schedule, from: string, to: string): string[] {
  const starts: string[] = [];
  let last = from;
  let now = Date.parse(from);
  for (;;) {
    now += new StartTimes(cronJobOf(spec, last), now).untilNext();
    const { last: start } = new StartTimes(cronJobOf(spec, last), now).missed();
    if (start === undefined || start > Date.parse(to)) return starts;
    last = `${new Date(start).toISOString().slice(0, 19)}Z`;
    starts.push(last);
  }
}

test('an hour that clocks skip has no start', () => {
  const spec = { schedule: '30 2 * * *', timeZone: 'America/New_York' };
  const starts = startsBetween(spec, '2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z');
  expect(starts).toHaveLength(30);
  expect(starts.filter((start) => /-03-0[7-9]/.test(start))).toEqual([
    '2026-03-07T07:30:00Z',
    '2026-03-09T06:30:00Z',
  ]);
});

test('an hour that clocks repeat has its starts twice', () => {
  const spec = { schedule: '30 1 * * *', timeZone: 'America/New_York' };
  const starts = startsBetween(spec, '2026-10-25T00:00:00Z', '2026-11-08T00:00:00Z');
  expect(starts).toHaveLength(15);
  expect(starts.filter((start) => start.includes('-11-01'))).toEqual([
    '2026-11-01T05:30:00Z',
    '2026-11-01T06:30:00Z',
  ]);
});

test('in a year, a job starts on each 31st', () => {
  const spec = { schedule: '0 12 31 * *' };
  const starts = startsBetween(spec, '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z');
  const months = ['01', '03', '05', '07', '08', '10', '12'];
  expect(starts).toEqual(months.map((month) => `2026-${month}-31T12:00:00Z`));
});

test('of many missed starts, the last one counts', () => {
  const now = Date.parse('2026-06-01T10:07:00Z');
  const missed = (spec: Schedule) => new StartTimes(cronJobOf(spec, '2026-06-01T00:00:00Z'), now).missed();
  const last = Date.parse('2026-06-01T10:05:00Z');
  expect(missed({ schedule: '*/5 * * * *' })).toMatchObject({ last, count: 121 });
  // Not regular: the number is an estimate.
  const weekdays = missed({ schedule: '30 6-8/2 * * 1-5' });
  expect(weekdays).toMatchObject({ last: Date.parse('2026-06-01T08:30:00Z'), count: 2 });
  const seldom = missed({ schedule: '*/5 * * * *', startingDeadlineSeconds: 60 });
  expect(seldom).toMatchObject({ since: now - 60_000, last: undefined, count: 0 });
});

test('the next start is a moment late, and at once for a schedule that never starts', () => {
  const now = Date.parse('2026-06-01T10:07:30Z');
  const untilNext = (schedule: string, last: string) =>
    new StartTimes(cronJobOf({ schedule }, last), now).untilNext();
  expect(untilNext('*/10 * * * *', '2026-06-01T10:00:00Z')).toBe(150_100);
  expect(untilNext('@every 10m', '2026-06-01T10:02:07Z')).toBe(277_100);
  expect(untilNext('0 0 30 2 *', '2026-06-01T10:00:00Z')).toBe(0);
});
