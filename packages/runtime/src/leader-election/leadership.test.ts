import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { Leadership, momentOf } from './leadership.ts';
import { LeadershipLostError } from './leadership-errors.ts';

let clock: VirtualClock;
let leadership: Leadership;

beforeEach(() => {
  clock = new VirtualClock();
  leadership = new Leadership(clock, 10_000, momentOf(clock));
});

/** Time passes without any timer firing: a blocked event loop, or a process that was stopped. */
function block(milliseconds: number): void {
  const now = clock.now() + milliseconds;
  clock.now = () => now;
}

describe('the fence', () => {
  test('is open until the deadline after the start of the last renewal', async () => {
    await clock.advance(9999);
    expect(() => leadership.fence()).not.toThrow();
    const begun = momentOf(clock);
    await clock.advance(0);
    leadership.renewed(begun);
    await clock.advance(9999);
    expect(() => leadership.fence()).not.toThrow();
    await clock.advance(1);
    expect(() => leadership.fence()).toThrow(LeadershipLostError);
    expect(leadership.signal.reason).toBeInstanceOf(LeadershipLostError);
  });

  test('closes for good when the event loop was blocked for too long, before any timer fires', () => {
    block(10_000);
    expect(leadership.signal.aborted).toBe(false);
    expect(() => leadership.fence()).toThrow('Leadership was lost: it was not renewed within 10 s');
    expect(leadership.signal.aborted).toBe(true);
    leadership.renewed(momentOf(clock));
    expect(() => leadership.fence()).toThrow(LeadershipLostError);
  });

  test('a renewal counts from its start, however late its response', async () => {
    const begun = momentOf(clock);
    await clock.advance(6000);
    leadership.renewed(begun);
    await clock.advance(4000);
    expect(() => leadership.fence()).toThrow(LeadershipLostError);
  });

  test('closes when only the wall clock advanced, as after a suspend, until the next renewal', () => {
    clock.jump(3_600_000);
    expect(() => leadership.fence()).toThrow(
      expect.objectContaining({ code: 'LEADERSHIP_UNCERTAIN', message: expect.stringContaining('3600 s') }),
    );
    expect(leadership.signal.aborted).toBe(false);
    leadership.renewed(momentOf(clock));
    expect(() => leadership.fence()).not.toThrow();
  });

  test('a clock that is set back changes nothing', () => {
    clock.jump(-3_600_000);
    expect(() => leadership.fence()).not.toThrow();
  });

  test('is closed after the end of the term, for the first reason, and leaves no timer', () => {
    leadership.end(new LeadershipLostError('first'));
    leadership.end(new LeadershipLostError('second'));
    leadership.renewed(momentOf(clock));
    expect(() => leadership.fence()).toThrow('first');
    expect(clock.delays).toEqual([]);
  });
});
