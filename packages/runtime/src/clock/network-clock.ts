import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';

/** One for all copies of this package in a process: that of a tool may be another one than that of the operator. */
const key = Symbol.for('ots-runtime.network-clock.1');
const shared = globalThis as { [key]?: Clock };

/** What times requests to a server that is not simulated: the system's clock, unless a tool has set another one. */
export function networkClock(): Clock {
  return shared[key] ?? systemClock;
}

/**
 * Lets requests of this process take real time while a tool moves the time of everything else. For tools, not for operators. Has an effect on
 * connections that are made later and have no clock of their own.
 */
export function setNetworkClock(clock: Clock): void {
  shared[key] = clock;
}
