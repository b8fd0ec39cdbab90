import { isSemverRange } from '../versions/semver-range.ts';
import type { ChannelEntry } from './catalog.ts';
import type { CatalogFinding, CatalogFindingType, Place } from './finding.ts';
import type { Deprecation, ModelBundle, ModelChannel, ModelPackage } from './model.ts';
import { hasObjects } from './properties.ts';
import { chainProblem } from './upgrade-graph.ts';

/** Checks the channels and upgrade graphs of packages whose parts fit together. */
export function checkGraphs(packages: ReadonlyMap<string, ModelPackage>): CatalogFinding[] {
  return [...packages.values()].flatMap((each) => [
    ...checkPackage(each),
    ...[...each.channels.values()].flatMap((channel) => checkChannel(channel, each)),
    ...checkVersions(each),
  ]);
}

function checkPackage({ source, channels, deprecation }: ModelPackage): CatalogFinding[] {
  const { name, defaultChannel, place } = source;
  const findings: CatalogFinding[] = [];
  const wrong = (type: CatalogFindingType, detail: string, channel?: string) =>
    findings.push({ type, package: name, ...(channel !== undefined && { channel }), detail, ...place });
  if (defaultChannel === '') {
    wrong('no-default-channel', `the package "${name}" has no defaultChannel`);
    if (channels.size === 0) wrong('no-channel', `the package "${name}" has no channel`);
  } else if (!channels.has(defaultChannel)) {
    const detail = `the default channel "${defaultChannel}" of the package "${name}" does not exist; name an existing one`;
    wrong('empty-channel', detail, defaultChannel);
  }
  return [...findings, ...checkMessage(deprecation, `the package "${name}"`, { package: name })];
}

function checkChannel(channel: ModelChannel, owner: ModelPackage): CatalogFinding[] {
  const { name, package: packageName, place } = channel.source;
  const about = { package: packageName, channel: name };
  const title = `the channel "${name}" of the package "${packageName}"`;
  const problem = channel.entries.size === 0 ? emptyChannel : chainProblem(channel.entries);
  return [
    ...(problem ? [{ type: problem.type, ...about, detail: `${title} ${problem.detail}`, ...place }] : []),
    ...[...channel.entries.values()].flatMap((entry) => checkEntry(entry, channel, owner)),
    ...checkMessage(channel.deprecation, title, about),
  ];
}

const emptyChannel = { type: 'empty-channel', detail: 'has no entries; add a bundle' } as const;

function checkEntry(entry: ChannelEntry, channel: ModelChannel, owner: ModelPackage): CatalogFinding[] {
  const bundle = owner.bundles.get(entry.name);
  const { name: channelName, package: packageName, place } = channel.source;
  const about = { package: packageName, channel: channelName, bundle: entry.name };
  const findings: CatalogFinding[] = [];
  const wrong = (type: CatalogFindingType, detail: string, at: Place) =>
    findings.push({ type, ...about, detail, ...at });
  const where = `the entry "${entry.name}" of the channel "${channelName}"`;
  for (const [index, skip] of entry.skips.entries())
    if (skip === '') wrong('empty-skip', `skips[${index}] of ${where} is empty; remove it`, place);
  if (entry.skipRange !== '' && !isSemverRange(entry.skipRange)) {
    const detail = `the skipRange "${entry.skipRange}" of ${where} is not a range of versions, such as >=1.0.0 <2.0.0`;
    wrong('invalid-skip-range', detail, place);
  }
  if (!bundle) return findings;
  for (const { type, detail } of bundleProblems(bundle)) wrong(type, detail, bundle.source.place);
  return [...findings, ...checkMessage(bundle.deprecation, `the bundle "${entry.name}"`, about)];
}

function* bundleProblems(bundle: ModelBundle): Generator<{ type: CatalogFindingType; detail: string }> {
  const { source, version, hasBuild, hasRelease } = bundle;
  const { name, package: packageName, image, properties } = source;
  const releaseName = `${packageName}-v${version}`;
  if (name === '')
    yield { type: 'bundle-without-name', detail: `a bundle of the package "${packageName}" has no name` };
  if (hasRelease && name !== releaseName)
    yield {
      type: 'wrong-bundle-name',
      detail: `the bundle "${name}" has a release, so its name must be "${releaseName}"`,
    };
  if (image === '' && !hasObjects(properties))
    yield { type: 'bundle-without-image', detail: `the bundle "${name}" has no image` };
  if (hasBuild && hasRelease)
    yield {
      type: 'build-with-release',
      detail: `the bundle "${name}" has a release, so its version cannot have build metadata`,
    };
}

function checkVersions({ source, bundles }: ModelPackage): CatalogFinding[] {
  const byVersion = new Map<string, ModelBundle[]>();
  for (const bundle of bundles.values())
    byVersion.set(bundle.version, [...(byVersion.get(bundle.version) ?? []), bundle]);
  return [...byVersion].flatMap(([version, same]): CatalogFinding[] => {
    if (same.length < 2) return [];
    const names = same.map((bundle) => bundle.source.name).toSorted();
    const detail = `the bundles ${names.join(', ')} of the package "${source.name}" have the same version ${version}`;
    return [{ type: 'duplicate-version', package: source.name, detail, ...same[1]!.source.place }];
  });
}

function checkMessage(
  deprecation: Deprecation | undefined,
  title: string,
  about: Pick<CatalogFinding, 'package' | 'channel' | 'bundle'>,
): CatalogFinding[] {
  if (!deprecation || deprecation.message !== '') return [];
  const detail = `the deprecation of ${title} has no message; say what to use instead`;
  return [{ type: 'deprecation-without-message', ...about, detail, ...deprecation.place }];
}
