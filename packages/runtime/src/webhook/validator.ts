import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { AdmissionContext } from './admission-context.ts';
import type { AdmissionRequest, AdmissionResponse } from './admission-review.ts';
import { objectOf } from './object-of.ts';

/** What a validator returns for an object that it accepts. */
export interface ValidationResult {
  /** Shown to the sender of the object. */
  warnings?: string[] | undefined;
}

/** Accepts objects by returning, and refuses them by throwing `InvalidError` or `DeniedError`. */
export interface Validator<T extends KubernetesObject> {
  /** Validates an object before it is created. */
  validateCreate(
    object: T,
    context: AdmissionContext,
  ): ValidationResult | void | Promise<ValidationResult | void>;
  /** Validates the change from `oldObject` to `object`. */
  validateUpdate(
    oldObject: T,
    object: T,
    context: AdmissionContext,
  ): ValidationResult | void | Promise<ValidationResult | void>;
  /** Validates the deletion of an object. */
  validateDelete(
    object: T,
    context: AdmissionContext,
  ): ValidationResult | void | Promise<ValidationResult | void>;
}

/** Responds with the result of the validator, which refuses by throwing. */
export async function validate<T extends KubernetesObject>(
  kind: Kind<T>,
  validator: Validator<T>,
  request: AdmissionRequest,
  context: AdmissionContext,
): Promise<AdmissionResponse> {
  const { warnings } = (await ask(kind, validator, request, context)) ?? {};
  return { allowed: true, ...(warnings && { warnings }) };
}

async function ask<T extends KubernetesObject>(
  kind: Kind<T>,
  validator: Validator<T>,
  request: AdmissionRequest,
  context: AdmissionContext,
): Promise<ValidationResult | void> {
  switch (request.operation) {
    case 'CREATE':
      return validator.validateCreate(objectOf(request, 'object', kind), context);
    case 'UPDATE':
      return validator.validateUpdate(
        objectOf(request, 'oldObject', kind),
        objectOf(request, 'object', kind),
        context,
      );
    case 'DELETE':
      return validator.validateDelete(objectOf(request, 'oldObject', kind), context);
    default:
      return undefined;
  }
}
