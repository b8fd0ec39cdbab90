import type { EventState } from '../model/dev-state.ts';
import type { AnyObject } from './object-state.ts';

/** Describes an Event of `events.k8s.io/v1`. */
export function eventState(event: AnyObject): EventState {
  const { regarding, series, eventTime, deprecatedLastTimestamp, deprecatedCount } = event as {
    regarding?: { kind?: string; namespace?: string; name?: string; uid?: string };
    series?: { count?: number; lastObservedTime?: string };
    eventTime?: string;
    deprecatedLastTimestamp?: string;
    deprecatedCount?: number;
  };
  const { kind = '', namespace, name = '', uid = '' } = regarding ?? {};
  return {
    name: `${event.metadata.namespace}/${event.metadata.name}`,
    at:
      series?.lastObservedTime ??
      eventTime ??
      deprecatedLastTimestamp ??
      event.metadata.creationTimestamp ??
      '',
    type: text(event['type']),
    reason: text(event['reason']),
    message: text(event['note']),
    regarding: uid,
    object: `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
    count: series?.count ?? deprecatedCount ?? 1,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
