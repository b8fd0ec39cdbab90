import { goTypeOfKind } from 'ots-apiserver/decoding';
import type { PolicyRule } from 'ots-kubernetes/rbac/v1';
import type { BundleObject } from '../bundle/bundle.ts';
import { WrongTypeError, decodeLikeGo } from '../bundle/decode-like-go.ts';
import { valueOf } from '../bundle/json.ts';
import { type Finding, reporter } from '../finding.ts';
import { includesOne } from './includes-one.ts';
import type { Validator } from './validator.ts';

const { error, warning } = reporter('object');

/** The security context constraints that OpenShift has by default. */
const defaultConstraints = [
  'privileged',
  'restricted',
  'anyuid',
  'hostaccess',
  'hostmount-anyuid',
  'hostnetwork',
  'node-exporter',
  'nonroot',
];

type Check = (value: unknown) => Finding[];

/** The rules for objects that affect a whole cluster: disruption budgets, priority classes, and rights on both. */
export const validateObjects: Validator = ({ objects }) =>
  objects.flatMap((object) =>
    (Object.hasOwn(checks, object.kind) ? checks[object.kind]!(object) : []).map((finding) => ({
      ...finding,
      file: object.file,
    })),
  );

const checks: Readonly<Record<string, (object: BundleObject) => Finding[]>> = {
  PodDisruptionBudget: checked('policy', 'PodDisruptionBudget', validateBudget),
  PriorityClass: checked('scheduling.k8s.io', 'PriorityClass', validatePriorityClass),
  Role: checked('rbac.authorization.k8s.io', 'Role', validateRole),
  ClusterRole: checked('rbac.authorization.k8s.io', 'ClusterRole', validateRole),
};

/** A kind counts whatever its group is, and is read as the built-in one. */
function checked(group: string, kind: string, check: Check) {
  return ({ object }: BundleObject): Finding[] => {
    const type = goTypeOfKind(group, 'v1', kind);
    if (!type) throw new TypeError(`there is no type of ${kind}`);
    try {
      return check(decodeLikeGo(object, type, { textFromScalars: false }));
    } catch (cause) {
      if (!(cause instanceof WrongTypeError)) throw cause;
      return [error({ type: 'ParseError', value: cause.message, detail: cause.message })];
    }
  };
}

function refused(detail: string): Finding {
  return error({ type: 'ObjectFailedValidation', detail });
}

/** A percentage of unavailable pods is refused, whatever it is: the original compares its number, which is 0. */
function validateBudget(budget: unknown): Finding[] {
  const spec = valueOf(budget, 'spec');
  const max = valueOf(spec, 'maxUnavailable');
  const isZero = max === 0 || typeof max === 'string';
  return [
    ...(isZero ? [refused(`spec.maxUnavailable is ${JSON.stringify(max)}; OLM needs a number above 0`)] : []),
    ...(valueOf(spec, 'minAvailable') === '100%'
      ? [refused('spec.minAvailable is 100%, which keeps nodes from being drained')]
      : []),
  ];
}

function validatePriorityClass(priorityClass: unknown): Finding[] {
  if (valueOf(priorityClass, 'globalDefault') !== true) return [];
  return [refused('globalDefault is true, which changes the priority of pods of others')];
}

function validateRole(role: unknown): Finding[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoded as a role
  const rules = (valueOf(role, 'rules') ?? []) as readonly Partial<PolicyRule>[];
  return [
    ...rules.filter(mayChangeBudgets).map(() =>
      warning({
        type: 'ValidationFailed',
        detail:
          'its rules allow to create or change poddisruptionbudgets, which can keep nodes from being drained',
      }),
    ),
    ...rules
      .filter(mayChangeConstraints)
      .map(() => refused('its rules allow to change default securitycontextconstraints')),
  ];
}

function mayChangeBudgets({ apiGroups, resources, verbs }: Partial<PolicyRule>): boolean {
  return (
    includesOne(apiGroups, 'policy') &&
    includesOne(resources, 'poddisruptionbudgets') &&
    includesOne(verbs, '*', 'create', 'update', 'patch')
  );
}

function mayChangeConstraints({ apiGroups, resources, verbs, resourceNames }: Partial<PolicyRule>): boolean {
  return (
    includesOne(apiGroups, 'security.openshift.io') &&
    includesOne(resources, 'securitycontextconstraints') &&
    includesOne(verbs, '*', 'delete', 'update', 'patch') &&
    includesOne(resourceNames, ...defaultConstraints)
  );
}
