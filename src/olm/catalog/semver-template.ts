import { type JsonObject, isObject, textOf, valueOf } from '../bundle/json.ts';
import { type Semver, compareSemver, parseSemver } from '../versions/semver.ts';
import { schemas } from './catalog.ts';
import { packagesOf } from './properties.ts';
import type { RenderedBundle } from './render-bundle.ts';
import { TemplateError } from './template-error.ts';

/** From the least stable to the most stable one. */
const archetypes = ['candidate', 'fast', 'stable'] as const;
type Archetype = (typeof archetypes)[number];
/** The channels of a major or of a minor version. */
type Stream = 'major' | 'minor';

/** A semver template: bundles by how stable they are. The channels and upgrades follow from their versions. */
export interface SemverTemplate {
  readonly streams: readonly Stream[];
  /** The stream of the default channel. */
  readonly preference: Stream;
  readonly images: Readonly<Record<Archetype, readonly string[]>>;
}

/** The bundle of an image, and what its package shows of it. */
export interface RenderedImage {
  readonly bundle: RenderedBundle;
  readonly about: JsonObject;
}

interface Version extends RenderedImage {
  readonly version: Semver;
}

/** A bundle in a generated channel. */
interface Place extends Version {
  readonly archetype: Archetype;
  readonly stream: Stream;
  readonly channel: string;
}

interface Edges {
  readonly replaces: string;
  readonly skips: readonly string[];
}

const knownFields = new Set([
  'schema',
  'generateMajorChannels',
  'generateMinorChannels',
  'defaultChannelTypePreference',
  ...archetypes,
]);

/** Reads a template. @throws {TemplateError} */
export function readSemverTemplate(template: JsonObject): SemverTemplate {
  const unknown = Object.keys(template).find((name) => !knownFields.has(name));
  if (unknown !== undefined) throw new TemplateError(`the template has an unknown field "${unknown}"`);
  const [major, minor] = [flag(template, 'generateMajorChannels'), flag(template, 'generateMinorChannels')];
  const streams: Stream[] = [
    ...(major ? ['major' as const] : []),
    ...(minor || !major ? ['minor' as const] : []),
  ];
  const stated = valueOf(template, 'defaultChannelTypePreference') ?? '';
  if (stated !== '' && stated !== 'major' && stated !== 'minor')
    throw new TemplateError('defaultChannelTypePreference is not "major" or "minor"');
  if (stated !== '' && !streams.includes(stated))
    throw new TemplateError(
      `defaultChannelTypePreference is "${stated}", but the template generates no ${stated} channels`,
    );
  const preference = stated === '' ? streams.at(-1)! : stated;
  const [candidate, fast, stable] = archetypes.map((archetype) => imagesOf(template, archetype));
  return { streams, preference, images: { candidate: candidate!, fast: fast!, stable: stable! } };
}

function flag(template: JsonObject, name: string): boolean {
  const value = valueOf(template, name) ?? false;
  if (typeof value === 'boolean') return value;
  throw new TemplateError(`${name} is not true or false`);
}

function imagesOf(template: JsonObject, archetype: Archetype): string[] {
  const bundles = valueOf(valueOf(template, archetype), 'bundles') ?? [];
  const images = Array.isArray(bundles) ? bundles.map((bundle) => textOf(bundle, 'image')) : [''];
  if (!images.includes('') && isObject(valueOf(template, archetype) ?? {})) return images;
  throw new TemplateError(`${archetype}.bundles is not a list of objects with an image`);
}

/**
 * Generates the package and its channels, such as stable-v1.2 and stable-v1.
 *
 * Within a minor version, the newest bundle skips the older ones. In the channel of a major version, it also replaces the newest one of
 * the minor version before.
 *
 * @param bundles by image
 * @throws {TemplateError}
 */
