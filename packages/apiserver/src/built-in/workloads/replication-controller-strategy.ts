import type {
  PodTemplateSpec,
  ReplicationController,
  ReplicationControllerSpec,
} from 'ots-kubernetes/core/v1';
import type { ApiObject } from '../../json/api-object.ts';
import { type FieldError, required } from '../../status/field-error.ts';
import { validateNonNegative } from '../validation/validate-number.ts';
import type { Specified } from './specified.ts';
import { TemplatedStrategy } from './templated-strategy.ts';
import { validateEndlessTemplate } from './validate-endless-template.ts';
import { validateReplicaStatus } from './validate-replica-status.ts';
import { notSelected } from './validate-selector.ts';

/** ReplicationControllers, the predecessors of ReplicaSets: their selector is a map of labels. */
export class ReplicationControllerStrategy extends TemplatedStrategy {
  protected override templateOf({ spec }: Specified<ReplicationController>): PodTemplateSpec | undefined {
    return spec.template;
  }

  /** After an update it is the old template. */
  protected override warnedAbout(object: ApiObject, old: ApiObject | undefined): ApiObject | undefined {
    return super.warnedAbout(object, old) && (old ?? object);
  }

  override setDefaults(object: Specified<ReplicationController>): void {
    super.setDefaults(object);
    const { metadata, spec } = object;
    const labels = spec.template?.metadata?.labels;
    if (labels) {
      if (isEmpty(spec.selector)) spec.selector = { ...labels };
      if (isEmpty(metadata.labels)) metadata.labels = { ...labels };
    }
    spec.replicas ??= 1;
  }

  override validate({ spec }: Specified<ReplicationController>): FieldError[] {
    return [
      ...validateNonNegative('spec.minReadySeconds', spec.minReadySeconds),
      ...(isEmpty(spec.selector) ? [required('spec.selector')] : []),
      ...validateNonNegative('spec.replicas', spec.replicas),
      ...validateTemplate(spec),
    ];
  }

  override validateStatusUpdate({ status }: Specified<ReplicationController>): FieldError[] {
    return validateReplicaStatus(
      status ?? {},
      ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'],
      ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
      'readyReplicas',
    );
  }
}

function isEmpty(labels: Record<string, string> | undefined): boolean {
  return Object.keys(labels ?? {}).length === 0;
}

function validateTemplate({ template, selector }: ReplicationControllerSpec): FieldError[] {
  if (!template) return [required('spec.template')];
  const labels = template.metadata?.labels ?? {};
  const isSelected = Object.entries(selector ?? {}).every(
    ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
  );
  return [
    ...(isSelected ? [] : [notSelected(template)]),
    ...validateEndlessTemplate(template, 'ReplicationController'),
  ];
}
