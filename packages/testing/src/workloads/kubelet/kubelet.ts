import type { Quantity } from 'ots-kubernetes';
import type { Cache, Client } from 'ots-runtime';
import type { Clock } from 'ots-apimachinery/clock/clock';
import type { EventSink } from '../event-sink.ts';
import type { Application } from '../images/application.ts';
import type { WorkloadFailures } from '../failures/workload-failures.ts';
import type { ClusterNetwork } from '../network/cluster-network.ts';
import type { PodAddresses } from './pod-addresses.ts';
import type { PodAdmission } from './pod-admission.ts';
import type { VolumeData } from '../volumes/volume-data.ts';

/** The kubelet of one node, as its pods see it. */
export interface Kubelet {
  /** Writes in the name of the kubelet. */
  readonly client: Client;
  readonly events: EventSink;
  readonly clock: Clock;
  /** Aborts when the cluster stops, which ends probes and hooks. */
  readonly signal: AbortSignal;
  /** Reads ConfigMaps and Secrets from the server. */
  readonly reader: Client;
  /** Has Services. */
  readonly cache: Cache;
  /** The address of the node. */
  readonly hostIP: string;
  readonly capacity: Readonly<Record<string, Quantity>>;
  /** Those of all nodes. */
  readonly addresses: PodAddresses;
  /** Which pods run here. */
  readonly admission: PodAdmission;
  /** The images that the node has. */
  readonly images: Set<string>;
  /** What the applications of all nodes reach. */
  readonly network: ClusterNetwork;
  /** What is on the volumes of all nodes. */
  readonly volumeData: VolumeData;
  /** What tests make fail. */
  readonly failures: WorkloadFailures;
  /** What runs instead of an image, if a test says so. */
  applicationOf(image: string): Application | undefined;
}
