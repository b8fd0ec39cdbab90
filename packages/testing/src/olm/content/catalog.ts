import type { KubernetesObject } from 'ots-kubernetes';
import { ContentError, type JsonObject, isObject } from './documents.ts';

/** A file-based catalog. */
export interface Catalog {
  /** The default channels of packages, by their names. */
  readonly packages: ReadonlyMap<string, string>;
  readonly channels: readonly Channel[];
  /** By package and name. */
  readonly bundles: ReadonlyMap<string, CatalogBundle>;
  /** What is deprecated: the messages by package, schema and name. */
  readonly deprecations: ReadonlyMap<string, string>;
}

/** A channel of a package. */
export interface Channel {
  readonly package: string;
  readonly name: string;
  readonly entries: readonly ChannelEntry[];
}

/** A bundle in a channel, and what it upgrades. */
export interface ChannelEntry {
  readonly name: string;
  readonly replaces: string | undefined;
  readonly skips: readonly string[];
  readonly skipRange: string | undefined;
}

/** A bundle of a catalog. */
export interface CatalogBundle {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** Empty for a bundle whose objects are in the catalog. */
  readonly image: string;
  readonly properties: readonly Property[];
  /** The objects in the catalog. Empty for those that only have an image. */
  readonly objects: readonly KubernetesObject[];
}

/** A property of a bundle. */
export interface Property {
  readonly type: string;
  readonly value: unknown;
}

/** @param schema `olm.package`, `olm.channel` or `olm.bundle`; a package has no name of its own */
export const deprecationKey = (packageName: string, schema: string, name = ''): string =>
  JSON.stringify([packageName, schema, name]);

/** The key of a bundle in {@link Catalog.bundles}. */
export const bundleKey = (packageName: string, name: string): string => `${packageName}/${name}`;

/**
 * Reads the objects of a catalog. Objects of other schemas mean nothing to OLM.
 *
 * @throws {ContentError} for what `opm serve` refuses, of which the simulation knows a part: no package, a default channel or an entry that
 *   the catalog does not have, a bundle without a version
 */
export function catalogOf(documents: readonly JsonObject[]): Catalog {
  const of = (schema: string) => documents.filter((each) => each['schema'] === schema);
  const catalog = {
    packages: new Map(of('olm.package').map((each) => [text(each, 'name'), text(each, 'defaultChannel')])),
    channels: of('olm.channel').map(channelOf),
    bundles: new Map(
      of('olm.bundle')
        .map(bundleOf)
        .map((bundle) => [bundleKey(bundle.package, bundle.name), bundle] as const),
    ),
    deprecations: new Map(of('olm.deprecations').flatMap(deprecationsOf)),
  };
  check(catalog);
  return catalog;
}

function check({ packages, channels, bundles }: Catalog): void {
  if (packages.size === 0) throw new ContentError('the catalog has no olm.package');
  for (const [name, defaultChannel] of packages)
    if (!channels.some((each) => each.package === name && each.name === defaultChannel))
      throw new ContentError(`package "${name}" has no channel "${defaultChannel}", which is its default`);
  for (const { package: packageName, name, entries } of channels)
    for (const entry of entries)
      if (!bundles.has(bundleKey(packageName, entry.name)))
        throw new ContentError(`channel "${name}" of package "${packageName}" has no bundle "${entry.name}"`);
}

function channelOf(blob: JsonObject): Channel {
  const entries = Array.isArray(blob['entries']) ? blob['entries'].filter(isObject) : [];
  return {
    package: text(blob, 'package'),
    name: text(blob, 'name'),
    entries: entries.map((entry) => ({
      name: text(entry, 'name'),
      replaces: optionalText(entry, 'replaces'),
      skips: Array.isArray(entry['skips']) ? entry['skips'].map(String) : [],
      skipRange: optionalText(entry, 'skipRange'),
    })),
  };
}

function bundleOf(blob: JsonObject): CatalogBundle {
  const list = Array.isArray(blob['properties']) ? blob['properties'].filter(isObject) : [];
  const properties = list.map((each) => ({ type: text(each, 'type'), value: each['value'] }));
  const own = properties.find(({ type }) => type === 'olm.package')?.value;
  const name = text(blob, 'name');
  if (!isObject(own)) throw new ContentError(`bundle "${name}" has no property olm.package`);
  return {
    name,
    package: text(blob, 'package'),
    version: text(own, 'version'),
    image: optionalText(blob, 'image') ?? '',
    properties: properties.filter(({ type }) => type !== 'olm.bundle.object' && type !== 'olm.csv.metadata'),
    objects: properties
      .filter(({ type }) => type === 'olm.bundle.object')
      .map(({ value }) => inlined(value, name)),
  };
}

/** An object that the catalog has in base64. */
function inlined(value: unknown, bundle: string): KubernetesObject {
  const data = isObject(value) ? value['data'] : undefined;
  try {
    return JSON.parse(Buffer.from(String(data), 'base64').toString()) as KubernetesObject;
  } catch {
    throw new ContentError(`bundle "${bundle}" has a property olm.bundle.object without data`);
  }
}

function deprecationsOf(blob: JsonObject): [string, string][] {
  const entries = Array.isArray(blob['entries']) ? blob['entries'].filter(isObject) : [];
  return entries.map((entry) => {
    const reference = isObject(entry['reference']) ? entry['reference'] : {};
    const key = deprecationKey(
      text(blob, 'package'),
      optionalText(reference, 'schema') ?? '',
      optionalText(reference, 'name'),
    );
    return [key, optionalText(entry, 'message') ?? ''];
  });
}

function text(blob: JsonObject, field: string): string {
  const value = optionalText(blob, field);
  if (value !== undefined) return value;
  throw new ContentError(`an object of schema "${String(blob['schema'])}" has no ${field}`);
}

function optionalText(blob: JsonObject, field: string): string | undefined {
  const value = blob[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
