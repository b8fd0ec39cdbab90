import type { Clock } from '../clock/clock.ts';
import { KeyedLimit } from '../clock/keyed-limit.ts';

/**
 * Keeps an operator that runs wild from filling etcd with events. As client-go: 25 events of one object at once, and
 * one more each five minutes; 4,096 objects are remembered.
 */
export class SpamFilter extends KeyedLimit {
  constructor(clock: Clock) {
    super(clock, { burst: 25, interval: 300_000, capacity: 4096 });
  }
}
