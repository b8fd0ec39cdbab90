import { ControllerBuilder, type DeepReadonly } from 'ots-runtime';
import { Lease } from 'ots-kubernetes/coordination/v1';
import { Node } from 'ots-kubernetes/core/v1';
import type { CachedNode } from '../nodes/cached-node.ts';
import { readiness } from '../nodes/node-state.ts';
import { indexByNode } from '../pods/on-node.ts';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController, WorkloadContext } from '../workload-context.ts';
import { NodeMonitor } from './node-monitor.ts';
import { type HealthMemory, NodeHealth } from './node-health.ts';
import { NodeMetadataReconciler } from './node-metadata-reconciler.ts';
import { NodeTaints } from './node-taints.ts';

const name = 'node-controller';
/** The namespace of the Leases with which kubelets show that they live. */
const leaseNamespace = 'kube-node-lease';

/** Watches over nodes, as the node-lifecycle-controller of kube-controller-manager does. */
export const addNodeLifecycleController: AddController = (context) => {
  const { manager, clock } = context;
  const client = context.clientOf(name);
  const taints = new NodeTaints(client, clock);
  const health = followHealth(context);
  const monitor = new NodeMonitor(context, { client, events: context.eventsOf(name), taints, health });
  indexByNode(manager.cache);
  new ControllerBuilder(manager)
    .named('node-monitor')
    .watches(Node, () => [{ name: 'all nodes' }], {
      predicates: [{ update: (old, node) => decisive(old) !== decisive(node) }],
    })
    .complete(retryRefusals({ reconcile: () => monitor.check() }, clock));
  new ControllerBuilder(manager)
    .named('node-metadata')
    .for(Node)
    .complete(retryRefusals(new NodeMetadataReconciler(manager.cache, client, taints), clock));
};

/** Follows the signs of life of all nodes. */
function followHealth(context: WorkloadContext): NodeHealth {
  const { cache } = context.manager;
  const memory = context.recall<HealthMemory>('node health', () => health.memory);
  const health = new NodeHealth(context.clock, memory);
  cache.add(Node);
  cache.informer(Node).addHandler({
    added: (node) => health.observe(node),
    updated: (_old, node) => health.observe(node),
    deleted: () => {},
  });
  cache.add(Lease);
  const observe = ({ metadata, spec }: DeepReadonly<Lease>): void => {
    if (metadata.namespace === leaseNamespace) health.observeLease(metadata.name!, spec?.renewTime);
  };
  cache.informer(Lease).addHandler({
    added: observe,
    updated: (_old, lease) => observe(lease),
    deleted: () => {},
  });
  return health;
}

/** What a decision depends on. Heartbeats are not. */
function decisive(node: CachedNode): string {
  const { labels } = node.metadata;
  return JSON.stringify([labels, node.spec?.taints, readiness(node)]);
}
