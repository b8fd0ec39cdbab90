import type { CatalogFinding, CatalogFindingType } from '../../../src/olm/catalog/finding.ts';

/** What a finding is about. */
export type Subject = Pick<CatalogFinding, 'type' | 'package' | 'channel' | 'bundle'>;

/** What each message of opm is about. The names of groups are those of a finding. A message that fits none fails the test. */
const messages: readonly (readonly [type: CatalogFindingType, message: RegExp])[] = [
  ['missing-schema', /is missing root schema field$/],
  ['package-without-name', /^config contains package with no name$/],
  ['duplicate-package', /^duplicate package "(?<package>.*)"$/],
  ['invalid-package-name', /^invalid package name "(?<package>.*?)": /],
  ['unknown-package', /^unknown package "(?<package>.*)" for channel "(?<channel>.*)"$/],
  ['unknown-package', /^unknown package "(?<package>.*)" for bundle "(?<bundle>.*)"$/],
  ['unknown-package', /^cannot apply deprecations to an unknown package "(?<package>.*)"$/],
  ['channel-without-name', /^package "(?<package>.*)" contains channel with no name$/],
  ['duplicate-channel', /^package "(?<package>.*)" has duplicate channel "(?<channel>.*)"$/],
  [
    'duplicate-entry',
    /^invalid package "(?<package>.*)", channel "(?<channel>.*)": duplicate entry "(?<bundle>.*)"$/,
  ],
  ['bundle-without-package', /^package name must be set for bundle "(?<bundle>.*)"$/],
  ['duplicate-bundle', /^package "(?<package>.*)" has duplicate bundle "(?<bundle>.*)"$/],
  ['invalid-property', /^parse properties for bundle "(?<bundle>.*?)": /],
  ['package-property-count', /^package "(?<package>.*)" bundle "(?<bundle>.*)" must have exactly 1 /],
  ['package-property-mismatch', /^package "(?<package>.*)" does not match "olm.package" property /],
  ['invalid-image', /^package "(?<package>.*?)" bundle "(?<bundle>.*?)" \S+: invalid image pull spec /],
  ['invalid-version', /^error parsing bundle "(?<bundle>.*?)" version /],
  ['invalid-release', /^error parsing bundle "(?<bundle>.*?)" release version /],
  [
    'bundle-in-no-channel',
    /^package "(?<package>.*)", bundle "(?<bundle>.*)" not found in any channel entries$/,
  ],
  [
    'entry-without-bundle',
    /^no olm.bundle blobs found in package "(?<package>.*)" for olm.channel entries \[(?<bundle>.*)\]$/,
  ],
  ['deprecations-without-package', /^package name must be set for deprecation item /],
  ['duplicate-deprecations', /^expected a maximum of one deprecation per package: "(?<package>.*)"$/],
  [
    'deprecation-without-schema',
    /^schema must be set for deprecation entry .* for package "(?<package>.*)"$/,
  ],
  ['duplicate-deprecation', /^duplicate deprecation entry .* for package "(?<package>.*)"$/],
  ['unknown-deprecation', /^cannot deprecate bundle "(?<bundle>.*)" for package "(?<package>.*?)": /],
  ['unknown-deprecation', /^cannot deprecate channel "(?<channel>.*)" for package "(?<package>.*?)": /],
  ['unknown-deprecation', /^package name must be empty for deprecated package "(?<package>.*)" /],
  ['unknown-deprecation', /^cannot deprecate object .* for package "(?<package>.*)": object schema unknown$/],
  ['no-default-channel', /^default channel must be set$/],
  ['no-channel', /^package must contain at least one channel$/],
  ['empty-channel', /^channel must contain at least one bundle$/],
  ['no-head', /^no channel head found in graph$/],
  ['multiple-heads', /^multiple channel heads found in graph: /],
  ['replaces-cycle', /^detected cycle in replaces chain of upgrade graph: /],
  ['stranded-bundles', /^channel contains one or more stranded bundles: /],
  ['bundle-without-name', /^name must be set$/],
  ['wrong-bundle-name', /does not match normalized name/],
  ['empty-skip', /^skip\[\d+\] is empty$/],
  ['invalid-skip-range', /^invalid skipRange /],
  ['bundle-without-image', /^bundle image must be set$/],
  ['build-with-release', /^cannot use build metadata in version with a release version$/],
  ['deprecation-without-message', /^invalid deprecation: message must be set$/],
  ['duplicate-version', /^duplicate versions found in bundles: /],
];

/** Reads a line of the tree that opm prints: its branches name the package, channel and bundle. */
export function subjectsOf(error: string): Subject[] {
  const branches = error.split(' > ');
  const leaf = branches.pop()!;
  const places = branches.map((branch) => /^invalid (\w+) "(.*)"$/.exec(branch)?.slice(1) ?? ['index', '']);
  const { index: _, ...named } = Object.fromEntries(places) as Record<string, string>;
  for (const [type, message] of messages) {
    const match = message.exec(leaf);
    if (!match) continue;
    const subject = { type, ...named, ...match.groups };
    // One message names all entries of a package.
    if (type !== 'entry-without-bundle') return [subject];
    return (match.groups?.['bundle'] ?? '').split(' ').map((bundle) => ({ ...subject, bundle }));
  }
  throw new Error(`opm says something else: ${leaf}`);
}

/** Ours says more than theirs does in some places: leave out what theirs leaves out. */
export function comparable(finding: CatalogFinding, theirs: readonly Subject[]): Subject {
  const { type, ...about } = finding;
  const same = theirs.find((subject) => subject.type === type) ?? finding;
  const keys = (['package', 'channel', 'bundle'] as const).filter((key) => same[key] !== undefined);
  return { type, ...Object.fromEntries(keys.map((key) => [key, about[key]])) };
}
