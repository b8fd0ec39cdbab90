import type { Node, Pod } from 'ots-kubernetes/core/v1';
import { nanosOf } from 'ots-apimachinery/quantity/amount';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import { StatusError } from '../../status/status-error.ts';
import { forbid } from '../forbid.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { totalOf } from '../resource-quota/pod-total.ts';
import { isPodResize } from './is-pod-write.ts';

/** PodResizeValidator: a pod grows only as far as its node can hold it. */
export class PodResizeValidator implements AdmissionPlugin {
  readonly name = 'PodResizeValidator';
  readonly #registry: ResourceRegistry;

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  handles(attributes: AdmissionAttributes): boolean {
    return isPodResize(attributes);
  }

  /** @throws {StatusError} 403 */
  validate(attributes: AdmissionAttributes): undefined {
    const { object, oldObject } = attributes;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
    const pod = object as unknown as Pod;
    const name = pod.spec?.nodeName;
    if (!name || object?.metadata.generation === oldObject?.metadata.generation) return;
    const record = this.#registry.find('', 'v1', 'nodes')?.table.get(name);
    if (!record) throw forbid(attributes, `node "${name}" not found`);
    const node = record.object as unknown as Node;
    const system = node.metadata?.labels?.['kubernetes.io/os'] ?? 'linux';
    if (system !== 'linux') {
      const detail = `pod resize is only supported on linux nodes, node "${name}" is "${system}"`;
      throw withCause(forbid(attributes, detail), 'UnsupportedPlatform');
    }
    const excess = excessOf(pod, node);
    if (excess.length === 0) return;
    const detail = `node didn't have enough allocatable resources: ${excess.join('; ')}`;
    throw withCause(forbid(attributes, detail), 'NodeCapacity');
  }
}

/** What a pod requests beyond its node, in thousandths of a CPU and in bytes. */
function excessOf(pod: Pod, { status }: Node): string[] {
  const requests = totalOf(pod, 'requests');
  const units = { cpu: 1_000_000n, memory: 1_000_000_000n };
  return Object.entries(units).flatMap(([name, unit]) => {
    const requested = requests.get(name)?.nanos ?? 0n;
    const allocatable = nanosOf(status?.allocatable?.[name] ?? 0);
    if (requested <= allocatable) return [];
    return [`${name}, requested: ${roundUp(requested, unit)}, allocatable: ${roundUp(allocatable, unit)}`];
  });
}

function roundUp(nanos: bigint, unit: bigint): bigint {
  return (nanos + unit - 1n) / unit;
}

/** Adds what a client can decide by. */
function withCause({ status }: StatusError, reason: string): StatusError {
  const { code, message, details } = status;
  return new StatusError(code, status.reason, message, { ...details, causes: [{ reason }] });
}
