import type { PolicyRule, Role } from 'ots-kubernetes/rbac/v1';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import type { Writer } from '../../../registry/strategy.ts';
import type { ApiObject } from '../../../json/api-object.ts';
import { jsonEqual } from '../../../json/json-equal.ts';
import { checkRole } from './check-escalation.ts';

/** Roles: rules about resources in a namespace. */
export class RoleStrategy extends BuiltInStrategy {
  override checkWriter(role: BuiltInObject<Role>, old: ApiObject | undefined, writer: Writer): void {
    if (changesOnlyOwnership(role, old)) return;
    checkRole(role.metadata.name ?? '', role.rules ?? [], false, writer);
  }

  override validate({ rules }: BuiltInObject<Role>): FieldError[] {
    return validateRules(rules, true);
  }
}

/** Whether an update changes only what owners and finalizers need. */
export function changesOnlyOwnership(object: ApiObject, old: ApiObject | undefined): boolean {
  return old !== undefined && jsonEqual(withoutOwnership(object), withoutOwnership(old));
}

function withoutOwnership({ metadata, ...fields }: ApiObject): object {
  return {
    ...fields,
    metadata: { ...metadata, ownerReferences: undefined, finalizers: undefined, managedFields: undefined },
  };
}

/** Validates the rules of a role. */
export function validateRules(rules: readonly PolicyRule[] | undefined, isNamespaced: boolean): FieldError[] {
  return (rules ?? []).flatMap((rule, index) => validateRule(rule, `rules[${index}]`, isNamespaced));
}

function validateRule(rule: PolicyRule, path: string, isNamespaced: boolean): FieldError[] {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const errors =
    (verbs ?? []).length > 0 ? [] : [required(`${path}.verbs`, 'verbs must contain at least one value')];
  if (nonResourceURLs.length === 0) return [...errors, ...validateResources(apiGroups, resources, path)];
  const isMixed = apiGroups.length + resources.length + resourceNames.length > 0;
  const faults = [
    ...(isNamespaced ? ['namespaced rules cannot apply to non-resource URLs'] : []),
    ...(isMixed ? ['rules cannot apply to both regular resources and non-resource URLs'] : []),
  ];
  return [...errors, ...faults.map((fault) => invalid(`${path}.nonResourceURLs`, nonResourceURLs, fault))];
}

function validateResources(
  apiGroups: readonly string[],
  resources: readonly string[],
  path: string,
): FieldError[] {
  return [
    ...(apiGroups.length > 0
      ? []
      : [required(`${path}.apiGroups`, 'resource rules must supply at least one api group')]),
    ...(resources.length > 0
      ? []
      : [required(`${path}.resources`, 'resource rules must supply at least one resource')]),
  ];
}
