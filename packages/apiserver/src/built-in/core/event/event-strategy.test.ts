import { expect, test } from 'vitest';
import { EventStrategy } from './event-strategy.ts';

const strategy = new EventStrategy({
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  hasStatus: false,
});

test('an event is the same after storage', () => {
  const event = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'e' },
    regarding: { kind: 'Pod', name: 'p' },
    note: 'n',
    reportingController: 'c',
    deprecatedCount: 1,
    action: 'a',
  };
  const stored = strategy.toStorage(event);
  expect(stored).toMatchObject({
    apiVersion: 'v1',
    involvedObject: event.regarding,
    message: 'n',
    count: 1,
    action: 'a',
  });
  expect(strategy.fromStorage(stored)).toStrictEqual(event);
});
