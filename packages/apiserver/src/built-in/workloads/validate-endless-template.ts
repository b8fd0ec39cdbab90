import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { type FieldError, forbidden, notSupported } from '../../status/field-error.ts';
import { validatePodTemplate } from '../pods/validate-pod-template.ts';

const path = 'spec.template';

/**
 * Validates the template of pods that run forever.
 *
 * @param kind the controller's kind in messages
 */
export function validateEndlessTemplate(template: PodTemplateSpec, kind: string): FieldError[] {
  return [...validatePodTemplate(template, path), ...validateEndless(template, kind)];
}

/** Checks only that the pods of a template run forever. */
export function validateEndless({ spec }: PodTemplateSpec, kind: string): FieldError[] {
  const restartPolicy: string = spec?.restartPolicy ?? '';
  return [
    ...(restartPolicy === 'Always'
      ? []
      : [notSupported(`${path}.spec.restartPolicy`, restartPolicy, ['Always'])]),
    ...(spec?.activeDeadlineSeconds === undefined
      ? []
      : [
          forbidden(
            `${path}.spec.activeDeadlineSeconds`,
            `activeDeadlineSeconds in ${kind} is not Supported`,
          ),
        ]),
  ];
}
