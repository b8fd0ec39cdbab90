import { type ResourceEntry, resources } from 'ots-kubernetes/resources';
import type { Store } from '../storage/store.ts';
import type { Table } from '../storage/table.ts';
import { CrdStrategy } from '../crd/crd-strategy.ts';
import type { Answer, Resource } from '../registry/resource.ts';
import type { Strategy } from '../registry/strategy.ts';
import { answeredResources } from './answered-resources.ts';
import { horizontalPodAutoscalerV1 } from './autoscaling/horizontal-pod-autoscaler-v1.ts';
import { BuiltInStrategy } from '../registry/built-in-strategy.ts';
import { clusterStrategies } from './cluster/strategies.ts';
import { type Conversion, ConvertedStrategy } from './converted-strategy.ts';
import { coreStrategies } from './core/strategies.ts';
import { podsStrategies } from './pods/strategies.ts';
import type { StrategyFactories, StrategyContext } from './strategy-factory.ts';
import { traitsOf } from './traits-of.ts';
import { workloadsStrategies } from './workloads/strategies.ts';

const storageVerbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
/** Subresources that need no support from the strategy. */
const servedSubresources = new Set(
  'attach binding eviction exec finalize log portforward proxy scale status token'.split(' '),
);

/** Warnings for every request to a deprecated resource. */
const warnings = new Map([
  ['/endpoints', 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
]);

/** Conversions to the storage version, by group, version and plural. */
const conversions: Readonly<Record<string, Conversion>> = {
  'autoscaling/v1/horizontalpodautoscalers': horizontalPodAutoscalerV1,
};

const factories: StrategyFactories = {
  ...coreStrategies,
  ...podsStrategies,
  ...workloadsStrategies,
  ...clusterStrategies,
};

/**
 * The built-in resources that the server serves.
 *
 * @param shared what all strategies can access
 */
export function builtInResources(
  store: Store,
  shared: Pick<StrategyContext, 'clock' | 'random'>,
): Resource[] {
  // Both groups of events show the same objects.
  const events = store.createTable('/events');
  const tables = new Map<string, Table>();
  const tableOf = (id: string) => tables.get(id);
  // The first version of a resource is its storage version.
  const stored = new Map<string, Strategy>();
  return resources
    .filter((entry) => answerOf(entry) || storageVerbs.every((verb) => entry.verbs.includes(verb)))
    .map((entry) => {
      const id = `${entry.group}/${entry.plural}`;
      const table = tables.get(id) ?? (entry.plural === 'events' ? events : store.createTable(id));
      tables.set(id, table);
      const answer = answerOf(entry);
      const warning = warnings.get(id);
      const first = stored.get(id);
      const strategy = first
        ? convertedStrategy(entry, first)
        : strategyOf(entry, { ...shared, table, tableOf });
      stored.set(id, first ?? strategy);
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
        subresources: entry.subresources.filter(
          ({ name }) => servedSubresources.has(name) || strategy.updateRules.has(name),
        ),
        custom: false,
        table,
        strategy,
        ...(answer && { answer }),
        ...(warning !== undefined && { warning }),
      };
    });
}

function answerOf({ group, plural }: ResourceEntry): Answer | undefined {
  const id = `${group}/${plural}`;
  return Object.hasOwn(answeredResources, id) ? answeredResources[id] : undefined;
}

/** The strategy of a version other than the storage version. */
function convertedStrategy(entry: ResourceEntry, stored: Strategy): Strategy {
  const id = `${entry.group}/${entry.version}/${entry.plural}`;
  const conversion = Object.hasOwn(conversions, id) ? conversions[id] : undefined;
  if (!conversion || !(stored instanceof BuiltInStrategy)) throw new TypeError(`nothing converts ${id}`);
  return new ConvertedStrategy(traitsOf(entry), stored, conversion);
}

function strategyOf(entry: ResourceEntry, context: StrategyContext): Strategy {
  const id = `${entry.group}/${entry.plural}`;
  if (id === 'apiextensions.k8s.io/customresourcedefinitions') return new CrdStrategy();
  const traits = traitsOf(entry);
  const factory = Object.hasOwn(factories, id) ? factories[id] : undefined;
  return factory ? factory(traits, context) : new BuiltInStrategy(traits);
}
