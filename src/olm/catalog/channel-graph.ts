import { groupBy } from 'ots-apimachinery/group-by';
import type { Catalog, CatalogChannel, ChannelEntry } from './catalog.ts';
import { schemas } from './catalog.ts';
import { headsOf, replacesChain, skippedIn } from './upgrade-graph.ts';

/** The upgrade graph of a channel, in the order in which it is drawn. It may be wrong: with several heads, or with cycles. */
export interface ChannelGraph {
  readonly package: string;
  readonly channel: string;
  /** Whether it is the default channel of its package. */
  readonly isDefault: boolean;
  /** Absent if it is not deprecated. */
  readonly deprecation?: string;
  /** The chains of the heads first, from new to old; then the other entries, then the bundles that are only named. */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** A bundle in an upgrade graph. */
export interface GraphNode {
  readonly name: string;
  /** The place in the graph: in the chain of a head, another entry of the channel, or only named by an entry. */
  readonly role: 'head' | 'chain' | 'entry' | 'absent';
  /** Users of every version in it can upgrade to this bundle. Empty for none. */
  readonly skipRange: string;
  /** The entries that skip it. */
  readonly skippedBy: readonly string[];
  readonly deprecation?: string;
}

/** A way to upgrade. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: 'replaces' | 'skips';
}

/** The upgrade graphs of a catalog, by package and channel. */
export function channelGraphs(catalog: Catalog): ChannelGraph[] {
  return catalog.channels.toSorted(compare).map((channel) => graphOf(channel, catalog));
}

function compare(left: CatalogChannel, right: CatalogChannel): number {
  return order(left.package, right.package) || order(left.name, right.name);
}

function order(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function graphOf(
  { name, package: packageName, entries: list }: CatalogChannel,
  catalog: Catalog,
): ChannelGraph {
  const entries = new Map(list.map((entry) => [entry.name, entry]));
  const deprecation = deprecationsOf(catalog, packageName);
  const edges = edgesOf([...entries.values()]);
  const skips = groupBy(
    edges.filter(({ kind }) => kind === 'skips'),
    ({ from }) => from,
  );
  const nodes = rolesIn(entries, edges).map(([bundle, role]): GraphNode => {
    const message = deprecation.get(JSON.stringify([schemas.bundle, bundle]));
    return {
      name: bundle,
      role,
      skipRange: entries.get(bundle)?.skipRange ?? '',
      skippedBy: (skips.get(bundle) ?? []).map(({ to }) => to),
      ...(message !== undefined && { deprecation: message }),
    };
  });
  const isDefault = catalog.packages.some(
    (each) => each.name === packageName && each.defaultChannel === name,
  );
  const message = deprecation.get(JSON.stringify([schemas.channel, name]));
  return {
    package: packageName,
    channel: name,
    isDefault,
    ...(message !== undefined && { deprecation: message }),
    nodes,
    edges,
  };
}

/** What is deprecated in a package, with the messages. */
function deprecationsOf({ deprecations }: Catalog, packageName: string): Map<string, string> {
  const entries = deprecations.filter((each) => each.package === packageName).flatMap((each) => each.entries);
  return new Map(
    entries.map(({ reference, message }) => [JSON.stringify([reference.schema, reference.name]), message]),
  );
}

function edgesOf(entries: readonly ChannelEntry[]): GraphEdge[] {
  return entries.flatMap(({ name, replaces, skips }): GraphEdge[] => [
    ...(replaces === '' ? [] : [{ from: replaces, to: name, kind: 'replaces' } as const]),
    ...skips.map((from) => ({ from, to: name, kind: 'skips' }) as const),
  ]);
}

function rolesIn(
  entries: ReadonlyMap<string, ChannelEntry>,
  edges: readonly GraphEdge[],
): [string, GraphNode['role']][] {
  const roles = new Map<string, GraphNode['role']>();
  const skipped = skippedIn(entries);
  for (const head of headsOf(entries)) {
    roles.set(head.name, 'head');
    for (const name of replacesChain(entries, head).chain)
      if (entries.has(name) && !skipped.has(name) && !roles.has(name)) roles.set(name, 'chain');
  }
  for (const name of entries.keys()) if (!roles.has(name)) roles.set(name, 'entry');
  for (const { from } of edges) if (!roles.has(from)) roles.set(from, 'absent');
  return [...roles];
}
