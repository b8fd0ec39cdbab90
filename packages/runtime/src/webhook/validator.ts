import type { KubernetesObject } from 'ots-kubernetes';
import type { AdmissionContext } from './admission-context.ts';

/** What a validator says of an object that it accepts. */
export interface ValidationResult {
  /** Shown to whoever sends the object. */
  warnings?: string[] | undefined;
}

/** Accepts objects by returning, and refuses them by throwing `InvalidError` or `DeniedError`. */
export interface Validator<T extends KubernetesObject> {
  /** An object is to be created. */
  validateCreate(
    object: T,
    context: AdmissionContext,
  ): ValidationResult | void | Promise<ValidationResult | void>;
  /** An object is to be changed, from `oldObject` to `object`. */
  validateUpdate(
    oldObject: T,
    object: T,
    context: AdmissionContext,
  ): ValidationResult | void | Promise<ValidationResult | void>;
  /** An object is to be deleted. */
  validateDelete(
    object: T,
    context: AdmissionContext,
  ): ValidationResult | void | Promise<ValidationResult | void>;
}
