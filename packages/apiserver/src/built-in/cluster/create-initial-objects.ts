import type { ServiceCIDR } from 'ots-kubernetes/networking/v1';
import type { PriorityClass } from 'ots-kubernetes/scheduling/v1';
import { storeBootstrapObjects } from './bootstrap-objects.ts';
import { type Machinery, timestamp } from '../../registry/machinery.ts';

/** Creates the objects that clients expect on every server, besides namespaces and its own Service. */
export function createInitialObjects(machinery: Machinery): void {
  storePriorityClass(
    machinery,
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  );
  storePriorityClass(
    machinery,
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  );
  storeBootstrapObjects(machinery);
  store(machinery, 'servicecidrs', serviceCidr(timestamp(machinery)));
}

function storePriorityClass(machinery: Machinery, name: string, value: number, description: string): void {
  store(machinery, 'priorityclasses', {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name, generation: 1 },
    value,
    description,
    preemptionPolicy: 'PreemptLowerPriority',
  });
}

/** The range of the services' cluster IPs, with the status that a controller of a real server sets. */
function serviceCidr(now: string): ServiceCIDR {
  const message = 'Kubernetes default Service CIDR is ready';
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: 'kubernetes' },
    spec: { cidrs: ['10.0.0.0/24'] },
    status: {
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: now, reason: '', message }],
    },
  };
}

function store(machinery: Machinery, plural: string, object: PriorityClass | ServiceCIDR): void {
  const [group = '', version = ''] = object.apiVersion.split('/');
  const metadata = {
    uid: machinery.random.uuid(),
    creationTimestamp: timestamp(machinery),
    ...object.metadata,
  };
  machinery.registry
    .find(group, version, plural)
    ?.table.put(object.metadata.name ?? '', { ...object, metadata });
}
