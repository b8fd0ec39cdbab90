import { OtsError } from '../../errors/ots-error.ts';
import { type JsonObject, isObject, textOf, valueOf } from '../bundle/json.ts';
import { asGoWrites } from './as-go-writes.ts';
import { type InputObject, nameOf } from './input-object.ts';

/** The kinds that a bundle may contain as files, beside those that have rules of their own. Source: operator-registry, `IsSupported`. */
const bundledKinds = new Set([
  'ConfigMap',
  'ConsoleCLIDownload',
  'ConsoleLink',
  'ConsolePlugin',
  'ConsoleQuickStart',
  'ConsoleYAMLSample',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'PriorityClass',
  'PrometheusRule',
  'Secret',
  'ServiceMonitor',
  'VerticalPodAutoscaler',
]);

/** The objects of the input, by what becomes of them. Each list has the order of the input. */
export interface Collection {
  readonly csvs: readonly InputObject[];
  readonly crds: readonly InputObject[];
  readonly deployments: readonly InputObject[];
  readonly services: readonly InputObject[];
  readonly serviceAccounts: readonly InputObject[];
  readonly roles: readonly InputObject[];
  readonly clusterRoles: readonly InputObject[];
  readonly roleBindings: readonly InputObject[];
  readonly clusterRoleBindings: readonly InputObject[];
  readonly webhooks: readonly InputObject[];
  readonly scorecard: InputObject | undefined;
  /** Objects of the kinds of the CRDs. */
  readonly examples: readonly InputObject[];
  /** Objects that the bundle contains as they are. */
  readonly others: readonly InputObject[];
  /** What the bundle cannot contain, and what objects lose. */
  readonly problems: readonly string[];
  /** What the bundle does not need. */
  readonly notes: readonly string[];
}

const rbac = 'rbac.authorization.k8s.io';
const places = {
  'operators.coreos.com/ClusterServiceVersion': 'csvs',
  'apiextensions.k8s.io/CustomResourceDefinition': 'crds',
  'apps/Deployment': 'deployments',
  '/Service': 'services',
  '/ServiceAccount': 'serviceAccounts',
  [`${rbac}/Role`]: 'roles',
  [`${rbac}/ClusterRole`]: 'clusterRoles',
  [`${rbac}/RoleBinding`]: 'roleBindings',
  [`${rbac}/ClusterRoleBinding`]: 'clusterRoleBindings',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': 'webhooks',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': 'webhooks',
  'scorecard.operatorframework.io/Configuration': 'scorecards',
} as const;

type Place = (typeof places)[keyof typeof places];

/**
 * Sorts the objects of the input.
 *
 * @throws OtsError `TWO_SCORECARDS`, and of {@link asGoWrites}
 */
export function collect(objects: readonly InputObject[]): Collection {
  const problems: string[] = [];
  const placed = new Map<Place, InputObject[]>();
  const rest: InputObject[] = [];
  for (const input of objects) {
    const key = `${input.group}/${input.kind}`;
    const place = Object.hasOwn(places, key) ? places[key as keyof typeof places] : undefined;
    if (!place) {
      rest.push(input);
      continue;
    }
    const { object, problems: found } = asGoWrites(input);
    problems.push(...found.map((problem) => `${nameOf(input)}: ${problem}, which is left out`));
    placed.set(place, [...(placed.get(place) ?? []), { ...input, object }]);
  }
  const of = (place: Place) => placed.get(place) ?? [];
  const sorted = sortRest(rest, of('crds'));
  return {
    csvs: of('csvs'),
    crds: of('crds'),
    deployments: of('deployments'),
    services: of('services'),
    serviceAccounts: of('serviceAccounts'),
    roles: of('roles'),
    clusterRoles: of('clusterRoles'),
    roleBindings: of('roleBindings'),
    clusterRoleBindings: of('clusterRoleBindings'),
    webhooks: of('webhooks'),
    scorecard: onlyOne(of('scorecards')),
    ...sorted,
    problems: [...problems, ...sorted.problems],
  };
}

function onlyOne(scorecards: readonly InputObject[]): InputObject | undefined {
  const [first, second] = scorecards.filter(({ name }) => name !== '');
  if (!second) return first;
  throw new OtsError(
    'TWO_SCORECARDS',
    `A bundle has one scorecard configuration: ${first!.source} and ${second.source} are two`,
    { hint: 'Remove one of them from config/scorecard.' },
  );
}

type Rest = Pick<Collection, 'examples' | 'others' | 'problems' | 'notes'>;

function sortRest(rest: readonly InputObject[], crds: readonly InputObject[]): Rest {
  const versions = new Map(crds.flatMap(versionsOf).map((version) => [keyOf(version), version.served]));
  const result = {
    examples: [] as InputObject[],
    others: [] as InputObject[],
    problems: [] as string[],
    notes: [] as string[],
  };
  for (const input of rest) {
    const served = versions.get(keyOf(input));
    if (served) result.examples.push(input);
    else if (served === false)
      result.problems.push(`${nameOf(input)} is left out: its version ${input.version} is not served`);
    else if (bundledKinds.has(input.kind)) result.others.push(input);
    else if (input.kind === 'Namespace' && input.group === '')
      result.notes.push(`${nameOf(input)} is left out: OLM chooses the namespace`);
    else result.problems.push(`${nameOf(input)} is left out: a bundle cannot contain objects of this kind`);
  }
  return result;
}

/** A version of the kind of a CRD. */
export interface CrdVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly served: boolean;
}

function keyOf({ group, version, kind }: Pick<CrdVersion, 'group' | 'version' | 'kind'>): string {
  return `${group}/${version}/${kind}`;
}

/** The versions of a CRD, in its order; of apiextensions.k8s.io/v1beta1 also the one that has no list. */
export function versionsOf({ object }: InputObject): CrdVersion[] {
  const spec = valueOf(object, 'spec');
  const listed = valueOf(spec, 'versions');
  const versions: readonly unknown[] =
    Array.isArray(listed) && listed.length > 0 ? listed : [{ name: textOf(spec, 'version'), served: true }];
  return versions.filter(isObject).map((version: JsonObject) => ({
    group: textOf(spec, 'group'),
    version: textOf(version, 'name'),
    kind: textOf(valueOf(spec, 'names'), 'kind'),
    served: version['served'] === true,
  }));
}
