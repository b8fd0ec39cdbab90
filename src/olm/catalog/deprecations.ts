import { type CatalogDeprecations, schemas } from './catalog.ts';
import type { CatalogFinding, CatalogFindingType } from './finding.ts';
import type { Deprecation, ModelPackage } from './model.ts';

type Entry = CatalogDeprecations['entries'][number];

/**
 * Notes in the packages what is deprecated.
 *
 * @returns what is wrong with the deprecations
 */
export function applyDeprecations(
  deprecations: readonly CatalogDeprecations[],
  packages: ReadonlyMap<string, ModelPackage>,
): CatalogFinding[] {
  const seen = new Set<string>();
  return deprecations.flatMap((source) => {
    const { package: name, place } = source;
    const owner = packages.get(name);
    const wrong = (type: CatalogFindingType, detail: string) => [{ type, package: name, detail, ...place }];
    if (name === '') return wrong('deprecations-without-package', 'deprecations do not say their package');
    if (!owner)
      return wrong(
        'unknown-package',
        `deprecations are of the package "${name}", which the catalog does not have`,
      );
    if (seen.has(name))
      return wrong(
        'duplicate-deprecations',
        `the package "${name}" has deprecations twice; merge the entries`,
      );
    seen.add(name);
    return applyEntries(source, owner);
  });
}

function applyEntries({ package: name, entries, place }: CatalogDeprecations, owner: ModelPackage) {
  const seen = new Set<string>();
  return entries.flatMap((entry, index): CatalogFinding[] => {
    const { schema, name: referenced } = entry.reference;
    const key = JSON.stringify([schema, referenced]);
    const isDuplicate = seen.has(key);
    seen.add(key);
    const about = { package: name, ...placeOf(entry) };
    const where = `entries[${index}] of the deprecations of the package "${name}"`;
    if (schema === '')
      return [{ type: 'deprecation-without-schema', ...about, detail: `${where} has no schema`, ...place }];
    if (isDuplicate) {
      const detail = `${where} repeats one for ${schema} "${referenced}"; remove one`;
      return [{ type: 'duplicate-deprecation', ...about, detail, ...place }];
    }
    const problem = deprecate(owner, entry, { message: entry.message, place });
    return problem === undefined
      ? []
      : [{ type: 'unknown-deprecation', ...about, detail: `${where} ${problem}`, ...place }];
  });
}

function placeOf({ reference: { schema, name } }: Entry): Pick<CatalogFinding, 'channel' | 'bundle'> {
  if (schema === schemas.channel) return { channel: name };
  return schema === schemas.bundle ? { bundle: name } : {};
}

/** @returns why it cannot be */
function deprecate(owner: ModelPackage, { reference }: Entry, deprecation: Deprecation): string | undefined {
  const { schema, name } = reference;
  if (schema === schemas.package) {
    if (name !== '') return `names the package "${name}"; leave out the name, as it means the whole package`;
    owner.deprecation = deprecation;
    return undefined;
  }
  const isKnown = schema === schemas.bundle || schema === schemas.channel;
  if (!isKnown)
    return `is about the schema "${schema}"; use ${Object.values(schemas).slice(0, 3).join(', ')}`;
  const target = schema === schemas.bundle ? owner.bundles.get(name) : owner.channels.get(name);
  // The default channel needs no olm.channel to be known, although it must have one in the end.
  const isDefault = schema === schemas.channel && name !== '' && owner.source.defaultChannel === name;
  if (!target) return isDefault ? undefined : `is about ${schema} "${name}", which does not exist`;
  target.deprecation = deprecation;
  return undefined;
}
