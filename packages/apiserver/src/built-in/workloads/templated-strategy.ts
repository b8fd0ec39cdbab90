import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { dnsLabel } from 'ots-apimachinery/names';
import type { ApiObject } from '../../json/api-object.ts';
import { BuiltInStrategy } from '../../registry/built-in-strategy.ts';
import { dropDisabledFields } from '../pods/drop-disabled-fields.ts';
import { setPodSpecDefaults } from '../pods/set-pod-spec-defaults.ts';
import { warningsForPodTemplate } from '../pods/warnings/warnings-for-pod-template.ts';

/** A kind that creates pods from a template. */
export abstract class TemplatedStrategy extends BuiltInStrategy {
  /** Whether pods are named after the object, and no other rule ensures that the names are valid host names. */
  protected readonly namesPods: boolean = true;

  /** The path of the template. */
  protected readonly templatePath: string = 'spec.template';

  /** The template of a decoded object. */
  protected abstract templateOf(object: ApiObject): PodTemplateSpec | undefined;

  override setDefaults(object: ApiObject): void {
    const spec = this.templateOf(object)?.spec;
    if (spec) setPodSpecDefaults(spec);
  }

  override prepareForCreate(object: ApiObject): void {
    this.#drop(object);
    super.prepareForCreate(object);
  }

  override prepareForUpdate(object: ApiObject, old: ApiObject): void {
    this.#drop(object);
    super.prepareForUpdate(object, old);
  }

  override warningsFor(object: ApiObject, old: ApiObject | undefined): string[] {
    const warned = this.warnedAbout(object, old);
    const template = warned && this.templateOf(warned);
    return [
      ...this.#warningsForName(object, old),
      ...this.warningsForWork(object, old),
      ...(template ? warningsForPodTemplate(template, this.templatePath) : []),
    ];
  }

  /** Warnings about the spec besides its template. */
  protected warningsForWork(_object: ApiObject, _old: ApiObject | undefined): string[] {
    return [];
  }

  /** The object whose template is checked for warnings: none for an update that does not change the spec. */
  protected warnedAbout(object: ApiObject, old: ApiObject | undefined): ApiObject | undefined {
    return object.metadata.generation === old?.metadata.generation ? undefined : object;
  }

  #warningsForName({ metadata: { name = '' } }: ApiObject, old: ApiObject | undefined): string[] {
    const errors = old || !this.namesPods ? [] : dnsLabel(name);
    if (errors.length === 0) return [];
    return [
      `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${errors.join(' ')}]`,
    ];
  }

  #drop(object: ApiObject): void {
    const spec = this.templateOf(object)?.spec;
    if (spec) dropDisabledFields(spec);
  }
}
