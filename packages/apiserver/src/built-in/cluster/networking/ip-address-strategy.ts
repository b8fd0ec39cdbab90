import type { IPAddress, ParentReference } from 'ots-kubernetes/networking/v1';
import { pathSegment, subdomain } from 'ots-apimachinery/names';
import { type FieldError, required } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { validateImmutable } from '../../validation/validate-immutable.ts';

/** IPAddresses: the object that owns an address, which is the name. */
export class IpAddressStrategy extends BuiltInStrategy {
  override validate({ spec }: BuiltInObject<IPAddress>): FieldError[] {
    return spec.parentRef ? validateParent(spec.parentRef) : [required('spec.parentRef')];
  }

  override validateUpdate(object: BuiltInObject<IPAddress>, old: BuiltInObject<IPAddress>): FieldError[] {
    return [
      ...this.validate(object),
      ...validateImmutable('spec.parentRef', inGo(object.spec.parentRef), inGo(old.spec.parentRef)),
    ];
  }
}

/** @param parent Go omits empty fields */
function validateParent({
  group = '',
  resource = '',
  name = '',
  namespace = '',
}: Partial<ParentReference>): FieldError[] {
  const path = 'spec.parentRef';
  return [
    ...(group === '' ? [] : errorsOfRule(`${path}.group`, group, subdomain)),
    ...(resource === ''
      ? [required(`${path}.resource`)]
      : errorsOfRule(`${path}.resource`, resource, pathSegment)),
    ...(name === '' ? [required(`${path}.name`)] : errorsOfRule(`${path}.name`, name, pathSegment)),
    ...errorsOfRule(`${path}.namespace`, namespace, pathSegment),
  ];
}

/** A parent as messages show it. */
function inGo(parent: Partial<ParentReference> | undefined): object | undefined {
  if (!parent) return undefined;
  const { group = '', resource = '', namespace = '', name = '' } = parent;
  return { Group: group, Resource: resource, Namespace: namespace, Name: name };
}
