import { createHash } from 'node:crypto';
import { kubernetesVersion } from 'ots-apimachinery/kubernetes-version';
import type { Node, NodeCondition, NodeStatus } from 'ots-kubernetes/core/v1';
import { timeText } from '../time-text.ts';
import type { CachedNode } from './cached-node.ts';
import type { SimulatedNode } from './node-options.ts';
import { nodeCondition } from './node-state.ts';
import type { Fault } from './node-states.ts';

const version = `v${kubernetesVersion.major}.${kubernetesVersion.minor}.${kubernetesVersion.patch}`;

/** The Node object of a simulated node as its kubelet registers it. @param now in milliseconds since 1970 */
export function nodeObject(node: SimulatedNode, now: number): Node {
  const { name, taints } = node;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: ownLabels(name) },
    ...(taints.length > 0 && { spec: { taints: [...taints] } }),
    status: {
      ...machineStatus(node),
      conditions: nodeConditions(now),
    },
  };
}

function ownLabels(name: string): Record<string, string> {
  return {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
  };
}

/** The address of a node, by its place in the list of nodes. */
export function nodeAddress(index: number): string {
  return `192.168.${1 + Math.trunc(index / 250)}.${1 + (index % 250)}`;
}

function machineStatus({ name, index, capacity }: SimulatedNode): NodeStatus {
  const id = createHash('sha256').update(name).digest('hex').slice(0, 32);
  const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return {
    addresses: [
      { type: 'InternalIP', address: nodeAddress(index) },
      { type: 'Hostname', address: name },
    ],
    allocatable: { ...capacity },
    capacity: { ...capacity },
    daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    nodeInfo: {
      architecture: 'amd64',
      bootID: uuid,
      containerRuntimeVersion: 'ots://1.0.0',
      kernelVersion: '6.12.0',
      kubeProxyVersion: '',
      kubeletVersion: version,
      machineID: id,
      operatingSystem: 'linux',
      osImage: 'ots simulated node',
      systemUUID: uuid,
    },
  };
}

/** What a kubelet reports about its node, in its order. */
const healthy: readonly (readonly [
  type: string,
  status: 'True' | 'False',
  reason: string,
  message: string,
])[] = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
];

/**
 * The conditions that a kubelet reports.
 *
 * @param now in milliseconds since 1970
 * @param found why the node is not ready, and the Node with the conditions of the last report. Default: a new healthy node.
 */
export function nodeConditions(
  now: number,
  { fault, before }: { fault?: Fault; before?: CachedNode } = {},
): NodeCondition[] {
  return healthy.map(([type, status, reason, message]) => {
    const said =
      type === 'Ready' && fault !== undefined
        ? { status: 'False' as const, reason: 'KubeletNotReady', message: fault }
        : { status, reason, message };
    const old = before && nodeCondition(before, type);
    const since = old?.status === said.status ? old.lastTransitionTime : undefined;
    const time = timeText(now);
    return { type, ...said, lastHeartbeatTime: time, lastTransitionTime: since ?? time };
  });
}
