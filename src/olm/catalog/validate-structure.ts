import { isDnsLabel } from 'ots-apimachinery/names';
import { imageProblem } from '../../images/image-problem.ts';
import { type Semver, formatSemver, parseRelease, parseSemver } from '../versions/semver.ts';
import type { Catalog, CatalogBundle, CatalogChannel, CatalogPackage } from './catalog.ts';
import { applyDeprecations } from './deprecations.ts';
import type { CatalogFinding, CatalogFindingType } from './finding.ts';
import type { ModelBundle, ModelPackage } from './model.ts';
import { packageProperty, packagesOf, valueProblem } from './properties.ts';

/** The packages of a catalog, and what is wrong with how its objects name each other. */
export interface Structure {
  readonly packages: ReadonlyMap<string, ModelPackage>;
  readonly findings: readonly CatalogFinding[];
}

/** Longer releases are refused by the definition of ClusterServiceVersion. */
const maxReleaseBytes = 20;

/**
 * Puts the objects of a catalog together. Does not repeat what follows from another finding: objects of a package whose name is missing,
 * entries whose bundle is in the wrong package.
 */
export function checkStructure(catalog: Catalog): Structure {
  const builder = new Builder();
  for (const source of catalog.packages) builder.addPackage(source);
  for (const source of catalog.channels) builder.addChannel(source);
  for (const source of catalog.bundles) builder.addBundle(source);
  builder.checkEntries();
  const { packages, findings } = builder;
  return { packages, findings: [...findings, ...applyDeprecations(catalog.deprecations, packages)] };
}

class Builder {
  readonly packages = new Map<string, ModelPackage>();
  readonly findings: CatalogFinding[] = [];
  #hasNamelessPackage = false;
  /** Bundles without a package, or in an unknown one. */
  readonly #misplaced = new Set<string>();
  /** Entries of channels that are refused, as [package, bundle]. */
  readonly #refusedEntries = new Set<string>();

  addPackage(source: CatalogPackage): void {
    const { name } = source;
    if (name === '') {
      this.#hasNamelessPackage = true;
      this.#report('package-without-name', source, {}, 'a package has no name');
      return;
    }
    const about = { package: name };
    if (this.packages.has(name)) {
      this.#report('duplicate-package', source, about, `the package "${name}" occurs twice; remove one`);
      return;
    }
    if (!isDnsLabel(name)) {
      const rule = 'use lowercase letters, digits and -, at most 63';
      this.#report('invalid-package-name', source, about, `"${name}" is not the name of a package; ${rule}`);
    }
    this.packages.set(name, { source, channels: new Map(), bundles: new Map() });
  }

  addChannel(source: CatalogChannel): void {
    const { name, package: packageName } = source;
    const about = { package: packageName, channel: name };
    const owner = this.packages.get(packageName);
    if (!owner) {
      if (this.#hasNamelessPackage) return;
      const detail = `the channel "${name}" is of the package "${packageName}", which the catalog does not have`;
      this.#report('unknown-package', source, about, detail);
      return;
    }
    if (name === '') {
      const detail = `a channel of the package "${packageName}" has no name`;
      this.#report('channel-without-name', source, about, detail);
      return this.#refuse(source);
    }
    if (owner.channels.has(name)) {
      const detail = `the channel "${name}" of the package "${packageName}" occurs twice; merge the entries`;
      this.#report('duplicate-channel', source, about, detail);
      return this.#refuse(source);
    }
    const entries = new Map<string, (typeof source.entries)[number]>();
    for (const entry of source.entries) {
      if (!entries.has(entry.name)) entries.set(entry.name, entry);
      else {
        const detail = `the channel "${name}" of the package "${packageName}" has the entry "${entry.name}" twice`;
        this.#report('duplicate-entry', source, { ...about, bundle: entry.name }, detail);
      }
    }
    owner.channels.set(name, { source, entries });
  }

  #refuse({ package: packageName, entries }: CatalogChannel): void {
    for (const { name } of entries) this.#refusedEntries.add(JSON.stringify([packageName, name]));
  }

