import type { Cache, Client } from 'ots-runtime';
import { timeText } from '../../workloads/time-text.ts';
import type { EventSink } from '../../workloads/event-sink.ts';
import type { OlmContext } from '../olm-context.ts';
import { Connections } from './catalogs/connections.ts';
import { eventSource, olmUser } from './olm-user.ts';

/** What the controllers of OLM v0 share. */
export interface V0Context extends OlmContext {
  readonly cache: Cache;
  /** Reads from the cache, and writes as OLM. */
  readonly client: Client;
  /** Reads from the server. */
  readonly live: Client;
  readonly events: EventSink;
  /** The catalogs that OLM is connected to. */
  readonly connections: Connections;
  /** The time of the cluster, as the fields of objects have it. */
  readonly now: () => string;
}

export function v0Context(context: OlmContext): V0Context {
  const { components, manager, clock } = context;
  return {
    ...context,
    cache: manager.cache,
    client: components.clientAs(olmUser),
    live: components.reader,
    events: components.eventsAs(olmUser, eventSource),
    connections: new Connections(),
    now: () => timeText(clock.epoch()),
  };
}
