import type { ResourceEntry } from 'ots-kubernetes/resources';
import { type NameRule, dnsLabel, pathSegment } from 'ots-apimachinery/names';
import type { BuiltInTraits } from '../registry/built-in-strategy.ts';
import { canonicalIp } from './validation/validate-ip.ts';

/** Kinds whose `metadata.generation` counts changes. */
const counted = resourcesOf({
  '': 'podtemplates pods replicationcontrollers',
  'admissionregistration.k8s.io':
    'mutatingadmissionpolicies mutatingadmissionpolicybindings mutatingwebhookconfigurations validatingadmissionpolicies validatingadmissionpolicybindings validatingwebhookconfigurations',
  apps: 'daemonsets deployments replicasets statefulsets',
  batch: 'cronjobs jobs',
  'discovery.k8s.io': 'endpointslices',
  'flowcontrol.apiserver.k8s.io': 'flowschemas prioritylevelconfigurations',
  'networking.k8s.io': 'ingressclasses ingresses networkpolicies',
  policy: 'poddisruptionbudgets',
  'resource.k8s.io': 'deviceclasses resourceslices',
});

/** Kinds whose deletion returns the deleted object. */
const returnedOnDeletion = resourcesOf({
  '': 'namespaces persistentvolumeclaims persistentvolumes pods podtemplates resourcequotas serviceaccounts services',
  'resource.k8s.io': 'deviceclasses resourceclaims resourceclaimtemplates resourceslices',
  'storage.k8s.io': 'csidrivers csinodes storageclasses volumeattachments volumeattributesclasses',
});

/** Kinds whose updates must state the resource version that they are based on. */
const updatedConditionally = resourcesOf({
  'admissionregistration.k8s.io':
    'mutatingadmissionpolicies mutatingadmissionpolicybindings mutatingwebhookconfigurations validatingadmissionpolicies validatingadmissionpolicybindings validatingwebhookconfigurations',
  'apiregistration.k8s.io': 'apiservices',
  'coordination.k8s.io': 'leases',
  'node.k8s.io': 'runtimeclasses',
  policy: 'poddisruptionbudgets',
  'storage.k8s.io': 'csidrivers csinodes csistoragecapacities volumeattachments',
});

/** Kinds whose updates create missing objects. */
const createdOnUpdate = resourcesOf({
  '': 'endpoints events limitranges services',
  'coordination.k8s.io': 'leases',
  'events.k8s.io': 'events',
  'node.k8s.io': 'runtimeclasses',
  'rbac.authorization.k8s.io': 'clusterrolebindings clusterroles rolebindings roles',
});

/** Kinds whose dependents are orphaned by default: their first clients relied on it. */
const orphaning = resourcesOf({ '': 'replicationcontrollers', batch: 'jobs' });

/** The strategy validates the name itself, after everything else. */
const checkedLast: NameRule = () => [];

/** Kinds whose names are not DNS subdomains. */
const nameRules: Readonly<Record<string, NameRule>> = {
  '/events': pathSegment,
  '/namespaces': dnsLabel,
  '/services': dnsLabel,
  'apiregistration.k8s.io/apiservices': pathSegment,
  'certificates.k8s.io/certificatesigningrequests': checkedLast,
  'networking.k8s.io/ipaddresses': canonicalIp,
  'rbac.authorization.k8s.io/clusterrolebindings': pathSegment,
  'rbac.authorization.k8s.io/clusterroles': pathSegment,
  'rbac.authorization.k8s.io/rolebindings': pathSegment,
  'rbac.authorization.k8s.io/roles': pathSegment,
};

/** The traits of a built-in resource besides its fields. */
export function traitsOf({ group, version, kind, plural, subresources }: ResourceEntry): BuiltInTraits {
  const id = `${group}/${plural}`;
  const nameRule = Object.hasOwn(nameRules, id) ? nameRules[id] : undefined;
  return {
    group,
    version,
    kind,
    hasStatus: subresources.some(({ name }) => name === 'status'),
    countsGenerations: counted.has(id),
    returnsDeletedObject: returnedOnDeletion.has(id),
    allowsUnconditionalUpdate: !updatedConditionally.has(id),
    allowsCreateOnUpdate: createdOnUpdate.has(id),
    ...(orphaning.has(id) && { defaultPropagation: 'orphan' as const }),
    ...(plural === 'events' && { defaultPropagation: 'unsupported' as const }),
    ...(nameRule && { nameRule }),
  };
}

/** Resources by `group/plural`, from their plurals by group. */
function resourcesOf(plurals: Readonly<Record<string, string>>): ReadonlySet<string> {
  return new Set(
    Object.entries(plurals).flatMap(([group, words]) =>
      words.split(' ').map((plural) => `${group}/${plural}`),
    ),
  );
}
