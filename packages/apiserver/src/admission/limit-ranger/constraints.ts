import type { Quantity } from 'ots-kubernetes';
import type { LimitRangeItem } from 'ots-kubernetes/core/v1';
import { amountOf, formatQuantity, nanosOf } from 'ots-apimachinery/quantity/amount';

/** Amounts by the name of a resource, such as `cpu`. */
export type Amounts = Readonly<Record<string, Quantity>>;

/** What a container, a pod or a claim asks for. */
export interface Usage {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** How an amount breaks a limit; undefined if it does not. */
type Constraint = (
  subject: string,
  bound: Quantity,
  request?: Quantity,
  limit?: Quantity,
) => string | undefined;

const atLeast: Constraint = (subject, bound, request, limit) => {
  const rule = `minimum ${subject} is ${shown(bound)}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  if (nanosOf(request) < nanosOf(bound)) return `${rule}, but request is ${shown(request)}`;
  if (limit === undefined || nanosOf(limit) >= nanosOf(bound)) return undefined;
  return `${rule}, but limit is ${shown(limit)}`;
};

const atMost: Constraint = (subject, bound, request, limit) => {
  const rule = `maximum ${subject} is ${shown(bound)}`;
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (nanosOf(limit) > nanosOf(bound)) return `${rule}, but limit is ${shown(limit)}`;
  if (request === undefined || nanosOf(request) <= nanosOf(bound)) return undefined;
  return `${rule}, but request is ${shown(request)}`;
};

/** For claims, whose limits mean nothing. */
const requestAtMost: Constraint = (subject, bound, request) => {
  const rule = `maximum ${subject} is ${shown(bound)}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  return nanosOf(request) > nanosOf(bound) ? `${rule}, but request is ${shown(request)}` : undefined;
};

const ratioAtMost: Constraint = (subject, bound, request = 0, limit = 0) => {
  const rule = `${subject} is ${shown(bound)}`;
  if (nanosOf(request) === 0n) return `${rule}, but no request is specified or request is 0`;
  if (nanosOf(limit) === 0n) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = millisOf(limit) / millisOf(request);
  return ratio * 1000 > millisOf(bound) ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
};

/** @returns one line for each bound of a container or pod that its usage breaks */
export function breachesOf(item: LimitRangeItem, usage: Usage): string[] {
  const usageOf = (name: string) => `${name} usage per ${item.type}`;
  const ratioOf = (name: string) => `${name} max limit to request ratio per ${item.type}`;
  return [
    ...check(item.min, usage, usageOf, atLeast),
    ...check(item.max, usage, usageOf, atMost),
    ...check(item.maxLimitRequestRatio, usage, ratioOf, ratioAtMost),
  ];
}

/** @returns one line for each bound of a claim that its request breaks */
export function breachesOfClaim(item: LimitRangeItem, requests: Amounts): string[] {
  const usage = { requests, limits: {} };
  const usageOf = (name: string) => `${name} usage per ${item.type}`;
  return [...check(item.min, usage, usageOf, atLeast), ...check(item.max, usage, usageOf, requestAtMost)];
}

function check(
  bounds: Amounts = {},
  { requests, limits }: Usage,
  subjectOf: (name: string) => string,
  constraint: Constraint,
): string[] {
  return Object.entries(bounds).flatMap(
    ([name, bound]) => constraint(subjectOf(name), bound, own(requests, name), own(limits, name)) ?? [],
  );
}

function own(amounts: Amounts, name: string): Quantity | undefined {
  return Object.hasOwn(amounts, name) ? amounts[name] : undefined;
}

function shown(quantity: Quantity): string {
  const amount = amountOf(quantity);
  return amount ? formatQuantity(amount) : `${quantity}`;
}

function millisOf(quantity: Quantity): number {
  return Number(nanosOf(quantity) / 1_000_000n);
}
