import { systemClock } from 'ots-apimachinery/clock/clock';
import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { Transport } from '../transport/transport.ts';
import { networkClock, setNetworkClock } from './network-clock.ts';

test('a tool sets the clock of later connections that have none', () => {
  onTestFinished(() => setNetworkClock(systemClock));
  const server = 'http://127.0.0.1:1';
  const [own, tools] = [new VirtualClock(), new VirtualClock()];
  const before = new Transport({ server });
  setNetworkClock(tools);
  expect(networkClock()).toBe(tools);
  expect(before.clock).toBe(systemClock);
  expect(new Transport({ server }).clock).toBe(tools);
  expect(new Transport({ server, clock: own }).clock).toBe(own);
});
