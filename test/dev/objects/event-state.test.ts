import { expect, test } from 'vitest';
import { eventState } from '../../../src/dev/objects/event-state.ts';

const event = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { namespace: 'default', name: 'shop.1', creationTimestamp: '2026-01-01T00:00:00Z' },
};
const regarding = { kind: 'Pod', namespace: 'default', name: 'web-0', uid: 'u1' };

test('an event has its text, its object, and how often it happened', () => {
  const note = {
    type: 'Warning',
    reason: 'BackOff',
    note: 'restarting',
    eventTime: '2026-01-01T00:00:01.000000Z',
  };
  const series = { count: 4, lastObservedTime: '2026-01-01T00:00:09.000000Z' };
  const state = {
    name: 'default/shop.1',
    at: note.eventTime,
    type: 'Warning',
    reason: 'BackOff',
    message: 'restarting',
    regarding: 'u1',
    object: 'Pod default/web-0',
    count: 1,
  };
  expect(eventState({ ...event, ...note, regarding })).toEqual(state);
  expect(eventState({ ...event, ...note, regarding, series })).toEqual({
    ...state,
    at: series.lastObservedTime,
    count: 4,
  });
});

test('an event of the old API has the old fields', () => {
  const old = {
    deprecatedLastTimestamp: '2026-01-01T00:00:05Z',
    deprecatedCount: 7,
    eventTime: null,
    series: null,
  };
  expect(eventState({ ...event, ...old, regarding })).toMatchObject({
    at: old.deprecatedLastTimestamp,
    count: 7,
  });
});

test('an event that says little has the time of its creation and no text', () => {
  expect(eventState({ ...event, regarding: { kind: 'Node', name: 'n' }, type: 7 })).toMatchObject({
    at: '2026-01-01T00:00:00Z',
    type: '',
    reason: '',
    message: '',
    regarding: '',
    object: 'Node n',
    count: 1,
  });
});
