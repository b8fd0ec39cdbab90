import { type ResourceEntry, resources } from 'ots-kubernetes/resources';
import type { Store } from '../storage/store.ts';
import { CrdStrategy } from '../crd/crd-strategy.ts';
import { dnsLabel, pathSegment } from '../registry/name-rules.ts';
import type { Resource } from '../registry/resource.ts';
import type { Strategy } from '../registry/strategy.ts';
import { BuiltInStrategy } from './built-in-strategy.ts';
import { clusterStrategies } from './cluster/strategies.ts';
import { coreStrategies } from './core/strategies.ts';
import { podsStrategies } from './pods/strategies.ts';
import type { StrategyFactories, StrategySurroundings } from './strategy-factory.ts';
import { workloadsStrategies } from './workloads/strategies.ts';

const storageVerbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
const servedSubresources = new Set(['status', 'finalize']);

/** Kinds whose `metadata.generation` counts changes. */
const counted = new Set(
  '/podtemplates /pods /replicationcontrollers admissionregistration.k8s.io/mutatingwebhookconfigurations admissionregistration.k8s.io/validatingwebhookconfigurations apps/daemonsets apps/deployments apps/replicasets apps/statefulsets batch/cronjobs batch/jobs discovery.k8s.io/endpointslices flowcontrol.apiserver.k8s.io/flowschemas flowcontrol.apiserver.k8s.io/prioritylevelconfigurations networking.k8s.io/ingressclasses networking.k8s.io/ingresses networking.k8s.io/networkpolicies policy/poddisruptionbudgets'.split(
    ' ',
  ),
);
const answersDeleted = new Set(
  '/namespaces /persistentvolumeclaims /persistentvolumes /pods /podtemplates /resourcequotas /serviceaccounts /services storage.k8s.io/csidrivers storage.k8s.io/csinodes storage.k8s.io/storageclasses storage.k8s.io/volumeattachments'.split(
    ' ',
  ),
);
const conditional = new Set(
  'admissionregistration.k8s.io/mutatingwebhookconfigurations admissionregistration.k8s.io/validatingwebhookconfigurations coordination.k8s.io/leases policy/poddisruptionbudgets node.k8s.io/runtimeclasses storage.k8s.io/csidrivers storage.k8s.io/csinodes storage.k8s.io/csistoragecapacities storage.k8s.io/volumeattachments'.split(
    ' ',
  ),
);
const createdOnUpdate = new Set(
  '/endpoints /events /limitranges /services coordination.k8s.io/leases events.k8s.io/events node.k8s.io/runtimeclasses rbac.authorization.k8s.io/clusterrolebindings rbac.authorization.k8s.io/clusterroles rbac.authorization.k8s.io/rolebindings rbac.authorization.k8s.io/roles'.split(
    ' ',
  ),
);

/** Kinds whose dependents stay unless a deletion says otherwise: their first clients counted on it. */
const orphaning = new Set(['/replicationcontrollers', 'batch/jobs']);

const factories: StrategyFactories = {
  ...coreStrategies,
  ...podsStrategies,
  ...workloadsStrategies,
  ...clusterStrategies,
};

/** The built-in resources that are stored objects. Reviews, bindings and the like are not served. */
export function builtInResources(store: Store): Resource[] {
  // Both groups of events show the same objects.
  const events = store.createTable();
  return resources
    .filter(({ verbs }) => storageVerbs.every((verb) => verbs.includes(verb)))
    .filter(isPreferred)
    .map((entry) => {
      const table = entry.plural === 'events' ? events : store.createTable();
      return {
        group: entry.group,
        version: entry.version,
        plural: entry.plural,
        singular: entry.singular,
        kind: entry.kind,
        listKind: `${entry.kind}List`,
        shortNames: entry.shortNames,
        categories: entry.categories,
        scope: entry.scope,
        verbs: entry.verbs,
        subresources: entry.subresources.filter(({ name }) => servedSubresources.has(name)),
        custom: false,
        table,
        strategy: strategyOf(entry, { table }),
      };
    });
}

/** Of a resource with several versions the first one is served: the others are shaped differently. */
function isPreferred(entry: ResourceEntry): boolean {
  return entry === resources.find(({ group, plural }) => group === entry.group && plural === entry.plural);
}

function strategyOf(entry: ResourceEntry, surroundings: StrategySurroundings): Strategy {
  const { group, version, kind, plural } = entry;
  const id = `${group}/${plural}`;
  if (id === 'apiextensions.k8s.io/customresourcedefinitions') return new CrdStrategy();
  const traits = {
    group,
    version,
    kind,
    hasStatus: entry.subresources.some(({ name }) => name === 'status'),
    countsGenerations: counted.has(id),
    answersDeletedObject: answersDeleted.has(id),
    allowsUnconditionalUpdate: !conditional.has(id),
    allowsCreateOnUpdate: createdOnUpdate.has(id),
    ...(orphaning.has(id) && { defaultPropagation: 'orphan' as const }),
    ...(plural === 'events' && { defaultPropagation: 'unsupported' as const }),
    ...(group === 'rbac.authorization.k8s.io' && { nameRule: pathSegment }),
    ...((id === '/services' || id === '/namespaces') && { nameRule: dnsLabel }),
  };
  const factory = Object.hasOwn(factories, id) ? factories[id] : undefined;
  return factory ? factory(traits, surroundings) : new BuiltInStrategy(traits);
}
