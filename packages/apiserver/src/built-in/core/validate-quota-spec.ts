import type { Quantity } from 'ots-kubernetes';
import type { ResourceQuotaSpec, ScopedResourceSelectorRequirement } from 'ots-kubernetes/core/v1';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { isStandardResource } from '../validation/resource-names.ts';
import { validateResourceQuantity } from '../validation/validate-quantity.ts';
import { validateResourceName } from '../validation/validate-resource-name.ts';

const podResources = [
  'pods',
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
];
const claimResources = ['persistentvolumeclaims', 'requests.storage'];

/** The resources that a scope supports. */
const countedIn = new Map([
  ['Terminating', podResources],
  ['NotTerminating', podResources],
  ['BestEffort', ['pods']],
  ['NotBestEffort', podResources],
  ['PriorityClass', podResources],
  ['CrossNamespacePodAffinity', podResources],
  ['VolumeAttributesClass', claimResources],
]);
/** Scopes without values: an object is in them, or is not. */
const plainScopes = new Set([
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
]);
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

/** Validates the spec of a ResourceQuota. */
export function validateQuotaSpec(spec: ResourceQuotaSpec): FieldError[] {
  return [
    ...validateQuotaAmounts(spec.hard ?? {}, 'spec.hard'),
    ...validateScopes(spec),
    ...validateScopeSelector(spec),
  ];
}

/** Validates quantities of resources that quotas support. */
export function validateQuotaAmounts(amounts: Record<string, Quantity>, path: string): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => [
    ...validateQuotaName(`${path}[${name}]`, name),
    ...validateResourceQuantity(`${path}[${name}]`, name, amount),
  ]);
}

function validateQuotaName(field: string, name: string): FieldError[] {
  const errors = validateResourceName(field, name);
  if (name.includes('/') || isQuotaResource(name)) return errors;
  return [...errors, invalid(field, name, 'must be a standard resource for quota')];
}

/** Quotas count storage requests of claims, not storage as such. */
function isQuotaResource(name: string): boolean {
  return isStandardResource(name) && name !== 'storage';
}

function validateScopes(spec: ResourceQuotaSpec): FieldError[] {
  const { scopes = [] } = spec;
  const path = 'spec.scopes';
  return [
    ...scopes.flatMap((scope) => [
      ...(countedIn.has(scope) ? [] : [invalid(path, scopes, 'unsupported scope')]),
      ...uncounted(spec, scope).map(() => invalid(path, scopes, 'unsupported scope applied to resource')),
    ]),
    ...conflicts(scopes).map(() => invalid(path, scopes, 'conflicting scopes')),
  ];
}

function validateScopeSelector(spec: ResourceQuotaSpec): FieldError[] {
  const { scopeSelector, scopes } = spec;
  const requirements = scopeSelector?.matchExpressions ?? [];
  const path = 'spec.scopeSelector.matchExpressions';
  return [
    ...requirements.flatMap((requirement) => {
      const { scopeName } = requirement;
      return [
        ...(countedIn.has(scopeName) ? [] : [invalid(`${path}.scopeName`, scopeName, 'unsupported scope')]),
        ...uncounted(spec, scopeName).map(() =>
          invalid(path, internalSelector(requirements), 'unsupported scope applied to resource'),
        ),
        ...validateRequirement(requirement, path),
      ];
    }),
    ...conflicts(requirements.map(({ scopeName }) => scopeName)).map(() =>
      invalid(path, scopes ?? null, 'conflicting scopes'),
    ),
  ];
}

function validateRequirement(
  { scopeName, operator, values = [] }: ScopedResourceSelectorRequirement,
  path: string,
): FieldError[] {
  const plain =
    "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
  return [
    ...(plainScopes.has(scopeName) && operator !== 'Exists'
      ? [invalid(`${path}.operator`, operator, plain)]
      : []),
    ...validateOperator(operator, values, path),
  ];
}

function validateOperator(operator: string, values: readonly string[], path: string): FieldError[] {
  const field = `${path}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [
        required(field, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"),
      ];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [
        invalid(
          field,
          values,
          "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
        ),
      ];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

/** The resources of a quota that a scope does not support. */
function uncounted({ hard = {} }: ResourceQuotaSpec, scope: string): string[] {
  const counted = countedIn.get(scope);
  return counted ? Object.keys(hard).filter((name) => isQuotaResource(name) && !counted.includes(name)) : [];
}

function conflicts(scopes: readonly string[]): string[][] {
  return opposites.filter((pair) => pair.every((scope) => scopes.includes(scope)));
}

/** A selector in Go's internal notation. */
function internalSelector(requirements: readonly ScopedResourceSelectorRequirement[]): object {
  return {
    MatchExpressions: requirements.map(({ scopeName, operator, values }) => ({
      ScopeName: scopeName,
      Operator: operator,
      Values: values ?? null,
    })),
  };
}
