import { goQuote } from 'ots-apimachinery/go/go-quote';
import { isSubdomain } from 'ots-apimachinery/names';
import { amountOf } from 'ots-apimachinery/quantity/amount';
import type { Quantity } from 'ots-kubernetes';
import type { Taint } from 'ots-kubernetes/core/v1';
import { TestEnvironmentError } from '../../errors/test-environment-error.ts';

/** A simulated node. */
export interface NodeOptions {
  /** Its name, also its label `kubernetes.io/hostname`. Default `node-1`, `node-2` and so on, by its place in the list. */
  readonly name?: string;
  /** Labels in addition to those of a kubelet: `kubernetes.io/hostname`, `kubernetes.io/os` and `kubernetes.io/arch`. Default none. */
  readonly labels?: Readonly<Record<string, string>>;
  /** What keeps pods away. Default none. */
  readonly taints?: readonly Taint[];
  /** What its pods can request, by resource. Default 8 CPUs, 32Gi of memory, 100Gi of ephemeral storage and 110 pods. */
  readonly capacity?: Readonly<Record<string, Quantity>>;
}

/** A simulated machine. */
export interface SimulatedNode extends Required<NodeOptions> {
  /** Its place among the nodes, from 0. */
  readonly index: number;
}

const defaultCapacity = { cpu: '8', 'ephemeral-storage': '100Gi', memory: '32Gi', pods: '110' };
const maxNodes = 1000;

/**
 * Completes the nodes of the options of workloads.
 *
 * @throws {TestEnvironmentError} when the number is not between 0 and 1000, a name is invalid or taken, or a capacity is not a quantity
 */
export function simulatedNodes(nodes: number | readonly NodeOptions[]): SimulatedNode[] {
  if (typeof nodes === 'number' && !(Number.isInteger(nodes) && nodes >= 0 && nodes <= maxNodes))
    throw refused(`workloads.nodes is ${nodes}`, `Use a whole number between 0 and ${maxNodes}, or a list.`);
  const list = typeof nodes === 'number' ? Array.from({ length: nodes }, () => ({})) : nodes;
  const names = new Set<string>();
  return list.map((options: NodeOptions, i) => {
    const { name = `node-${i + 1}`, labels = {}, taints = [], capacity = {} } = options;
    if (!isSubdomain(name)) throw refused(`${goQuote(name)} is not a name of a node`, 'Use a DNS subdomain.');
    if (names.has(name)) throw refused(`Two nodes are named ${goQuote(name)}`, 'Give each its own name.');
    names.add(name);
    for (const [resource, amount] of Object.entries(capacity))
      if (!amountOf(amount))
        throw refused(
          `The capacity ${resource} of node ${goQuote(name)} is ${goQuote(`${amount}`)}`,
          'Use a quantity, such as "500m" or "16Gi".',
        );
    return { index: i, name, labels, taints, capacity: { ...defaultCapacity, ...capacity } };
  });
}

function refused(message: string, hint: string): TestEnvironmentError {
  return new TestEnvironmentError(message, hint);
}