export function generateChannels(
  { streams, preference, images }: SemverTemplate,
  bundles: ReadonlyMap<string, RenderedImage>,
): JsonObject[] {
  const places = archetypes.flatMap((archetype) => {
    const versions = versionsOf(images[archetype].map((image) => bundles.get(image)!));
    return streams.flatMap((stream) =>
      versions.map((each): Place => ({
        ...each,
        archetype,
        stream,
        channel: channelName(archetype, stream, each.version),
      })),
    );
  });
  if (places.length === 0) throw new TemplateError('the template has no bundles');
  const packageName = packageOf(places);
  const channel = defaultChannel(places, preference);
  const head = places.findLast((place) => place.channel === channel);
  return [
    { schema: schemas.package, name: packageName, defaultChannel: channel, ...head?.about },
    ...channelsOf(places, packageName),
  ];
}

function versionsOf(bundles: readonly RenderedImage[]): Version[] {
  const versions = bundles
    .map((each) => ({ ...each, version: versionOf(each.bundle) }))
    .toSorted((left, right) => compareSemver(left.version, right.version));
  for (const [index, { bundle, version }] of versions.entries()) {
    const next = versions[index + 1];
    if (!next || compareSemver(version, next.version) !== 0) continue;
    const problem =
      bundle.name === next.bundle.name
        ? 'occurs twice'
        : `and ${next.bundle.name} cannot be ordered: their versions are equal but for build metadata`;
    throw new TemplateError(`the bundle ${bundle.name} ${problem}`);
  }
  return versions;
}

function versionOf({ name, properties }: RenderedBundle): Semver {
  const [property, second] = packagesOf(properties);
  const version = property && !second ? parseSemver(property.version) : undefined;
  if (version) return version;
  throw new TemplateError(
    `the bundle ${name} has the version "${property?.version ?? ''}", not a semantic one`,
  );
}

function packageOf(places: readonly Place[]): string {
  const names = [...new Set(places.map(({ bundle }) => packagesOf(bundle.properties)[0]!.packageName))];
  if (names.length === 1) return names[0]!;
  throw new TemplateError(`the bundles are of several packages: ${names.join(', ')}`);
}

function channelName(archetype: Archetype, stream: Stream, { major, minor }: Semver): string {
  return `${archetype}-v${major}${stream === 'minor' ? `.${minor}` : ''}`;
}

/** That of the most stable bundles, and of those the one that begins with the highest version. */
function defaultChannel(places: readonly Place[], preference: Stream): string {
  const lowest = new Map<string, Place>();
  for (const place of places) if (!lowest.has(place.channel)) lowest.set(place.channel, place);
  const rank = (left: Place, right: Place) =>
    archetypes.indexOf(left.archetype) - archetypes.indexOf(right.archetype) ||
    compareSemver(left.version, right.version) ||
    Number(left.stream === preference) - Number(right.stream === preference);
  return [...lowest.values()].toSorted(rank).at(-1)!.channel;
}

function channelsOf(places: readonly Place[], packageName: string): JsonObject[] {
  const edges = edgesOf(places);
  const byName = new Map<string, JsonObject[]>();
  for (const place of places) {
    const { replaces = '', skips = [] } = edges.get(place) ?? {};
    const entry = {
      name: place.bundle.name,
      ...(replaces !== '' && { replaces }),
      ...(skips.length > 0 && { skips }),
    };
    byName.set(place.channel, [...(byName.get(place.channel) ?? []), entry]);
  }
  return [...byName]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, entries]) => ({ schema: schemas.channel, name, package: packageName, entries }));
}

/** Only the newest bundle of a minor version has edges: into it lead those of its major version that are older. */
function edgesOf(places: readonly Place[]): Map<Place, Edges> {
  const edges = new Map<Place, Edges>();
  let older: string[] = [];
  let replaces = '';
  for (const [index, place] of places.entries()) {
    const next = places[index + 1];
    const isSameMajor =
      next?.archetype === place.archetype &&
      next.stream === place.stream &&
      next.version.major === place.version.major;
    const isNewest = !isSameMajor || next.version.minor !== place.version.minor;
    if (isNewest) {
      const skipped = older.filter((name) => name !== replaces);
      edges.set(place, { replaces, skips: skipped.toSorted() });
      replaces = place.bundle.name;
    }
    older = [...older, place.bundle.name];
    if (isSameMajor) continue;
    older = [];
    replaces = '';
  }
  return edges;
}
