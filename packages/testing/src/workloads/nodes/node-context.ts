import type { LeaseRenewal } from 'ots-apiserver';
import type { Client } from 'ots-runtime';
import type { EventSink } from '../event-sink.ts';
import type { WorkloadFailures } from '../failures/workload-failures.ts';
import type { WorkloadContext } from '../workload-context.ts';
import type { SimulatedNode } from './node-options.ts';
import type { NodeStates } from './node-states.ts';

/** In whose name a component of the cluster writes. */
export interface ComponentUser {
  readonly user: string;
  /** Besides `system:authenticated`. Default none. */
  readonly groups?: readonly string[];
  /** The field manager of its writes. */
  readonly fieldOwner: string;
}

/** The source of events. */
export interface EventSource {
  readonly component: string;
  /** The node of the component. Default none. */
  readonly host?: string;
}

/** Renews a Lease in the name of a component, if nothing can tell that from a request. @returns whether it did */
export type RenewLease = (renewal: LeaseRenewal) => boolean;

/** What the scheduler and the kubelets share. */
export interface NodeContext extends WorkloadContext {
  /** By their names, in the order of the options. */
  readonly nodes: ReadonlyMap<string, SimulatedNode>;
  /** Reads from the server as the administrator: the rights of a kubelet to what its pods need lag behind the pods. */
  readonly reader: Client;
  /** What a test has done to them. */
  readonly nodeStates: NodeStates;
  /** What a test makes fail on them. */
  readonly failures: WorkloadFailures;
  /** Renews a Lease without a request. @returns false if that takes one */
  readonly renewLease: RenewLease;
  /** A client that reads from the cache of the manager and writes as a component. */
  clientAs(component: ComponentUser): Client;
  /** Records events as a component. */
  eventsAs(component: ComponentUser, source: EventSource): EventSink;
}

/** The kubelet of a node. */
export function kubeletUser(node: string): ComponentUser {
  return { user: `system:node:${node}`, groups: ['system:nodes'], fieldOwner: 'kubelet' };
}
