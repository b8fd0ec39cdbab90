import type { Quantity } from 'ots-kubernetes';
import type { ResourceClaim, ResourceRequirements } from 'ots-kubernetes/core/v1';
import { dnsLabel } from 'ots-apimachinery/names';
import { amountOf, nanosOf } from 'ots-apimachinery/quantity/amount';
import { type FieldError, duplicate, forbidden, invalid, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { canBeOvercommitted, isHugePages } from '../../validation/resource-names.ts';
import { validateContainerResourceName } from '../../core/validate-container-resource-name.ts';
import { showQuantity, validateResourceQuantity } from '../../validation/validate-quantity.ts';

const unit = 1_000_000_000n;
const computed = new Set(['cpu', 'memory']);

/** Validates the name of a resource: see {@link validateContainerResourceName}. */
type NameCheck = (field: string, name: string) => FieldError[];

/**
 * Validates requests, limits and claims.
 *
 * @param claims the names of the pod's claims
 * @param checkName validates resource names, which depend on the owner
 */
export function validateResources(
  { limits = {}, requests = {}, claims = [] }: ResourceRequirements,
  claimNames: ReadonlySet<string>,
  path: string,
  checkName: NameCheck = validateContainerResourceName,
): FieldError[] {
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const lacksComputed = names.some(isHugePages) && !names.some((name) => computed.has(name));
  return [
    ...Object.entries(limits).flatMap(([name, limit]) =>
      validateAmount(name, limit, `${path}.limits[${name}]`, checkName),
    ),
    ...Object.entries(requests).flatMap(([name, request]) => [
      ...validateAmount(name, request, `${path}.requests[${name}]`, checkName),
      ...validateRequest(name, request, Object.hasOwn(limits, name) ? limits[name] : undefined, path),
    ]),
    ...(lacksComputed ? [forbidden(path, 'HugePages require cpu or memory')] : []),
    ...validateClaims(claims, claimNames, `${path}.claims`),
  ];
}

function validateAmount(name: string, amount: Quantity, field: string, checkName: NameCheck): FieldError[] {
  return [
    ...checkName(field, name),
    ...validateResourceQuantity(field, name, amount),
    ...(isHugePages(name) && !isWholePages(name, amount)
      ? [
          invalid(
            field,
            showQuantity(amount),
            `${showQuantity(amount)} is not positive integer multiple of ${name}`,
          ),
        ]
      : []),
  ];
}

function isWholePages(name: string, amount: Quantity): boolean {
  const page = amountOf(name.slice('hugepages-'.length))?.nanos ?? 0n;
  if (page <= 0n || page % unit !== 0n) return false;
  const whole = (nanosOf(amount) + unit - 1n) / unit;
  return whole % (page / unit) === 0n;
}

function validateRequest(
  name: string,
  request: Quantity,
  limit: Quantity | undefined,
  path: string,
): FieldError[] {
  if (limit === undefined) {
    if (canBeOvercommitted(name)) return [];
    return [required(`${path}.limits`, 'Limit must be set for non overcommitable resources')];
  }
  const difference = nanosOf(request) - nanosOf(limit);
  const ending = `${name} limit of ${showQuantity(limit)}`;
  if (difference !== 0n && !canBeOvercommitted(name))
    return [invalid(`${path}.requests`, showQuantity(request), `must be equal to ${ending}`)];
  if (difference > 0n)
    return [invalid(`${path}.requests`, showQuantity(request), `must be less than or equal to ${ending}`)];
  return [];
}

function validateClaims(
  claims: readonly ResourceClaim[],
  claimNames: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const taken = new Set<string>();
  return claims.flatMap((claim, index) => validateClaim(claim, taken, claimNames, `${path}[${index}]`));
}

/** @param taken the claims so far, as `name` or `name/request` */
function validateClaim(
  { name, request = '' }: ResourceClaim,
  taken: Set<string>,
  claimNames: ReadonlySet<string>,
  field: string,
): FieldError[] {
  if (!name) return [required(field)];
  const key = request === '' ? name : `${name}/${request}`;
  const errors: FieldError[] = [];
  if (taken.has(name)) errors.push(duplicate(field, name));
  else {
    if (request !== '') errors.push(...errorsOfRule(`${field}.request`, request, dnsLabel));
    const overlaps = request === '' && [...taken].some((other) => other.startsWith(`${name}/`));
    if (taken.has(key) || overlaps) errors.push(duplicate(field, key));
    taken.add(key);
  }
  if (claimNames.has(name)) return errors;
  const known = claimNames.size === 0 ? ' which is empty' : `: ${[...claimNames].toSorted().join(', ')}`;
  const message = `Not found: "${name}": must be one of the names in pod.spec.resourceClaims${known}`;
  return [...errors, { reason: 'FieldValueNotFound', field, message }];
}
