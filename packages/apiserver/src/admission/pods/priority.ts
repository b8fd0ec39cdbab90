import type { DecodedPod } from '../../built-in/pods/pod-strategy.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import { forbid } from '../forbid.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { ClusterClasses } from './cluster-classes.ts';
import { isPodWrite } from './is-pod-write.ts';

/** Sets the number for a pod's priority class. An update keeps what a create set. */
export class Priority implements AdmissionPlugin {
  readonly name = 'Priority';
  readonly #classes: ClusterClasses;

  constructor(registry: ResourceRegistry) {
    this.#classes = new ClusterClasses(registry);
  }

  handles(attributes: AdmissionAttributes): boolean {
    return isPodWrite(attributes) && (attributes.operation === 'CREATE' || attributes.operation === 'UPDATE');
  }

  /** @throws {StatusError} 403 when the class does not exist, or the pod has another number */
  mutate(attributes: AdmissionAttributes): undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
    const [pod, old] = [attributes.object, attributes.oldObject] as [DecodedPod, DecodedPod | undefined];
    if (old) keepPriority(pod, old);
    else this.#setPriority(attributes, pod);
  }

  #setPriority(attributes: AdmissionAttributes, { spec }: DecodedPod): void {
    const asked = spec.priorityClassName;
    const found = asked ? this.#classes.priority(asked) : this.#classes.defaultPriority();
    if (!found && asked) throw forbid(attributes, `no PriorityClass with name ${asked} was found`);
    const { value = 0, preemptionPolicy } = found ?? { preemptionPolicy: 'PreemptLowerPriority' };
    const ending = 'from the given PriorityClass name';
    if (spec.priority !== undefined && spec.priority !== value) {
      throw forbid(
        attributes,
        `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} ${ending}`,
      );
    }
    if (found) spec.priorityClassName = found.metadata?.name ?? '';
    spec.priority = value;
    if (preemptionPolicy !== 'Never' && preemptionPolicy !== 'PreemptLowerPriority') return;
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
      throw forbid(
        attributes,
        `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} ${ending}`,
      );
    }
    spec.preemptionPolicy = preemptionPolicy;
  }
}

function keepPriority({ spec }: DecodedPod, { spec: old }: DecodedPod): void {
  if (old.priority !== undefined) spec.priority ??= old.priority;
  if (old.preemptionPolicy !== undefined) spec.preemptionPolicy ??= old.preemptionPolicy;
}
