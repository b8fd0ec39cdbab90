import type { Cache, Client } from 'ots-runtime';
import type { ComponentUser } from '../../workloads/nodes/node-context.ts';
import { timeText } from '../../workloads/time-text.ts';
import type { Catalog } from '../content/catalog.ts';
import type { OlmContext } from '../olm-context.ts';

/** The namespace of OLM v1. */
export const systemNamespace = 'olmv1-system';

const programUser = (name: string): ComponentUser => ({
  user: `system:serviceaccount:${systemNamespace}:${name}-controller-manager`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${systemNamespace}`],
  fieldOwner: name,
});

/** What the controllers of OLM v1 share. */
export interface V1Context extends OlmContext {
  readonly cache: Cache;
  /** Writes as catalogd. */
  readonly catalogd: Client;
  /** Writes as operator-controller, which may do everything. */
  readonly client: Client;
  /** Reads from the server. */
  readonly live: Client;
  /** The contents that catalogd serves, by the names of ClusterCatalogs. */
  readonly served: Map<string, Catalog>;
  /** The time of the cluster, as the fields of objects have it. */
  readonly now: () => string;
  readonly date: () => Date;
}

export function v1Context(context: OlmContext): V1Context {
  const { components, manager, clock } = context;
  return {
    ...context,
    cache: manager.cache,
    catalogd: components.clientAs(programUser('catalogd')),
    client: components.clientAs(programUser('operator-controller')),
    live: components.reader,
    served: new Map(),
    now: () => timeText(clock.epoch()),
    date: () => new Date(clock.epoch()),
  };
}
