import type { Deployment, DeploymentSpec, DeploymentStrategy as Rollout } from 'ots-kubernetes/apps/v1';
import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { jsonEqual } from '../../json/json-equal.ts';
import { type FieldError, forbidden, invalid, notSupported } from '../../status/field-error.ts';
import { validateImmutable } from '../validation/validate-immutable.ts';
import { validateNonNegative } from '../validation/validate-number.ts';
import { isNothing, showRollingUpdate, validateIntOrPercent, validateIntOrShare } from './int-or-percent.ts';
import { showSelector } from './show-fields.ts';
import type { Specified } from './specified.ts';
import { TemplatedStrategy } from './templated-strategy.ts';
import { validateReplicaTemplate } from './validate-replica-template.ts';
import { validateCollisionCount, validateReplicaStatus } from './validate-replica-status.ts';
import { requireSelector } from './validate-selector.ts';

const defaultShare = '25%';

/** Deployments. */
export class DeploymentStrategy extends TemplatedStrategy {
  protected override templateOf({ spec }: Specified<Deployment>): PodTemplateSpec | undefined {
    return spec.template;
  }

  override setDefaults(object: Specified<Deployment>): void {
    super.setDefaults(object);
    const { spec } = object;
    spec.replicas ??= 1;
    spec.strategy = { ...spec.strategy, type: spec.strategy?.type || 'RollingUpdate' };
    if (spec.strategy.type === 'RollingUpdate') {
      spec.strategy.rollingUpdate = {
        maxUnavailable: defaultShare,
        maxSurge: defaultShare,
        ...spec.strategy.rollingUpdate,
      };
    }
    spec.revisionHistoryLimit ??= 10;
    spec.progressDeadlineSeconds ??= 600;
  }

  /** Changed annotations increase the generation: they are copied to the replica sets. */
  override prepareForUpdate(object: Specified<Deployment>, old: Specified<Deployment>): void {
    super.prepareForUpdate(object, old);
    const { annotations = {} } = object.metadata;
    if (jsonEqual(annotations, old.metadata.annotations ?? {})) return;
    object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }

  override prepareForStatusUpdate(object: Specified<Deployment>, old: Specified<Deployment>): void {
    super.prepareForStatusUpdate(object, old);
    delete object.metadata.labels;
    if (old.metadata.labels) object.metadata.labels = old.metadata.labels;
  }

  override validate({ spec }: Specified<Deployment>): FieldError[] {
    return [
      ...validateNonNegative('spec.replicas', spec.replicas),
      ...requireSelector(spec.selector, 'deployment'),
      ...validateReplicaTemplate(spec),
      ...validateRollout(spec.strategy ?? {}),
      ...validateNonNegative('spec.minReadySeconds', spec.minReadySeconds),
      ...validateNonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
      ...validateDeadline(spec),
    ];
  }

  override validateUpdate(object: Specified<Deployment>, old: Specified<Deployment>): FieldError[] {
    const { selector } = object.spec;
    return [
      ...this.validate(object),
      ...validateImmutable('spec.selector', selector && showSelector(selector), old.spec.selector),
    ];
  }

  override validateStatusUpdate(
    { status = {} }: Specified<Deployment>,
    { status: old = {} }: Specified<Deployment>,
  ): FieldError[] {
    return [
      ...validateReplicaStatus(
        status,
        [
          'observedGeneration',
          'replicas',
          'updatedReplicas',
          'readyReplicas',
          'availableReplicas',
          'unavailableReplicas',
          'terminatingReplicas',
          'collisionCount',
        ],
        ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
        'readyReplicas',
      ),
      ...validateCollisionCount(status, old),
    ];
  }
}

function validateRollout(strategy: Rollout): FieldError[] {
  const { type, rollingUpdate } = strategy;
  switch (type) {
    case 'Recreate':
      return rollingUpdate
        ? [
            forbidden(
              'spec.strategy.rollingUpdate',
              "may not be specified when strategy `type` is 'Recreate'",
            ),
          ]
        : [];
    case 'RollingUpdate':
      return validateRollingUpdate(rollingUpdate ?? {});
    default:
      return [
        notSupported('spec.strategy', { Type: type, RollingUpdate: showRollingUpdate(rollingUpdate) }, [
          'Recreate',
          'RollingUpdate',
        ]),
      ];
  }
}

function validateRollingUpdate({
  maxUnavailable = 0,
  maxSurge = 0,
}: NonNullable<Rollout['rollingUpdate']>): FieldError[] {
  const field = 'spec.strategy.rollingUpdate';
  return [
    ...validateIntOrShare(maxUnavailable, `${field}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${field}.maxSurge`),
    ...(isNothing(maxUnavailable) && isNothing(maxSurge)
      ? [invalid(`${field}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
  ];
}

function validateDeadline({
  progressDeadlineSeconds = 0,
  minReadySeconds = 0,
}: DeploymentSpec): FieldError[] {
  const field = 'spec.progressDeadlineSeconds';
  return [
    ...validateNonNegative(field, progressDeadlineSeconds),
    ...(progressDeadlineSeconds <= minReadySeconds
      ? [invalid(field, progressDeadlineSeconds, 'must be greater than minReadySeconds')]
      : []),
  ];
}
