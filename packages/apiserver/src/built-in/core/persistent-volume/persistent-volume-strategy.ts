import type { Clock } from 'ots-apimachinery/clock/clock';
import type { PersistentVolume } from 'ots-kubernetes/core/v1';
import type { FieldError } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy, type BuiltInTraits } from '../../../registry/built-in-strategy.ts';
import { timeOf } from '../../../registry/machinery.ts';
import { roundResources } from '../../pods/round-resources.ts';
import { protect } from './protect.ts';
import { validateVolume, validateVolumeUpdate } from './validate-volume.ts';
import { warningsForVolume } from './warnings-for-volume.ts';

/** PersistentVolumes: they stay until no claim needs them. */
export class PersistentVolumeStrategy extends BuiltInStrategy {
  readonly #clock: Clock;

  constructor(traits: BuiltInTraits, clock: Clock) {
    super(traits);
    this.#clock = clock;
  }

  override setDefaults({ spec = {}, status }: BuiltInObject<PersistentVolume>): void {
    spec.persistentVolumeReclaimPolicy ||= 'Retain';
    spec.volumeMode ??= 'Filesystem';
    if (spec.hostPath) spec.hostPath.type ??= '';
    roundResources(spec.capacity);
    if (status) status.phase ||= 'Pending';
  }

  override prepareForCreate(object: BuiltInObject<PersistentVolume>): void {
    super.prepareForCreate(object);
    protect(object, 'kubernetes.io/pv-protection');
    const { creationTimestamp } = object.metadata;
    object.status = {
      phase: 'Pending',
      ...(creationTimestamp !== undefined && { lastPhaseTransitionTime: creationTimestamp }),
    };
  }

  override prepareForStatusUpdate(
    object: BuiltInObject<PersistentVolume>,
    old: BuiltInObject<PersistentVolume>,
  ): void {
    super.prepareForStatusUpdate(object, old);
    const status = (object.status ??= {});
    const { phase, lastPhaseTransitionTime: last } = old.status ?? {};
    if (status.phase !== phase && (status.lastPhaseTransitionTime ?? last) === last)
      status.lastPhaseTransitionTime = timeOf(new Date(this.#clock.epoch()));
    else if (last !== undefined) status.lastPhaseTransitionTime ??= last;
  }

  override validate(object: BuiltInObject<PersistentVolume>): FieldError[] {
    return validateVolume(object);
  }

  override validateUpdate(
    object: BuiltInObject<PersistentVolume>,
    old: BuiltInObject<PersistentVolume>,
  ): FieldError[] {
    return validateVolumeUpdate(object, old);
  }

  override warningsFor(object: BuiltInObject<PersistentVolume>): string[] {
    return warningsForVolume(object);
  }
}
