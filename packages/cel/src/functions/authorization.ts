import { dnsLabel, subdomain } from 'ots-apimachinery/names';
import { GroupCheck, PathCheck, ResourceCheck } from '../values/authorization.ts';
import type { Authorizer } from '../values/authorization.ts';
import type { CelResult } from '../values/cel-value.ts';
import { CelEvaluationError } from '../values/evaluation-error.ts';
import { listBaseCost, readingCost, sizeOf } from './costs.ts';
import { overload } from './overload.ts';
import type { CallCost, FunctionTable } from './overload.ts';

/** An expression can afford two checks. */
const checkCost: CallCost = () => 350_000;
const structBaseCost = 40;

/** A selector costs as much as the requirements that its text may have. */
const selectorCost: CallCost = ([, selector]) => {
  const length = sizeOf(selector!);
  return listBaseCost + readingCost(length) + Math.ceil(length * 0.5) * (listBaseCost + structBaseCost);
};

/** The functions that ask what a user may do. */
export const authorization: FunctionTable = {
  path: [overload(['authorizer', 'string'], pathCheck)],
  group: [overload(['authorizer', 'string'], (authorizer, group) => new GroupCheck(authorizer, group))],
  serviceAccount: [overload(['authorizer', 'string', 'string'], forServiceAccount)],
  resource: [overload(['groupCheck', 'string'], resourceCheck)],
  subresource: [overload(['resourceCheck', 'string'], (check, subresource) => check.with({ subresource }))],
  namespace: [overload(['resourceCheck', 'string'], (check, namespace) => check.with({ namespace }))],
  name: [overload(['resourceCheck', 'string'], (check, name) => check.with({ name }))],
  // Rules of RBAC know no selectors, so they do not change the decision.
  fieldSelector: [overload(['resourceCheck', 'string'], (check) => check, selectorCost)],
  labelSelector: [overload(['resourceCheck', 'string'], (check) => check, selectorCost)],
  check: [
    overload(
      ['pathCheck', 'string'],
      ({ authorizer, path }, verb) => authorizer.decide({ verb, path }),
      checkCost,
    ),
    overload(
      ['resourceCheck', 'string'],
      ({ authorizer, resource }, verb) => authorizer.decide({ verb, ...resource }),
      checkCost,
    ),
  ],
  allowed: [overload(['decision'], ({ allowed }) => allowed)],
  reason: [overload(['decision'], ({ reason }) => reason)],
  // Only authorizers outside of the server fail.
  errored: [overload(['decision'], () => false)],
  error: [overload(['decision'], () => '')],
};

function pathCheck(authorizer: Authorizer, path: string): CelResult {
  return path.trim() === ''
    ? new CelEvaluationError('path must not be empty')
    : new PathCheck(authorizer, path);
}

function resourceCheck({ authorizer, group }: GroupCheck, resource: string): CelResult {
  if (resource.trim() === '') return new CelEvaluationError('resource must not be empty');
  return new ResourceCheck(authorizer, { group, resource, subresource: '', namespace: '', name: '' });
}

function forServiceAccount(authorizer: Authorizer, namespace: string, name: string): CelResult {
  if (subdomain(name).length > 0) return new CelEvaluationError('Invalid service account name');
  if (dnsLabel(namespace).length > 0) return new CelEvaluationError('Invalid service account namespace');
  return authorizer.forServiceAccount({ namespace, name });
}
