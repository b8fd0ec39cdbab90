import type { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import type { FieldError } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy, type BuiltInTraits } from '../../../registry/built-in-strategy.ts';
import { roundResources } from '../../pods/round-resources.ts';
import type { StrategyContext } from '../../strategy-factory.ts';
import { validateClaimSpec } from '../../validation/validate-claim-spec.ts';
import { StorageClasses } from './storage-classes.ts';
import { checkExpansion } from './check-expansion.ts';
import { alignDataSources, dropUnknownSource } from './data-sources.ts';
import { protect } from './protect.ts';
import { validateClaimStatus } from './validate-claim-status.ts';
import { validateClaimUpdate } from './validate-claim-update.ts';
import { warningsForClaim } from './warnings-for-claim.ts';

/** PersistentVolumeClaims: the spec is immutable except for the size. */
export class ClaimStrategy extends BuiltInStrategy {
  readonly #classes: StorageClasses;

  constructor(traits: BuiltInTraits, context: StrategyContext) {
    super(traits);
    this.#classes = new StorageClasses(context);
  }

  override setDefaults({ spec = {}, status }: BuiltInObject<PersistentVolumeClaim>): void {
    spec.volumeMode ??= 'Filesystem';
    roundResources(spec.resources?.limits);
    roundResources(spec.resources?.requests);
    if (status) {
      status.phase ||= 'Pending';
      roundResources(status.capacity);
      roundResources(status.allocatedResources);
    }
  }

  override prepareForCreate(object: BuiltInObject<PersistentVolumeClaim>): void {
    super.prepareForCreate(object);
    const spec = (object.spec ??= {});
    protect(object, 'kubernetes.io/pvc-protection');
    const byDefault = this.#classes.defaultFor(object);
    if (byDefault !== undefined) spec.storageClassName = byDefault;
    object.status = { phase: 'Pending' };
    // Volumes of another namespace are not supported.
    if (spec.dataSourceRef?.namespace) delete spec.dataSourceRef;
    dropUnknownSource(spec);
    alignDataSources(spec);
  }

  override prepareForUpdate(
    object: BuiltInObject<PersistentVolumeClaim>,
    old: BuiltInObject<PersistentVolumeClaim>,
  ): void {
    super.prepareForUpdate(object, old);
    const { spec = {} } = object;
    const { dataSource, dataSourceRef } = old.spec ?? {};
    if (!dataSourceRef && spec.dataSourceRef?.namespace) delete spec.dataSourceRef;
    if (!dataSource && !dataSourceRef) dropUnknownSource(spec);
    alignDataSources(spec);
  }

  override validate({ spec = {} }: BuiltInObject<PersistentVolumeClaim>): FieldError[] {
    return validateClaimSpec(spec, 'spec');
  }

  override validateUpdate(
    object: BuiltInObject<PersistentVolumeClaim>,
    old: BuiltInObject<PersistentVolumeClaim>,
  ): FieldError[] {
    const errors = [...this.validate(object), ...validateClaimUpdate(object, old)];
    if (errors.length === 0) checkExpansion(object, old, this.#classes);
    return errors;
  }

  override validateStatusUpdate(object: BuiltInObject<PersistentVolumeClaim>): FieldError[] {
    return validateClaimStatus(object);
  }

  override warningsFor(object: BuiltInObject<PersistentVolumeClaim>): string[] {
    return warningsForClaim(object);
  }
}
