import type { Quantity } from 'ots-kubernetes';
import type { LimitRangeItem } from 'ots-kubernetes/core/v1';
import { qualifiedName } from 'ots-apimachinery/names';
import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { type FieldError, duplicate, forbidden, invalid, required } from '../../status/field-error.ts';
import { errorsOfRule } from '../validation/errors-of-rule.ts';
import { canBeOvercommitted } from '../validation/resource-names.ts';
import { showQuantity } from '../validation/validate-quantity.ts';
import { validateContainerResourceName } from './validate-container-resource-name.ts';
import { validateResourceName } from '../validation/validate-resource-name.ts';

const unit = 1_000_000_000n;
const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;
const standardTypes = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

/** The quantities of one resource in one limit. */
type Amounts = Partial<Record<(typeof lists)[number], Quantity>>;

/** Validates the limits of a LimitRange. */
export function validateLimits(limits: readonly LimitRangeItem[]): FieldError[] {
  const types = limits.map(({ type }) => type);
  return limits.flatMap((limit, index) => {
    const path = `spec.limits[${index}]`;
    return [
      ...validateType(limit.type, `${path}.type`),
      ...(types.indexOf(limit.type) < index ? [duplicate(`${path}.type`, limit.type)] : []),
      ...validateLimit(limit, path),
    ];
  });
}

function validateType(type: string, field: string): FieldError[] {
  const errors = errorsOfRule(field, type, qualifiedName);
  if (errors.length > 0 || type.includes('/') || standardTypes.has(type)) return errors;
  return [invalid(field, type, 'must be a standard limit type or fully qualified')];
}

function validateLimit(limit: LimitRangeItem, path: string): FieldError[] {
  const isPod = limit.type === 'Pod';
  const read = lists.filter((list) => !isPod || !list.startsWith('default'));
  const rule = isPod || limit.type === 'Container' ? validateContainerResourceName : validateResourceName;
  const unused = isPod ? (['default', 'defaultRequest'] as const) : [];
  const needsStorage =
    limit.type === 'PersistentVolumeClaim' &&
    limit.min?.['storage'] === undefined &&
    limit.max?.['storage'] === undefined;
  const names = new Set(read.flatMap((list) => Object.keys(limit[list] ?? {})));
  return [
    ...read.flatMap((list) =>
      Object.keys(limit[list] ?? {}).flatMap((name) => rule(`${path}.${list}[${name}]`, name)),
    ),
    ...unused
      .filter((list) => Object.keys(limit[list] ?? {}).length > 0)
      .map((list) => forbidden(`${path}.${list}`, "may not be specified when `type` is 'Pod'")),
    ...(needsStorage
      ? [
          required(
            `${path}.limits`,
            'either minimum or maximum storage value is required, but neither was provided',
          ),
        ]
      : []),
    ...[...names].flatMap((name) => {
      const amounts = Object.fromEntries(
        read.flatMap((list) => {
          const amount = limit[list]?.[name];
          return amount === undefined ? [] : [[list, amount]];
        }),
      );
      return validateAmounts(amounts, name, path);
    }),
  ];
}

function validateAmounts(amounts: Amounts, name: string, path: string): FieldError[] {
  const { min, max, default: limit, defaultRequest: request } = amounts;
  const fault = (list: string, shown: Quantity, detail: string) =>
    invalid(`${path}.${list}[${name}]`, showQuantity(shown), detail);
  const faults: FieldError[] = [];
  const checkOrder = (
    list: keyof Amounts,
    shown: Quantity | undefined,
    [less, lessName]: [Quantity | undefined, string],
    [more, moreName]: [Quantity | undefined, string],
  ) => {
    if (less === undefined || more === undefined || nanosOf(less) <= nanosOf(more)) return;
    const detail = `${lessName} value ${showQuantity(less)} is greater than ${moreName} value ${showQuantity(more)}`;
    faults.push(fault(list, shown ?? less, detail));
  };
  checkOrder('min', min, [min, 'min'], [max, 'max']);
  checkOrder('defaultRequest', request, [min, 'min'], [request, 'default request']);
  checkOrder('defaultRequest', request, [request, 'default request'], [max, 'max']);
  checkOrder('defaultRequest', request, [request, 'default request'], [limit, 'default limit']);
  checkOrder('default', min, [min, 'min'], [limit, 'default']);
  checkOrder('default', max, [limit, 'default'], [max, 'max']);
  faults.push(...validateRatio(amounts, `${path}.maxLimitRequestRatio[${name}]`));
  const isUneven = limit !== undefined && request !== undefined && nanosOf(limit) !== nanosOf(request);
  if (isUneven && !canBeOvercommitted(name)) {
    const detail = `default value ${showQuantity(limit)} must equal to defaultRequest value ${showQuantity(request)} in ${name}`;
    faults.push(fault('defaultRequest', request, detail));
  }
  return faults;
}

function validateRatio({ maxLimitRequestRatio: ratio, min, max }: Amounts, field: string): FieldError[] {
  if (ratio === undefined) return [];
  const shown = showQuantity(ratio);
  const errors = nanosOf(ratio) < unit ? [invalid(field, shown, `ratio ${shown} is less than 1`)] : [];
  if (min === undefined || max === undefined) return errors;
  const maxRatio = Number(nanosOf(max)) / Number(nanosOf(min));
  if (Number(nanosOf(ratio)) / Number(unit) <= maxRatio) return errors;
  return [...errors, invalid(field, shown, `ratio ${shown} is greater than max/min = ${goFloat(maxRatio)}`)];
}

/** A number with six decimal places, as Go formats it. */
function goFloat(value: number): string {
  return Number.isFinite(value) ? value.toFixed(6) : `${value > 0 ? '+' : '-'}Inf`;
}
