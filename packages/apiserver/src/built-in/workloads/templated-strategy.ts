import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { dnsLabel } from '../../registry/name-rules.ts';
import type { ApiObject } from '../../objects/api-object.ts';
import { BuiltInStrategy } from '../built-in-strategy.ts';
import { dropDisabledFields } from '../pods/drop-disabled-fields.ts';
import { setPodSpecDefaults } from '../pods/set-pod-spec-defaults.ts';

/** A kind that makes pods of a template. */
export abstract class TemplatedStrategy extends BuiltInStrategy {
  /** Whether the names of pods are made of that of the object, and nothing else makes sure that they can be host names. */
  protected readonly namesPods: boolean = true;

  /** The template of an object that was decoded. */
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

  override warningsFor({ metadata: { name = '' } }: ApiObject, old: ApiObject | undefined): string[] {
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
