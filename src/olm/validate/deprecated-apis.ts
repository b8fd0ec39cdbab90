import type { Bundle, BundleObject } from '../bundle/bundle.ts';
import { type Finding, type Level, reporter } from '../finding.ts';
import { type Semver, compareSemver, parseTolerantSemver } from '../versions/semver.ts';
import type { Validator, ValidatorInputs } from './validator.ts';

/** Kinds of a version of an API that Kubernetes removed, by apiVersion. Source: the deprecated API migration guide. */
const removedIn22: Readonly<Record<string, readonly string[]>> = {
  'scheduling.k8s.io/v1beta1': ['PriorityClass'],
  'rbac.authorization.k8s.io/v1beta1': ['Role', 'ClusterRoleBinding', 'RoleBinding', 'ClusterRole'],
  'apiregistration.k8s.io/v1beta1': ['APIService'],
  'authentication.k8s.io/v1beta1': ['TokenReview'],
  'authorization.k8s.io/v1beta1': [
    'LocalSubjectAccessReview',
    'SelfSubjectAccessReview',
    'SubjectAccessReview',
  ],
  'admissionregistration.k8s.io/v1beta1': ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  'coordination.k8s.io/v1beta1': ['Lease'],
  'extensions/v1beta1': ['Ingress'],
  'networking.k8s.io/v1beta1': ['Ingress', 'IngressClass'],
  'storage.k8s.io/v1beta1': ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment'],
  'certificates.k8s.io/v1beta1': ['CertificateSigningRequest'],
};
const removedIn25: Readonly<Record<string, readonly string[]>> = {
  'batch/v1beta1': ['CronJob'],
  'discovery.k8s.io/v1beta1': ['EndpointSlice'],
  'events.k8s.io/v1beta1': ['Event'],
  'autoscaling/v2beta1': ['HorizontalPodAutoscaler'],
  'policy/v1beta1': ['PodDisruptionBudget', 'PodSecurityPolicy'],
  'node.k8s.io/v1beta1': ['RuntimeClass'],
};
const removedIn26: Readonly<Record<string, readonly string[]>> = {
  'autoscaling/v2beta2': ['HorizontalPodAutoscaler'],
};

/** A use of a removed API. */
interface Use {
  readonly kind: string;
  /** The name of an object, or the path of a field. */
  readonly place: string;
  readonly file: string;
}

/** The uses of APIs that a version of Kubernetes removed. */
interface Removal {
  readonly version: string;
  readonly uses: readonly Use[];
  /** A rule for RBAC has no version of an API, so it is never an error. */
  readonly onlyWarns?: boolean;
}

/** APIs that Kubernetes 1.22, 1.25 and 1.26 removed. */
export const validateDeprecatedApis: Validator = (bundle, inputs) =>
  removedApis('alpha-deprecated-apis', bundle, inputs);

/**
 * Warns about removed APIs. They are errors where the bundle is for a version of Kubernetes without them: that of the option
 * `k8s-version`, or of spec.minKubeVersion.
 */
export function removedApis(validator: string, bundle: Bundle, { values }: ValidatorInputs): Finding[] {
  const { csv } = bundle;
  if (!csv) return [];
  const report = (level: Level, detail: string, file = csv.file) =>
    reporter(validator)[level]({ type: 'ValidationFailed', value: bundle.name, file, detail });
  const option = values['k8s-version'] ?? '';
  const min = csv.csv.spec?.minKubeVersion ?? '';
  const [optionVersion, minVersion] = [option, min].map(parseTolerantSemver);
  const findings = [
    ...(option === '' || optionVersion
      ? []
      : [report('error', `the option k8s-version is "${option}", not a version such as 1.25`)]),
    ...(min === '' || minVersion ? [] : [report('error', `spec.minKubeVersion is "${min}", not a version`)]),
  ];
  const removals = [
    { version: '1.22', uses: usesRemovedIn22(bundle) },
    { version: '1.25', uses: usesRemovedIn25(bundle) },
    { version: '1.25', uses: rulesForRemoved(bundle), onlyWarns: true },
    { version: '1.26', uses: usesOf(bundle.objects, removedIn26) },
  ] satisfies Removal[];
  for (const { version, uses, onlyWarns } of removals as Removal[]) {
    if (uses.length === 0) continue;
    const isError = !onlyWarns && [optionVersion, minVersion].some((known) => isAtLeast(known, version));
    const detail = `Kubernetes ${version} removed APIs that the bundle uses; migrate ${listOf(uses)}`;
    findings.push(report(isError ? 'error' : 'warning', detail, uses[0]!.file));
  }
  return findings;
}

