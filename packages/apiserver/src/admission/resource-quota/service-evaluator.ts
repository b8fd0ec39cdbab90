import type { Service } from 'ots-kubernetes/core/v1';
import { countOf } from './amounts.ts';
import type { Evaluator } from './evaluator.ts';

const names = new Set(['count/services', 'services', 'services.nodeports', 'services.loadbalancers']);

/** Counts Services, and the node ports and load balancers that they ask for. */
export const serviceEvaluator: Evaluator = {
  tracks: (name) => names.has(name),
  handles: ({ operation, target }) =>
    target.subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  isInScope: () => false,
  usageOf: (object) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
    const service = object as unknown as Service;
    return new Map([
      ['count/services', countOf(1)],
      ['services', countOf(1)],
      ['services.loadbalancers', countOf(service.spec?.type === 'LoadBalancer' ? 1 : 0)],
      ['services.nodeports', countOf(nodePortsOf(service))],
    ]);
  },
};

/** The number of node ports to allocate. They are not allocated yet. */
function nodePortsOf({ spec }: Service): number {
  const { type, ports = [], allocateLoadBalancerNodePorts } = spec ?? {};
  if (type !== 'NodePort' && type !== 'LoadBalancer') return 0;
  const isOnRequest = type === 'LoadBalancer' && allocateLoadBalancerNodePorts === false;
  return isOnRequest ? ports.filter(({ nodePort }) => nodePort).length : ports.length;
}
