import type { StatefulSet, StatefulSetSpec } from 'ots-kubernetes/apps/v1';
import type { PersistentVolumeClaim, PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { dnsLabel } from 'ots-apimachinery/names';
import { jsonEqual } from '../../json/json-equal.ts';
import { type FieldError, forbidden } from '../../status/field-error.ts';
import { roundResources } from '../pods/round-resources.ts';
import { errorsOfRule } from '../validation/errors-of-rule.ts';
import { validateClaimSpec } from '../validation/validate-claim-spec.ts';
import type { Specified } from './specified.ts';
import { warningsForClaimSpec } from '../core/persistent-volume/warnings-for-claim.ts';
import { TemplatedStrategy } from './templated-strategy.ts';
import { validateCollisionCount, validateReplicaStatus } from './validate-replica-status.ts';
import { isStatefulTemplateValid, validateStatefulSetSpec } from './validate-stateful-set-spec.ts';

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;
const refusal =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

/** StatefulSets. */
export class StatefulSetStrategy extends TemplatedStrategy {
  /** Its own name must be a label. */
  protected override readonly namesPods = false;

  protected override templateOf({ spec }: Specified<StatefulSet>): PodTemplateSpec | undefined {
    return spec.template;
  }

  override setDefaults(object: Specified<StatefulSet>): void {
    super.setDefaults(object);
    const { spec } = object;
    spec.podManagementPolicy ||= 'OrderedReady';
    setUpdateStrategy(spec);
    const { whenDeleted, whenScaled } = spec.persistentVolumeClaimRetentionPolicy ?? {};
    spec.persistentVolumeClaimRetentionPolicy = {
      whenDeleted: whenDeleted || 'Retain',
      whenScaled: whenScaled || 'Retain',
    };
    spec.replicas ??= 1;
    spec.revisionHistoryLimit ??= 10;
    for (const claim of spec.volumeClaimTemplates ?? []) setClaimDefaults(claim);
  }

  override prepareForCreate(object: Specified<StatefulSet>): void {
    dropMaxUnavailable(object.spec);
    super.prepareForCreate(object);
  }

  override prepareForUpdate(object: Specified<StatefulSet>, old: Specified<StatefulSet>): void {
    dropMaxUnavailable(object.spec);
    super.prepareForUpdate(object, old);
  }

  override warningsFor(object: Specified<StatefulSet>, old: Specified<StatefulSet> | undefined): string[] {
    const { revisionHistoryLimit = 0, volumeClaimTemplates = [] } = object.spec;
    // kube-apiserver misspells the field after an update.
    const suffix = old ? '.Spec' : '';
    const warnings = [
      ...super.warningsFor(object, old),
      ...volumeClaimTemplates.flatMap(({ spec = {} }, index) =>
        warningsForClaimSpec(spec, `spec.volumeClaimTemplates[${index}]${suffix}`),
      ),
    ];
    if (revisionHistoryLimit >= 0) return warnings;
    return [
      ...warnings,
      'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
    ];
  }

  override validate({ spec }: Specified<StatefulSet>): FieldError[] {
    const { volumeClaimTemplates = [], serviceName } = spec;
    return [
      ...volumeClaimTemplates.flatMap((claim, index) =>
        validateClaimSpec(claim.spec ?? {}, `spec.volumeClaimTemplates[${index}].spec`),
      ),
      ...(serviceName ? errorsOfRule('spec.serviceName', serviceName, dnsLabel) : []),
      ...validateStatefulSetSpec(spec, true),
    ];
  }

  override validateUpdate({ spec }: Specified<StatefulSet>, old: Specified<StatefulSet>): FieldError[] {
    const rest = { ...spec, ...pick(old.spec) };
    return [
      ...validateStatefulSetSpec(spec, isStatefulTemplateValid(old.spec)),
      ...(jsonEqual(rest, { ...old.spec }) ? [] : [forbidden('spec', refusal)]),
    ];
  }

  override validateStatusUpdate(
    { status }: Specified<StatefulSet>,
    { status: old }: Specified<StatefulSet>,
  ): FieldError[] {
    return [
      ...validateReplicaStatus(
        status ?? {},
        [
          'replicas',
          'readyReplicas',
          'currentReplicas',
          'updatedReplicas',
          'availableReplicas',
          'observedGeneration',
          'collisionCount',
        ],
        ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
        'status.readyReplicas',
      ),
      ...validateCollisionCount(status ?? {}, old ?? {}),
    ];
  }
}

function setUpdateStrategy(spec: StatefulSetSpec): void {
  const strategy = (spec.updateStrategy ??= {});
  if (!strategy.type) {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate) strategy.rollingUpdate.partition ??= 0;
}

function setClaimDefaults(claim: PersistentVolumeClaim): void {
  claim.apiVersion = 'v1';
  claim.kind = 'PersistentVolumeClaim';
  claim.status = { ...claim.status, phase: claim.status?.phase || 'Pending' };
  claim.spec ??= {};
  claim.spec.volumeMode ??= 'Filesystem';
  roundResources(claim.spec.resources?.limits);
  roundResources(claim.spec.resources?.requests);
}

/** The feature gate is off. */
function dropMaxUnavailable({ updateStrategy }: StatefulSetSpec): void {
  delete updateStrategy?.rollingUpdate?.maxUnavailable;
}

/** The old values of the fields that an update may change; undefined where absent. */
function pick(spec: StatefulSetSpec): object {
  return Object.fromEntries(changeable.map((name) => [name, spec[name]]));
}
