import type { DeepReadonly } from 'ots-runtime';
import {
  type Catalog,
  type CatalogBundle,
  type Channel,
  type ChannelEntry,
  bundleKey,
} from '../../content/catalog.ts';
import { isObject } from '../../content/documents.ts';
import { compareVersions, isInRange } from '../../content/versions.ts';
import type { CatalogKey } from '../catalogs/connections.ts';
import type { ClusterServiceVersion, Subscription } from '../kinds.ts';

/** What a namespace resolves from. */
export interface ResolutionInput {
  readonly subscriptions: readonly DeepReadonly<Subscription>[];
  /** Those of the namespace, without copies. */
  readonly installed: readonly DeepReadonly<ClusterServiceVersion>[];
  /** Those that the namespace sees, in the order in which dependencies come from them. */
  readonly catalogs: readonly { readonly key: CatalogKey; readonly catalog: Catalog }[];
}

/** A bundle that is to be installed. */
export interface ResolvedBundle {
  readonly bundle: CatalogBundle;
  readonly catalog: CatalogKey;
  readonly channel: string;
  /** The ClusterServiceVersion that it replaces. */
  readonly replaces: string | undefined;
  /** The Subscription that asked for it; undefined for a dependency. */
  readonly subscription: string | undefined;
}

/** No set of bundles fulfills all Subscriptions of a namespace. */
export class UnsatisfiableError extends Error {
  override readonly name = 'UnsatisfiableError';

  constructor(constraints: readonly string[]) {
    super(`constraints not satisfiable: ${constraints.join(', ')}`);
  }
}

/**
 * Finds the bundles that the Subscriptions of a namespace want next: heads of channels, starting versions, upgrades, and what they depend on.
 * It chooses greedily where OLM has a solver: the newest candidate of each Subscription, and the newest bundle for a dependency.
 *
 * @throws {UnsatisfiableError} when there is none
 */
export function resolve(input: ResolutionInput): ResolvedBundle[] {
  const resolved = new Map<string, ResolvedBundle>();
  for (const subscription of input.subscriptions) {
    const next = nextBundle(subscription, input);
    if (next) resolved.set(next.bundle.name, next);
  }
  const chosen = [...resolved.values()];
  for (const each of chosen) addDependencies(each, input, chosen);
  return chosen;
}

function nextBundle(
  subscription: DeepReadonly<Subscription>,
  { installed, catalogs }: ResolutionInput,
): ResolvedBundle | undefined {
  const { source, sourceNamespace, name: packageName, channel = '', startingCSV } = subscription.spec;
  const { name = '' } = subscription.metadata;
  const key = { namespace: sourceNamespace, name: source };
  const catalog = catalogs.find((each) => sameKey(each.key, key))?.catalog;
  const nothing = (what: string) =>
    new UnsatisfiableError([
      `no operators found ${what} referenced by subscription ${name}`,
      `subscription ${name} exists`,
    ]);
  if (!catalog) throw nothing(`from catalog ${source} in namespace ${sourceNamespace}`);
  if (!catalog.packages.has(packageName)) throw nothing(`in package ${packageName} in the catalog`);
  const channels = channelsOf(catalog, packageName, channel);
  if (channels.length === 0) throw nothing(`in channel ${channel} of package ${packageName} in the catalog`);
  const current = installed.find(({ metadata }) => metadata.name === subscription.status?.installedCSV);
  if (current) {
    const next = upgradeOf(current, channels, catalog);
    return next && { ...next, catalog: key, replaces: current.metadata.name, subscription: name };
  }
  const entries = channels.flatMap((each) =>
    inOrder(each, catalog).map((entry) => ({ channel: each, entry })),
  );
  const first =
    startingCSV === undefined ? entries[0] : entries.find(({ entry }) => entry.name === startingCSV);
  if (!first)
    throw nothing(
      `with name ${startingCSV ?? ''} in channel ${channel} of package ${packageName} in the catalog`,
    );
  const bundle = bundleIn(catalog, packageName, first.entry.name);
  refuseFreestanding(bundle, name, `${source}/${sourceNamespace}/${first.channel.name}`, installed);
  return {
    bundle,
    catalog: key,
    channel: first.channel.name,
    replaces: first.entry.replaces,
    subscription: name,
  };
}

/** A version of the package that no Subscription has installed must stay, and a package can be installed once. */
function refuseFreestanding(
  bundle: CatalogBundle,
  subscription: string,
  from: string,
  installed: readonly DeepReadonly<ClusterServiceVersion>[],
): void {
  const provided = providedKinds(bundle.properties);
  for (const { metadata, spec } of installed) {
    const owned = (spec.customresourcedefinitions?.owned ?? []).find((crd) =>
      provided.some(
        ({ kind, version, group }) =>
          kind === crd.kind && version === crd.version && crd.name.endsWith(`.${String(group)}`),
      ),
    );
    if (!owned) continue;
    const own = metadata.name!;
    const group = owned.name.slice(owned.name.indexOf('.') + 1);
    throw new UnsatisfiableError([
      `subscription ${subscription} exists`,
      `clusterserviceversion ${own} exists and is not referenced by a subscription`,
      `subscription ${subscription} requires ${from}/${bundle.name}`,
      `${from}/${bundle.name} and @existing/${metadata.namespace ?? ''}//${own} provide ${owned.kind} (${group}/${owned.version})`,
    ]);
  }
}