function isAtLeast(version: Semver | undefined, text: string): boolean {
  const other = parseTolerantSemver(text);
  return version !== undefined && other !== undefined && compareSemver(version, other) >= 0;
}

function listOf(uses: readonly Use[]): string {
  return uses.map(({ kind, place }) => `${kind} ${place}`).join(', ');
}

/** The uses of what Kubernetes 1.22 removed, also CRDs of v1beta1. */
export function usesRemovedIn22({ objects, crds }: Bundle): Use[] {
  return [
    ...crds
      .filter(({ v1beta1 }) => v1beta1)
      .map(({ crd, file }) => ({ kind: 'CRD', place: crd.metadata.name ?? '', file })),
    ...usesOf(objects, removedIn22),
  ];
}

/** The uses as one text. */
export { listOf as describeUses };

function usesRemovedIn25({ objects, csv }: Bundle): Use[] {
  const { owned = [], required = [] } = csv?.csv.spec?.customresourcedefinitions ?? {};
  const inCsv = (field: string, descriptions: typeof owned) =>
    descriptions.flatMap(({ resources = [] }, index) =>
      resources.map(({ version = '', kind = '' }, position) => ({
        apiVersion: version,
        kind,
        name: `in spec.customresourcedefinitions.${field}[${index}].resources[${position}]`,
        file: csv!.file,
      })),
    );
  // What the ClusterServiceVersion says counts only where OLM reads it as one.
  const isKnown = objects.some(
    ({ kind, apiVersion }) =>
      kind === 'ClusterServiceVersion' && apiVersion === 'operators.coreos.com/v1alpha1',
  );
  return [
    ...usesOf(objects, removedIn25),
    ...(isKnown ? usesOf([...inCsv('owned', owned), ...inCsv('required', required)], removedIn25) : []),
  ];
}

/** Of the removed resources, only PodSecurityPolicies have no version left. */
function rulesForRemoved({ csv, objects }: Bundle): Use[] {
  const isKnown = objects.some(
    ({ kind, apiVersion }) =>
      kind === 'ClusterServiceVersion' && apiVersion === 'operators.coreos.com/v1alpha1',
  );
  if (!csv || !isKnown) return [];
  const { clusterPermissions = [], permissions = [] } = csv.csv.spec?.install?.spec ?? {};
  const rulesIn = (field: string, lists: typeof permissions) =>
    lists.flatMap(({ rules = [] }, index) =>
      rules
        .map((rule, position) => ({ rule, place: `in ${field}[${index}].rules[${position}]` }))
        .filter(
          ({ rule: { apiGroups = [], resources = [] } }) =>
            apiGroups.includes('policy') && resources.includes('podsecuritypolicies'),
        )
        .map(({ place }) => ({ kind: 'podsecuritypolicies', place, file: csv.file })),
    );
  const isListed = Object.values(csv.csv.spec?.customresourcedefinitions ?? {})
    .flatMap((descriptions) => descriptions ?? [])
    .flatMap(({ resources = [] }) => resources)
    .some(({ kind = '' }) => `${kind.toLowerCase()}s` === 'podsecuritypolicies');
  if (isListed) return [];
  return [...rulesIn('clusterPermissions', clusterPermissions), ...rulesIn('permissions', permissions)];
}

function usesOf(
  objects: readonly Pick<BundleObject, 'apiVersion' | 'kind' | 'name' | 'file'>[],
  removed: Readonly<Record<string, readonly string[]>>,
): Use[] {
  return objects
    .filter(
      ({ apiVersion, kind }) => Object.hasOwn(removed, apiVersion) && removed[apiVersion]!.includes(kind),
    )
    .map(({ kind, name, file }) => ({ kind, place: name, file }));
}
