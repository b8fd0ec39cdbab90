import type { ReplicaSet } from 'ots-kubernetes/apps/v1';
import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import type { FieldError } from '../../status/field-error.ts';
import { validateImmutable } from '../validation/validate-immutable.ts';
import { validateNonNegative } from '../validation/validate-number.ts';
import { showSelector } from './show-fields.ts';
import type { Specified } from './specified.ts';
import { TemplatedStrategy } from './templated-strategy.ts';
import { validateReplicaStatus } from './validate-replica-status.ts';
import { validateReplicaTemplate } from './validate-replica-template.ts';
import { requireSelector } from './validate-selector.ts';

/** ReplicaSets. */
export class ReplicaSetStrategy extends TemplatedStrategy {
  protected override templateOf({ spec }: Specified<ReplicaSet>): PodTemplateSpec | undefined {
    return spec.template;
  }

  override setDefaults(object: Specified<ReplicaSet>): void {
    super.setDefaults(object);
    object.spec.replicas ??= 1;
  }

  override validate({ spec }: Specified<ReplicaSet>): FieldError[] {
    return [
      ...validateNonNegative('spec.replicas', spec.replicas),
      ...validateNonNegative('spec.minReadySeconds', spec.minReadySeconds),
      // kube-apiserver's message names Deployments here.
      ...requireSelector(spec.selector, 'deployment'),
      ...validateReplicaTemplate(spec),
    ];
  }

  override validateUpdate(object: Specified<ReplicaSet>, old: Specified<ReplicaSet>): FieldError[] {
    const { selector } = object.spec;
    return [
      ...this.validate(object),
      ...validateImmutable('spec.selector', selector && showSelector(selector), old.spec.selector),
    ];
  }

  override validateStatusUpdate({ status }: Specified<ReplicaSet>): FieldError[] {
    return validateReplicaStatus(
      status ?? {},
      [
        'replicas',
        'fullyLabeledReplicas',
        'readyReplicas',
        'availableReplicas',
        'observedGeneration',
        'terminatingReplicas',
      ],
      ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
      'readyReplicas',
    );
  }
}