/** The newest bundle that upgrades an installed version. */
function upgradeOf(
  current: DeepReadonly<ClusterServiceVersion>,
  channels: readonly Channel[],
  catalog: Catalog,
): { bundle: CatalogBundle; channel: string } | undefined {
  const { name = '' } = current.metadata;
  const { version = '0.0.0' } = current.spec;
  for (const channel of channels)
    for (const { name: next, replaces, skips, skipRange } of inOrder(channel, catalog)) {
      if (next === name) break;
      const upgrades =
        replaces === name ||
        skips.includes(name) ||
        (skipRange !== undefined && isInRange(version, skipRange));
      if (upgrades) return { bundle: bundleIn(catalog, channel.package, next), channel: channel.name };
    }
  return undefined;
}

/** The channels of a package, the default one first. @param name of the only one; empty for all */
function channelsOf({ channels, packages }: Catalog, packageName: string, name: string): Channel[] {
  const rank = (channel: Channel) => (channel.name === packages.get(packageName) ? 0 : 1);
  return channels
    .filter((each) => each.package === packageName && (name === '' || each.name === name))
    .toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

/** The entries of a channel from its head on; those beside the chain of `replaces` by their versions. */
function inOrder({ entries, package: packageName }: Channel, catalog: Catalog): ChannelEntry[] {
  const replaced = new Set(entries.flatMap(({ replaces, skips }) => [replaces, ...skips]));
  const chain: ChannelEntry[] = [];
  let entry = entries.find(({ name }) => !replaced.has(name));
  while (entry && !chain.includes(entry)) {
    chain.push(entry);
    const { replaces } = entry;
    entry = entries.find(({ name }) => name === replaces);
  }
  const version = ({ name }: ChannelEntry) => bundleIn(catalog, packageName, name).version;
  const others = entries.filter((each) => !chain.includes(each));
  return [...chain, ...others.toSorted((a, b) => compareVersions(version(b), version(a)))];
}

function bundleIn({ bundles }: Catalog, packageName: string, name: string): CatalogBundle {
  return bundles.get(bundleKey(packageName, name))!;
}

/** Adds what a bundle requires and nothing provides yet. */
function addDependencies(
  { bundle, subscription }: ResolvedBundle,
  { installed, catalogs }: ResolutionInput,
  chosen: ResolvedBundle[],
): void {
  for (const dependency of dependenciesOf(bundle)) {
    const isThere =
      chosen.some((each) => dependency.isMetBy(each.bundle.properties)) ||
      installed.some((each) => dependency.isMetBy(installedProperties(each)));
    if (isThere) continue;
    const found = providerOf(dependency, catalogs);
    if (!found)
      throw new UnsatisfiableError([
        `bundle ${bundle.name} requires an operator ${dependency.text}`,
        ...(subscription === undefined
          ? []
          : [`subscription ${subscription} exists`, `subscription ${subscription} requires ${bundle.name}`]),
      ]);
    chosen.push(found);
  }
}

interface Dependency {
  readonly text: string;
  isMetBy(properties: readonly { type: string; value: unknown }[]): boolean;
}

function dependenciesOf({ properties }: CatalogBundle): Dependency[] {
  return properties.flatMap(({ type, value }): Dependency[] => {
    if (!isObject(value)) return [];
    if (type === 'olm.gvk.required') {
      const { group, version, kind } = value as Record<string, string>;
      return [
        {
          text: `providing an API with group: ${group}, version: ${version}, kind: ${kind}`,
          isMetBy: (all) =>
            providedKinds(all).some(
              (each) => each.group === group && each.version === version && each.kind === kind,
            ),
        },
      ];
    }
    if (type !== 'olm.package.required') return [];
    const { packageName, versionRange = '' } = value as Record<string, string>;
    return [
      {
        text: `with package: ${packageName} and with version in range: ${versionRange}`,
        isMetBy: (all) =>
          all.some(
            (each) =>
              each.type === 'olm.package' &&
              isObject(each.value) &&
              each.value['packageName'] === packageName &&
              isInRange(String(each.value['version']), versionRange),
          ),
      },
    ];
  });
}

function providerOf(
  dependency: Dependency,
  catalogs: ResolutionInput['catalogs'],
): ResolvedBundle | undefined {
  for (const { key, catalog } of catalogs)
    for (const packageName of catalog.packages.keys())
      for (const channel of channelsOf(catalog, packageName, ''))
        for (const entry of inOrder(channel, catalog)) {
          const bundle = bundleIn(catalog, packageName, entry.name);
          if (!dependency.isMetBy(bundle.properties)) continue;
          return {
            bundle,
            catalog: key,
            channel: channel.name,
            replaces: entry.replaces,
            subscription: undefined,
          };
        }
  return undefined;
}

function providedKinds(properties: readonly { type: string; value: unknown }[]) {
  return properties.flatMap(({ type, value }) =>
    type === 'olm.gvk' && isObject(value)
      ? [{ group: value['group'], version: value['version'], kind: value['kind'] }]
      : [],
  );
}

/** What OLM writes into the ClusterServiceVersions that it creates. */
function installedProperties({
  metadata,
}: DeepReadonly<ClusterServiceVersion>): { type: string; value: unknown }[] {
  const text = metadata.annotations?.['operatorframework.io/properties'];
  if (text === undefined) return [];
  const { properties = [] } = JSON.parse(text) as { properties?: { type: string; value: unknown }[] };
  return properties;
}

const sameKey = (a: CatalogKey, b: CatalogKey): boolean => a.name === b.name && a.namespace === b.namespace;
