import { parseCatalog } from '../../../src/olm/catalog/read-catalog.ts';
import { type CatalogVerdict, validateCatalog } from '../../../src/olm/catalog/validate-catalog.ts';

type Blob = Record<string, unknown>;

export const brew: Blob = { schema: 'olm.package', name: 'brew', defaultChannel: 'stable' };

/** An entry of a channel for a version of brew. */
export function entry(version: string, fields: Blob = {}): Blob {
  return { name: `brew.v${version}`, ...fields };
}

/** The channel stable of brew. */
export function channel(entries: readonly Blob[], fields: Blob = {}): Blob {
  return { schema: 'olm.channel', package: 'brew', name: 'stable', entries, ...fields };
}

/** A bundle of brew. */
export function bundle(version: string, fields: Blob = {}): Blob {
  const value = { packageName: 'brew', version };
  return {
    schema: 'olm.bundle',
    package: 'brew',
    name: `brew.v${version}`,
    image: `registry.example.com/brew-bundle:v${version.replace('+', '-')}`,
    properties: [{ type: 'olm.package', value }],
    ...fields,
  };
}

/** Deprecations of brew. */
export function deprecations(...entries: readonly Blob[]): Blob {
  return { schema: 'olm.deprecations', package: 'brew', entries };
}

/** The text of a catalog with one object per line. */
export function textOf(blobs: readonly unknown[]): string {
  return blobs.map((blob) => `${JSON.stringify(blob)}\n`).join('');
}

export function verdictOf(...blobs: readonly unknown[]): CatalogVerdict {
  return validateCatalog(parseCatalog('catalog.json', textOf(blobs)));
}
