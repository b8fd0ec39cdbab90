import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import type { LabelSelector } from 'ots-kubernetes/meta/v1';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { labelSelectorOf } from '../validation/label-selector-of.ts';
import { showSelector } from './show-fields.ts';
import { validateEndlessTemplate } from './validate-endless-template.ts';
import { validateSelected } from './validate-selector.ts';

/** Validates the template of Deployments and ReplicaSets, unless the selector is invalid. */
export function validateReplicaTemplate({
  selector,
  template,
}: {
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
}): FieldError[] {
  if (selector && !labelSelectorOf(selector))
    return [invalid('spec.selector', showSelector(selector), 'invalid label selector')];
  return [
    ...validateSelected(selector, template ?? {}),
    ...validateEndlessTemplate(template ?? {}, 'ReplicaSet'),
  ];
}
