import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { Span } from '../source/source-text.ts';
import type { KindVersion } from './build-crds.ts';

/**
 * Checks that the versions of one kind are compatible with each other.
 * @returns whether they are; if not, the errors are in the diagnostics
 */
export function checkVersions(versions: readonly KindVersion[], diagnostics: Diagnostics): boolean {
  let valid = true;
  const fail = (version: KindVersion, span: Span, message: string, hint: string) => {
    valid = false;
    diagnostics.error(version.kind.declaration.module.source, span, 'kind-versions', message, hint);
  };
  const [first] = versions;
  const { kind } = first!.kind;
  const byName = new Map<string, KindVersion>();
  for (const version of versions) {
    const { kind: own } = version;
    const same = byName.get(own.version);
    if (same) {
      const where = same.kind.declaration.module.source.path;
      fail(
        version,
        own.apiVersionSpan,
        `${kind} ${own.group}/${own.version} is also declared in ${where}`,
        'remove one of them',
      );
    }
    byName.set(own.version, version);
    for (const name of ['plural', 'scope'] as const) {
      if (own[name] === first!.kind[name]) continue;
      const message = `${name} is ${own[name]} here and ${first!.kind[name]} in version ${first!.kind.version}`;
      fail(version, own.definition.properties.get(name)!.span, message, 'all versions of a kind share them');
    }
  }
  for (const version of versions.slice(1)) {
    const problem = findDisagreement(version, versions);
    if (problem)
      fail(version, version.kind.declaration.nameSpan, problem, 'the CRD has one for all versions');
  }
  const storage = versions.filter(({ tags }) => tags.storage);
  if (versions.length > 1 && storage.length === 0) {
    const hint = 'add @storageVersion to the version that the API server stores';
    fail(
      first!,
      first!.kind.declaration.nameSpan,
      `none of the ${versions.length} versions of ${kind} is the storage version`,
      hint,
    );
  }
  for (const version of storage.slice(1)) {
    const message = `${kind} has another storage version, ${storage[0]!.kind.version}`;
    fail(version, version.tags.storage!.span, message, 'keep one @storageVersion');
  }
  if (versions.every(({ tags }) => tags.unserved)) {
    fail(first!, first!.kind.declaration.nameSpan, `no version of ${kind} is served`, 'remove an @unserved');
  }
  return valid;
}

/** Finds a statement about the whole CRD on which another version differs. */
function findDisagreement(version: KindVersion, versions: readonly KindVersion[]): string | undefined {
  for (const [what, value] of entries(version)) {
    for (const other of versions) {
      const [, same] = entries(other).find(([name]) => name === what) ?? [];
      if (same !== undefined && same !== value)
        return `${what} is ${value} here and ${same} in version ${other.kind.version}`;
    }
  }
  return undefined;
}

function entries({ tags }: KindVersion): (readonly [what: string, value: string])[] {
  return [
    ...(tags.singular === undefined ? [] : [['the singular', tags.singular] as const]),
    ...Array.from(tags.labels, ([name, value]) => [`the label ${name}`, value] as const),
    ...Array.from(tags.annotations, ([name, value]) => [`the annotation ${name}`, value] as const),
  ];
}
