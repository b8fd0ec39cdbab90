import type { AuditAnnotations } from '../../audit/audit-annotations.ts';
import { aggregate } from '../../authorization/rbac-authorizer.ts';
import type { CheckedPod } from './check.ts';
import { describeViolations } from './evaluate.ts';
import { type LabeledPolicy, formatLevel, prefix } from './policy.ts';

/** Records what a pod, or the template of a workload, breaks of the level that its namespace audits. */
export function auditPod(
  audit: AuditAnnotations | undefined,
  pod: CheckedPod,
  { policy, errors }: LabeledPolicy,
): void {
  if (!audit) return;
  if (errors.length > 0) {
    const problems = errors.map(({ field, message }) => `${field}: ${message}`);
    audit.add(`${prefix}error`, `Failed to parse policy: ${aggregate(problems)}`);
  }
  const found = describeViolations(pod, policy.audit);
  if (found !== undefined)
    audit.add(
      `${prefix}audit-violations`,
      `would violate PodSecurity "${formatLevel(policy.audit)}": ${found}`,
    );
}
