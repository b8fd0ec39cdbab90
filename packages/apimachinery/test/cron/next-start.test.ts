import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseCronSchedule } from '../../src/cron/cron-schedule.ts';
import { nextStart } from '../../src/cron/next-start.ts';
import { TimeZone } from '../../src/cron/time-zone.ts';

interface Fact {
  schedule: string;
  timeZone: string;
  after: string;
  starts: string[];
}

/** Of scripts/cron-facts.go. */
const facts = JSON.parse(readFileSync(new URL('recorded/starts.json', import.meta.url), 'utf8')) as Fact[];

test('schedules start when those of Kubernetes do, also where clocks change', () => {
  for (const { schedule, timeZone, after, starts } of facts) {
    const parsed = parseCronSchedule(schedule);
    const found: string[] = [];
    let time = nextStart(parsed, Date.parse(after), timeZone);
    while (time !== undefined && found.length < starts.length) {
      found.push(`${new Date(time).toISOString().slice(0, 19)}Z`);
      time = nextStart(parsed, time, timeZone);
    }
    const fact = `${schedule} in ${timeZone} after ${after}`;
    expect({ fact, starts: found, hasMore: time !== undefined }).toEqual({
      fact,
      starts,
      hasMore: starts.length > 0,
    });
  }
});

test('a day that clocks skip does not stop the search', () => {
  const after = Date.parse('2011-12-29T20:00:00Z');
  expect(nextStart(parseCronSchedule('0 0 * * *'), after, 'Pacific/Apia')).toBeGreaterThan(after);
});

test('the time zone of a schedule comes before that of its CronJob', () => {
  const after = Date.parse('2026-01-01T12:00:00Z');
  const start = nextStart(parseCronSchedule('TZ=Asia/Tokyo 0 0 * * *'), after, 'Europe/Berlin');
  expect(start).toBe(Date.parse('2026-01-01T15:00:00Z'));
});

test('a time has the offset of its zone', () => {
  const time = Date.parse('2026-07-01T12:00:00Z');
  const texts = ['', 'Europe/London', 'America/St_Johns', 'Asia/Kolkata'].map((name) =>
    new TimeZone(name).format(time),
  );
  expect(texts).toEqual([
    '2026-07-01T12:00:00Z',
    '2026-07-01T13:00:00+01:00',
    '2026-07-01T09:30:00-02:30',
    '2026-07-01T17:30:00+05:30',
  ]);
});
