import type { ClusterRole } from 'ots-kubernetes/rbac/v1';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { type SelectorTolerance, validateLabelSelector } from '../../validation/validate-label-selector.ts';
import type { Writer } from '../../../registry/strategy.ts';
import type { ApiObject } from '../../../json/api-object.ts';
import { checkRole } from './check-escalation.ts';
import { changesOnlyOwnership, validateRules } from './role-strategy.ts';

/** ClusterRoles: rules about resources and URLs, or selectors of roles to aggregate. */
export class ClusterRoleStrategy extends BuiltInStrategy {
  override checkWriter(role: BuiltInObject<ClusterRole>, old: ApiObject | undefined, writer: Writer): void {
    if (changesOnlyOwnership(role, old)) return;
    const aggregates = role.aggregationRule !== undefined || old?.['aggregationRule'] !== undefined;
    checkRole(role.metadata.name ?? '', role.rules ?? [], aggregates, writer);
  }

  override validate(role: BuiltInObject<ClusterRole>): FieldError[] {
    return [...validateRules(role.rules, false), ...validateAggregation(role, { invalidValues: false })];
  }

  override validateUpdate(role: BuiltInObject<ClusterRole>, old: BuiltInObject<ClusterRole>): FieldError[] {
    const invalidValues = validateAggregation(old, { invalidValues: false }).length > 0;
    return [...validateRules(role.rules, false), ...validateAggregation(role, { invalidValues })];
  }
}

function validateAggregation({ aggregationRule }: ClusterRole, tolerance: SelectorTolerance): FieldError[] {
  if (!aggregationRule) return [];
  const field = 'aggregationRule.clusterRoleSelectors';
  const { clusterRoleSelectors } = aggregationRule;
  if (!clusterRoleSelectors?.length)
    return [required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  return clusterRoleSelectors.flatMap((selector, index) => {
    const path = `${field}[${index}]`;
    const isUsable = validateLabelSelector(selector, path).length === 0;
    return [
      ...validateLabelSelector(selector, path, tolerance),
      ...(isUsable ? [] : [invalid(path, null, 'invalid label selector.')]),
    ];
  });
}
