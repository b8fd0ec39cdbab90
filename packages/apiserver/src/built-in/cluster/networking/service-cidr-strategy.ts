import type { ServiceCIDR } from 'ots-kubernetes/networking/v1';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { keepMetadata } from '../../keep-metadata.ts';
import { parseIpRange } from '../../validation/ip-range.ts';
import { validateCanonicalCidr } from '../../validation/validate-cidr.ts';
import { validateImmutable } from '../../validation/validate-immutable.ts';

const field = 'spec.cidrs';

/** ServiceCIDRs: the ranges of the services' addresses. Immutable, except that a second family can be added. */
export class ServiceCidrStrategy extends BuiltInStrategy {
  override prepareForStatusUpdate(object: BuiltInObject<ServiceCIDR>, old: BuiltInObject<ServiceCIDR>): void {
    super.prepareForStatusUpdate(object, old);
    keepMetadata(object, old);
  }

  override validate({ spec }: BuiltInObject<ServiceCIDR>): FieldError[] {
    const cidrs = spec?.cidrs ?? [];
    if (cidrs.length === 0) return [required(field, 'at least one CIDR required')];
    if (cidrs.length > 2) return [invalid(field, { CIDRs: cidrs }, 'may only hold up to 2 values')];
    const [first, second] = cidrs.map((cidr) => parseIpRange(cidr)?.address.family);
    return [
      ...cidrs.flatMap((cidr, index) => validateCanonicalCidr(cidr, `${field}[${index}]`)),
      ...(first !== undefined && first === second
        ? [
            invalid(
              field,
              cidrs,
              'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
            ),
          ]
        : []),
    ];
  }

  override validateUpdate(object: BuiltInObject<ServiceCIDR>, old: BuiltInObject<ServiceCIDR>): FieldError[] {
    const cidrs = object.spec?.cidrs ?? [];
    const before = old.spec?.cidrs ?? [];
    const isAdded = before.length === 1 && cidrs.length === 2;
    if (cidrs.length !== before.length && !isAdded)
      return [invalid(field, object.spec?.cidrs ?? null, 'field is immutable')];
    return [
      ...before.flatMap((cidr, index) => validateImmutable(`${field}[${index}]`, cidrs[index], cidr)),
      ...(isAdded ? this.validate(object) : []),
    ];
  }
}
