import type { IngressClass, IngressClassParametersReference } from 'ots-kubernetes/networking/v1';
import { dnsLabel } from 'ots-apimachinery/names';
import { type FieldError, forbidden, notSupported, required, tooLong } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { validateDomainPrefixedPath } from '../../validation/validate-domain-prefixed-path.ts';
import { validateImmutable } from '../../validation/validate-immutable.ts';
import { validateReference } from './validate-ingress-backend.ts';

const maxControllerLength = 250;

/** IngressClasses: which controller serves the Ingresses of the class. */
export class IngressClassStrategy extends BuiltInStrategy {
  override setDefaults({ spec }: BuiltInObject<IngressClass>): void {
    if (spec?.parameters) spec.parameters.scope ??= 'Cluster';
  }

  override validate({ spec = {} }: BuiltInObject<IngressClass>): FieldError[] {
    const { controller = '', parameters } = spec;
    return [
      ...validateController(controller),
      ...(parameters ? validateParameters(parameters, 'spec.parameters') : []),
    ];
  }

  override validateUpdate(
    object: BuiltInObject<IngressClass>,
    old: BuiltInObject<IngressClass>,
  ): FieldError[] {
    return [
      ...validateImmutable('spec.controller', object.spec?.controller ?? '', old.spec?.controller ?? ''),
      ...this.validate(object),
    ];
  }
}

function validateController(controller: string): FieldError[] {
  const field = 'spec.controller';
  const long =
    Buffer.byteLength(controller) > maxControllerLength ? [tooLong(field, maxControllerLength)] : [];
  return [...long, ...validateDomainPrefixedPath(field, controller)];
}

function validateParameters(parameters: IngressClassParametersReference, path: string): FieldError[] {
  const { scope = '', namespace } = parameters;
  return [...validateReference(parameters, path), ...validateScope(scope, namespace, path)];
}

function validateScope(scope: string, namespace: string | undefined, path: string): FieldError[] {
  const field = `${path}.namespace`;
  switch (scope) {
    case 'Cluster':
      return namespace === undefined ? [] : [forbidden(field, "`parameters.scope` is set to 'Cluster'")];
    case 'Namespace':
      return namespace === undefined
        ? [required(field, "`parameters.scope` is set to 'Namespace'")]
        : errorsOfRule(field, namespace, dnsLabel);
    default:
      return [notSupported(`${path}.scope`, scope, ['Cluster', 'Namespace'])];
  }
}
