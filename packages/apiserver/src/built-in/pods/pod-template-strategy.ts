import type { PodTemplate } from 'ots-kubernetes/core/v1';
import type { ApiObject } from '../../json/api-object.ts';
import type { FieldError } from '../../status/field-error.ts';
import type { BuiltInObject } from '../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../registry/built-in-strategy.ts';
import { dropDisabledFields } from './drop-disabled-fields.ts';
import { setPodSpecDefaults } from './set-pod-spec-defaults.ts';
import { validatePodTemplate } from './validate-pod-template.ts';
import { warningsForPodTemplate } from './warnings/warnings-for-pod-template.ts';

/** PodTemplates. */
export class PodTemplateStrategy extends BuiltInStrategy {
  override setDefaults({ template }: BuiltInObject<PodTemplate>): void {
    if (!template) return;
    template.spec ??= { containers: [] };
    setPodSpecDefaults(template.spec);
  }

  override prepareForCreate(object: BuiltInObject<PodTemplate>): void {
    super.prepareForCreate(object);
    if (object.template?.spec) dropDisabledFields(object.template.spec);
  }

  override prepareForUpdate(object: BuiltInObject<PodTemplate>, old: ApiObject): void {
    if (object.template?.spec) dropDisabledFields(object.template.spec);
    super.prepareForUpdate(object, old);
  }

  override validate({ template }: BuiltInObject<PodTemplate>): FieldError[] {
    return validatePodTemplate(template ?? {}, 'template');
  }

  override warningsFor({ template }: BuiltInObject<PodTemplate>): string[] {
    return warningsForPodTemplate(template ?? {}, 'template');
  }
}
