import { expect, test } from 'vitest';
import { EventStrategy } from './event-strategy.ts';

test('an event comes back from storage as it went there', () => {
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
  const stored = new EventStrategy().toStorage(event);
  expect(stored).toMatchObject({
    apiVersion: 'v1',
    involvedObject: event.regarding,
    message: 'n',
    count: 1,
    action: 'a',
  });
  expect(new EventStrategy().fromStorage(stored)).toStrictEqual(event);
});
