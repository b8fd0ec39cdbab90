import { forbidden } from '../../status/errors.ts';
import type { ClusterClasses } from './cluster-classes.ts';
import type { DecodedPod } from './pod-strategy.ts';

/**
 * The admission plugin Priority: sets the number for a pod's class. Changes the pod.
 *
 * @throws {StatusError} 403 when the class does not exist, or the pod has another number
 */
export function admitPriority({ metadata, spec }: DecodedPod, classes: ClusterClasses): void {
  const refuse = (detail: string) => forbidden({ group: '', name: 'pods' }, metadata.name ?? '', detail);
  const asked = spec.priorityClassName;
  const found = asked ? classes.priority(asked) : classes.defaultPriority();
  if (!found && asked) throw refuse(`no PriorityClass with name ${asked} was found`);
  const { value = 0, preemptionPolicy } = found ?? { preemptionPolicy: 'PreemptLowerPriority' };
  const ending = 'from the given PriorityClass name';
  if (spec.priority !== undefined && spec.priority !== value) {
    throw refuse(
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} ${ending}`,
    );
  }
  if (found) spec.priorityClassName = found.metadata?.name ?? '';
  spec.priority = value;
  if (preemptionPolicy !== 'Never' && preemptionPolicy !== 'PreemptLowerPriority') return;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    throw refuse(
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} ${ending}`,
    );
  }
  spec.preemptionPolicy = preemptionPolicy;
}
