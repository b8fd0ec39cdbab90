import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { AdmissionContext } from './admission-context.ts';
import type { AdmissionRequest, AdmissionResponse } from './admission-review.ts';
import { objectOf } from './object-of.ts';
import type { ValidationResult, Validator } from './validator.ts';

/** Answers with what the validator says; it refuses by throwing. */
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
