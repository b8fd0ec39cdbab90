import type { DeepReadonly } from 'ots-runtime';
import type { LabelSelector } from 'ots-kubernetes/meta/v1';
import { labelSelectorMatcher } from '../../workloads/pods/label-selector-matcher.ts';
import { type Catalog, type CatalogBundle, deprecationKey } from '../content/catalog.ts';
import { compareVersions, isInRange } from '../content/versions.ts';
import type { CatalogFilter, ClusterCatalog, InstalledBundle } from './kinds.ts';

/** No bundle can be chosen. */
export class ResolutionError extends Error {
  override readonly name = 'ResolutionError';
}

/**
 * Finds the bundle that an extension wants: of all that its channels, its range of versions and the upgrade graph allow, the newest one that is
 * not deprecated, from the catalog with the highest priority.
 *
 * @param served the contents of catalogs, by their names
 * @throws {ResolutionError} when there is none, or when catalogs with the same priority have one
 */
export function resolveExtension(
  filter: DeepReadonly<CatalogFilter>,
  installed: DeepReadonly<InstalledBundle> | undefined,
  catalogs: readonly DeepReadonly<ClusterCatalog>[],
  served: ReadonlyMap<string, Catalog>,
): CatalogBundle {
  const found = catalogs
    .filter((catalog) => isSelected(catalog, filter))
    .flatMap(({ metadata: { name = '' }, spec }) => {
      const catalog = served.get(name);
      if (!catalog)
        throw new ResolutionError(
          `error walking catalogs: error getting package "${filter.packageName}" from catalog "${name}": cache for catalog "${name}" not found`,
        );
      const [bundle] = candidates(catalog, filter, installed);
      if (!bundle) return [];
      return [{ bundle, name, priority: spec.priority ?? 0, isDeprecated: isDeprecated(catalog, bundle) }];
    });
  const current = found.some((each) => !each.isDeprecated)
    ? found.filter((each) => !each.isDeprecated)
    : found;
  const [first, second] = current.toSorted((a, b) => b.priority - a.priority);
  if (first && first.priority !== second?.priority) return first.bundle;
  const names = current.map(({ name }) => name).toSorted();
  throw new ResolutionError(ambiguity(filter, installed, names));
}

function isSelected(
  { metadata, spec }: DeepReadonly<ClusterCatalog>,
  { selector }: DeepReadonly<CatalogFilter>,
): boolean {
  if (spec.availabilityMode === 'Unavailable') return false;
  if (!selector) return true;
  return labelSelectorMatcher(selector as LabelSelector)(metadata.labels);
}

/** The bundles of a catalog that fit, the best one first. */
function candidates(
  catalog: Catalog,
  { packageName, channels = [], version, upgradeConstraintPolicy }: DeepReadonly<CatalogFilter>,
  installed: DeepReadonly<InstalledBundle> | undefined,
): CatalogBundle[] {
  const own = catalog.channels.filter((channel) => channel.package === packageName);
  const entries = own.flatMap((channel) => channel.entries);
  const allowed = own
    .filter(({ name }) => channels.length === 0 || channels.includes(name))
    .flatMap((channel) => channel.entries.map(({ name }) => name));
  const follows = ({ name, version: next }: CatalogBundle, before: DeepReadonly<InstalledBundle>) =>
    compareVersions(next, before.version) === 0 ||
    entries.some(
      (entry) =>
        entry.name === name &&
        (entry.replaces === before.name ||
          entry.skips.includes(before.name) ||
          (entry.skipRange !== undefined && isInRange(before.version, entry.skipRange))),
    );
  const rank = (bundle: CatalogBundle) => (isDeprecated(catalog, bundle) ? 1 : 0);
  return [...catalog.bundles.values()]
    .filter((bundle) => bundle.package === packageName)
    .filter(({ name }) => channels.length === 0 || allowed.includes(name))
    .filter((bundle) => version === undefined || isInRange(bundle.version, version))
    .filter(
      (bundle) => !installed || upgradeConstraintPolicy === 'SelfCertified' || follows(bundle, installed),
    )
    .toSorted((a, b) => rank(a) - rank(b) || compareVersions(b.version, a.version));
}

function isDeprecated({ deprecations }: Catalog, bundle: CatalogBundle): boolean {
  return deprecations.has(deprecationKey(bundle.package, 'olm.bundle', bundle.name));
}

function ambiguity(
  { packageName, version, channels = [] }: DeepReadonly<CatalogFilter>,
  installed: DeepReadonly<InstalledBundle> | undefined,
  catalogs: readonly string[],
): string {
  return [
    installed && `error upgrading from currently installed version "${installed.version}":`,
    `${catalogs.length > 1 ? 'found' : 'no'} bundles ${catalogs.length > 1 ? '' : 'found '}for package "${packageName}"`,
    version !== undefined && `matching version "${version}"`,
    channels.length > 0 && `in channels [${channels.join(' ')}]`,
    catalogs.length > 1 && `in multiple catalogs with the same priority [${catalogs.join(' ')}]`,
  ]
    .filter((part) => typeof part === 'string')
    .join(' ');
}