  addBundle(source: CatalogBundle): void {
    const { name, package: packageName } = source;
    const about = { package: packageName, bundle: name };
    const owner = this.packages.get(packageName);
    if (packageName === '') {
      this.#misplaced.add(name);
      this.#report('bundle-without-package', source, about, `the bundle "${name}" does not say its package`);
    } else if (!owner) {
      this.#misplaced.add(name);
      if (this.#hasNamelessPackage) return;
      const detail = `the bundle "${name}" is of the package "${packageName}", which the catalog does not have`;
      this.#report('unknown-package', source, about, detail);
    } else if (owner.bundles.has(name)) {
      const detail = `the bundle "${name}" of the package "${packageName}" occurs twice; remove one`;
      this.#report('duplicate-bundle', source, about, detail);
    } else {
      owner.bundles.set(name, this.#bundleOf(source));
      this.#checkImages(source);
      this.#checkInChannel(source, owner);
    }
  }

  /** Reads the version. The version of a bundle with a finding does not matter: graphs are not checked then. */
  #bundleOf(source: CatalogBundle): ModelBundle {
    const { name, package: packageName } = source;
    const about = { package: packageName, bundle: name };
    const wrong = (type: CatalogFindingType, detail: string): ModelBundle => {
      this.#report(type, source, about, detail);
      return { source, version: '', hasBuild: false, hasRelease: false };
    };
    const problems = source.properties.flatMap((property, index) => {
      const problem = valueProblem(property);
      const type = property.type === '' ? '' : `, of type "${property.type}",`;
      return problem === undefined ? [] : [`properties[${index}]${type} of the bundle "${name}": ${problem}`];
    });
    for (const problem of problems.slice(1)) wrong('invalid-property', problem);
    if (problems[0] !== undefined) return wrong('invalid-property', problems[0]);
    const packages = packagesOf(source.properties);
    const [property] = packages;
    if (!property || packages.length > 1) {
      const detail = `the bundle "${name}" needs exactly 1 property ${packageProperty}, but has ${packages.length}`;
      return wrong('package-property-count', detail);
    }
    if (property.packageName !== packageName) {
      const detail = `the bundle "${name}" is of the package "${packageName}", but its property ${packageProperty} says "${property.packageName}"`;
      wrong('package-property-mismatch', detail);
    }
    const version = parseSemver(property.version);
    if (!version) {
      const detail = `the version "${property.version}" of the bundle "${name}" is not a semantic version, such as 1.2.3`;
      return wrong('invalid-version', detail);
    }
    const release = releaseOf(property.release);
    if (release !== undefined) return modelBundle(source, version, release);
    const detail = `the release "${property.release}" of the bundle "${name}" is not one: use parts of letters, digits and -, separated by dots, at most ${maxReleaseBytes} characters`;
    return wrong('invalid-release', detail);
  }

  #checkImages(source: CatalogBundle): void {
    const images = [
      { field: 'image', image: source.image },
      ...source.relatedImages.map(({ image }, index) => ({ field: `relatedImages[${index}].image`, image })),
    ];
    for (const { field, image } of images) {
      const problem = image === '' ? undefined : pullSpecProblem(image);
      if (problem === undefined) continue;
      const about = { package: source.package, bundle: source.name };
      this.#report('invalid-image', source, about, `${field} of the bundle "${source.name}" ${problem}`);
    }
  }

  #checkInChannel(source: CatalogBundle, { channels }: ModelPackage): void {
    const { name, package: packageName } = source;
    if (this.#refusedEntries.has(JSON.stringify([packageName, name]))) return;
    if ([...channels.values()].some(({ entries }) => entries.has(name))) return;
    const detail = `the bundle "${name}" of the package "${packageName}" is in no channel; add an entry to one`;
    this.#report('bundle-in-no-channel', source, { package: packageName, bundle: name }, detail);
  }

  /** Call it when all bundles are there. */
  checkEntries(): void {
    for (const [packageName, { channels, bundles }] of this.packages) {
      for (const { source, entries } of channels.values()) {
        for (const name of entries.keys()) {
          if (bundles.has(name) || this.#misplaced.has(name)) continue;
          const about = { package: packageName, channel: source.name, bundle: name };
          const detail = `the channel "${source.name}" of the package "${packageName}" has the entry "${name}", but the package has no such bundle`;
          this.#report('entry-without-bundle', source, about, detail);
        }
      }
    }
  }

  #report(
    type: CatalogFindingType,
    { place }: Pick<CatalogBundle, 'place'>,
    about: Pick<CatalogFinding, 'package' | 'channel' | 'bundle'>,
    detail: string,
  ): void {
    this.findings.push({ type, ...about, detail, ...place });
  }
}

/** The library that reads catalogs takes a first part for a registry only if it has a dot or a port. */
function pullSpecProblem(image: string): string | undefined {
  const [first] = /^[^/.:]*(?=\/)/.exec(image) ?? [''];
  if (first !== first.toLowerCase()) return `is "${image}"; the path of an image has no capitals`;
  return imageProblem(image);
}

/** @returns an empty list for no release, undefined for a malformed one */
function releaseOf(text: string): (string | bigint)[] | undefined {
  if (text === '') return [];
  return Buffer.byteLength(text) > maxReleaseBytes ? undefined : parseRelease(text);
}

function modelBundle(
  source: CatalogBundle,
  version: Semver,
  release: readonly (string | bigint)[],
): ModelBundle {
  const suffix = release.length > 0 ? `-${release.join('.')}` : '';
  return {
    source,
    version: `${formatSemver(version)}${suffix}`,
    hasBuild: version.build.length > 0,
    hasRelease: release.length > 0,
  };
}
