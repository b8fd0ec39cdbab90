import type { Pod, PodCondition, PodSpec } from 'ots-kubernetes/core/v1';
import { dnsLabel } from 'ots-apimachinery/names';
import type { ApiObject } from '../../json/api-object.ts';
import type { UpdateRules } from '../../registry/strategy.ts';
import type { FieldError } from '../../status/field-error.ts';
import type { BuiltInObject } from '../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../registry/built-in-strategy.ts';
import { applyAppArmorAnnotations } from './apply-app-armor-annotations.ts';
import { applyLabelKeys } from './apply-label-keys.ts';
import { dropDisabledFields } from './drop-disabled-fields.ts';
import { ephemeralContainerRules } from './ephemeral-container-rules.ts';
import { keepObservedGenerations } from './keep-observed-generations.ts';
import { qualityOfService } from './quality-of-service.ts';
import { resizeRules } from './resize-rules.ts';
import { sameSpec } from './same-spec.ts';
import { alignPodIps, setPodDefaults } from './set-pod-defaults.ts';
import { roundResources } from './round-resources.ts';
import { validatePodCreate } from './validation/validate-pod-create.ts';
import { validatePodStatus } from './validation/validate-pod-status.ts';
import { validatePodUpdate } from './validation/validate-pod-update.ts';
import { warningsForPodTemplate } from './warnings/warnings-for-pod-template.ts';

const finished: readonly unknown[] = ['Succeeded', 'Failed'];

/** A decoded pod, which always has a spec. */
export type DecodedPod = BuiltInObject<Pod> & { spec: PodSpec };

/** Pods. They have a grace period once they run on a node. */
export class PodStrategy extends BuiltInStrategy {
  override readonly updateRules: ReadonlyMap<string, UpdateRules> = new Map([
    ['ephemeralcontainers', ephemeralContainerRules],
    ['resize', resizeRules],
  ]);

  override setDefaults(object: BuiltInObject<Pod>): void {
    object.spec ??= { containers: [] };
    setPodDefaults(object.spec);
    if (!object.status) return;
    alignPodIps(object.status);
    roundResources(object.status.allocatedResources);
  }

  override prepareForCreate(object: DecodedPod): void {
    const { metadata, spec } = object;
    // A class in the request wins.
    const qosClass = object.status?.qosClass || qualityOfService(spec);
    super.prepareForCreate(object);
    object.status = { phase: 'Pending', qosClass };
    dropDisabledFields(spec);
    if (spec.schedulingGates?.length)
      object.status.conditions = [gatedCondition(metadata.creationTimestamp ?? '')];
    applyLabelKeys(spec, metadata.labels ?? {});
    applyAppArmorAnnotations(object);
  }

  override prepareForUpdate(object: DecodedPod, old: DecodedPod): void {
    dropDisabledFields(object.spec);
    super.prepareForUpdate(object, old);
    const { generation } = old.metadata;
    // Another notation of a quantity is not a change.
    if (generation !== undefined && sameSpec(object.spec, old.spec)) object.metadata.generation = generation;
  }

  override prepareForStatusUpdate(object: DecodedPod, old: DecodedPod): void {
    super.prepareForStatusUpdate(object, old);
    const { metadata } = object;
    const { ownerReferences, deletionTimestamp } = old.metadata;
    delete metadata.ownerReferences;
    delete metadata.deletionTimestamp;
    // Old kubelets sent wrong ones.
    if (ownerReferences) metadata.ownerReferences = ownerReferences;
    if (deletionTimestamp) metadata.deletionTimestamp = deletionTimestamp;
    object.status ??= {};
    if (old.status?.qosClass) object.status.qosClass ||= old.status.qosClass;
    keepObservedGenerations(object.status, old.status ?? {});
  }

  override validate(object: DecodedPod): FieldError[] {
    return validatePodCreate(object);
  }

  override validateUpdate(object: DecodedPod, old: DecodedPod): FieldError[] {
    return validatePodUpdate(object, old);
  }

  /** Updates get no warnings: people seldom make them. */
  override warningsFor(object: DecodedPod, old: DecodedPod | undefined): string[] {
    if (old) return [];
    const errors = dnsLabel(object.metadata.name ?? '');
    const hostname = `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${errors.join(' ')}]`;
    return [...(errors.length > 0 ? [hostname] : []), ...warningsForPodTemplate(object, '')];
  }

  override validateStatusUpdate(object: DecodedPod, old: DecodedPod): FieldError[] {
    return validatePodStatus(object, old);
  }

  override gracePeriodOf({ spec, status }: ApiObject & DecodedPod, asked: number | undefined): number {
    if (!spec.nodeName || finished.includes(status?.phase)) return 0;
    return asked ?? spec.terminationGracePeriodSeconds ?? 0;
  }
}

/** The condition of a pod that must not be scheduled yet. */
function gatedCondition(now: string): PodCondition {
  const never: unknown = null;
  return {
    type: 'PodScheduled',
    status: 'False',
    // Set although no scheduler has seen the pod yet.
    lastProbeTime: never as string,
    lastTransitionTime: now,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
}
