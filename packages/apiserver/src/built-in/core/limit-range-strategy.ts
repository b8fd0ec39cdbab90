import type { LimitRange, LimitRangeItem } from 'ots-kubernetes/core/v1';
import type { FieldError } from '../../status/field-error.ts';
import type { BuiltInObject } from '../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../registry/built-in-strategy.ts';
import { roundResources } from '../pods/round-resources.ts';
import { validateLimits } from './validate-limits.ts';

/** LimitRanges: defaults and bounds of containers' resources. Missing values follow from the others. */
export class LimitRangeStrategy extends BuiltInStrategy {
  override setDefaults({ spec }: BuiltInObject<LimitRange>): void {
    for (const limit of spec?.limits ?? []) {
      const { min, max, default: byDefault, defaultRequest, maxLimitRequestRatio } = limit;
      for (const amounts of [min, max, byDefault, defaultRequest, maxLimitRequestRatio])
        roundResources(amounts);
      if (limit.type === 'Container') setContainerDefaults(limit);
    }
  }

  override validate({ spec }: BuiltInObject<LimitRange>): FieldError[] {
    return validateLimits(spec?.limits ?? []);
  }
}

function setContainerDefaults(limit: LimitRangeItem): void {
  const limits = { ...limit.max, ...limit.default };
  const requests = { ...limit.min, ...limits, ...limit.defaultRequest };
  if (Object.keys(limits).length > 0) limit.default = limits;
  if (Object.keys(requests).length > 0) limit.defaultRequest = requests;
}
