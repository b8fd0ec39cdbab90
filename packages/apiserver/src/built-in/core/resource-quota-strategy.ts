import type { ResourceQuota } from 'ots-kubernetes/core/v1';
import { type FieldError, invalid } from '../../status/field-error.ts';
import type { BuiltInObject } from '../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../registry/built-in-strategy.ts';
import { roundResources } from '../pods/round-resources.ts';
import { validateQuotaAmounts, validateQuotaSpec } from './validate-quota-spec.ts';
import { warningsForQuota } from './warnings-for-quota.ts';

/** ResourceQuotas: their scopes are immutable. */
export class ResourceQuotaStrategy extends BuiltInStrategy {
  override setDefaults({ spec, status }: BuiltInObject<ResourceQuota>): void {
    for (const amounts of [spec?.hard, status?.hard, status?.used]) roundResources(amounts);
  }

  override prepareForCreate(object: BuiltInObject<ResourceQuota>): void {
    super.prepareForCreate(object);
    object.status = {};
  }

  override validate({ spec = {} }: BuiltInObject<ResourceQuota>): FieldError[] {
    return validateQuotaSpec(spec);
  }

  override warningsFor(
    { spec }: BuiltInObject<ResourceQuota>,
    old: BuiltInObject<ResourceQuota> | undefined,
  ): string[] {
    return old ? [] : warningsForQuota(spec?.hard ?? {});
  }

  override validateUpdate(
    object: BuiltInObject<ResourceQuota>,
    old: BuiltInObject<ResourceQuota>,
  ): FieldError[] {
    const scopes = new Set<string>(object.spec?.scopes);
    const before = new Set<string>(old.spec?.scopes);
    const isSame = scopes.size === before.size && [...scopes].every((scope) => before.has(scope));
    return [
      ...this.validate(object),
      ...(isSame ? [] : [invalid('spec.scopes', object.spec?.scopes ?? null, 'field is immutable')]),
    ];
  }

  override validateStatusUpdate({ status = {} }: BuiltInObject<ResourceQuota>): FieldError[] {
    return [
      ...validateQuotaAmounts(status.hard ?? {}, 'status.hard'),
      ...validateQuotaAmounts(status.used ?? {}, 'status.used'),
    ];
  }
}
