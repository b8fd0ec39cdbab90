import type { KubernetesObject } from 'ots-kubernetes';
import type { AdmissionContext } from './admission-context.ts';

/** What a validator says of an object that it accepts. */
export interface ValidationResult {
  /** Shown to whoever sends the object. */
  warnings?: string[] | undefined;
}

type Answer = ValidationResult | void | Promise<ValidationResult | void>;

/** Accepts objects by returning, and refuses them by throwing `InvalidError` or `DeniedError`. */
export interface Validator<T extends KubernetesObject> {
  validateCreate(object: T, context: AdmissionContext): Answer;
  validateUpdate(oldObject: T, object: T, context: AdmissionContext): Answer;
  validateDelete(object: T, context: AdmissionContext): Answer;
}
