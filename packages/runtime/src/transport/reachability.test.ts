import { expect, test } from 'vitest';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { createLogger } from '../logging/create-logger.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { Reachability, isKnownOutage } from './reachability.ts';
import { unreachable } from './request-failures.ts';

const server = 'https://a';
const away = (): Error => unreachable(server, new Error('connect ECONNREFUSED'));

function setUp(): { clock: VirtualClock; reachability: Reachability; said: () => unknown[] } {
  const lines: string[] = [];
  const clock = new VirtualClock();
  const logger = createLogger({ format: 'json', stream: { write: (line) => lines.push(line) } });
  const said = (): unknown[] =>
    lines.splice(0).map((line) => {
      const { level, msg, seconds } = JSON.parse(line) as Record<string, unknown>;
      return [level, msg, seconds];
    });
  return { clock, reachability: new Reachability({ server, clock, logger }), said };
}

const isAway = ['warn', 'API server unreachable; requests and watches resume when it is back', undefined];
const isBack = (seconds: number): unknown[] => ['info', 'API server reachable again', seconds];

test('an outage is one line, however many requests fail, and its end is another', async () => {
  const { clock, reachability, said } = setUp();
  reachability.responded();
  const errors = [away(), away(), away()];
  for (const error of errors) reachability.failed(error);
  expect(said()).toEqual([isAway]);
  expect(errors.map(isKnownOutage)).toEqual([true, true, true]);
  await clock.advance(90_000);
  reachability.failed(away());
  reachability.responded();
  reachability.responded();
  expect(said()).toEqual([isBack(90)]);
});

test('before the first response it logs nothing: the startup error reports the problem', () => {
  const { reachability, said } = setUp();
  const error = away();
  reachability.failed(error);
  expect([said(), isKnownOutage(error)]).toEqual([[], false]);
});

test('a server that comes and goes, as one of several behind an address, does not fill the log', async () => {
  const { clock, reachability, said } = setUp();
  for (let second = 0; second < 12; second += 1) {
    reachability.responded();
    reachability.failed(away());
    await clock.advance(1000);
  }
  expect(said()).toEqual([isAway, isBack(1), isAway, isBack(1)]);
});

test('an outage right after another is logged if it lasts', async () => {
  const { clock, reachability, said } = setUp();
  reachability.responded();
  reachability.failed(away());
  reachability.responded();
  reachability.failed(away());
  expect(said()).toEqual([isAway, isBack(0)]);
  await clock.advance(10_000);
  reachability.failed(away());
  expect(said()).toEqual([isAway]);
});

test('other failures are ignored', () => {
  const { reachability, said } = setUp();
  reachability.responded();
  const error = new ConnectionError('the answer broke off', 'Send it again.');
  reachability.failed(error);
  expect([said(), isKnownOutage(error)]).toEqual([[], false]);
});
