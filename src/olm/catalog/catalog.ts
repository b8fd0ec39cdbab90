import type { JsonObject } from '../bundle/json.ts';
import type { CatalogFinding, Place } from './finding.ts';

/** The schemas that OLM knows. Objects of other schemas are kept and mean nothing to it. */
export const schemas = {
  package: 'olm.package',
  channel: 'olm.channel',
  bundle: 'olm.bundle',
  deprecations: 'olm.deprecations',
} as const;

/** A file-based catalog, as its author wrote it: texts are empty where they are absent. */
export interface Catalog {
  /** How many files were read. */
  readonly files: number;
  readonly packages: readonly CatalogPackage[];
  readonly channels: readonly CatalogChannel[];
  readonly bundles: readonly CatalogBundle[];
  readonly deprecations: readonly CatalogDeprecations[];
  /** The objects of other schemas. */
  readonly others: readonly CatalogBlob[];
  /** Why a part could not be read. */
  readonly problems: readonly CatalogFinding[];
}

/** An object of a catalog. */
export interface CatalogBlob {
  readonly schema: string;
  readonly blob: JsonObject;
  readonly place: Place;
}

/** An `olm.package`. */
export interface CatalogPackage {
  readonly name: string;
  readonly defaultChannel: string;
  readonly place: Place;
}

/** An `olm.channel`. */
export interface CatalogChannel {
  readonly name: string;
  readonly package: string;
  readonly entries: readonly ChannelEntry[];
  readonly place: Place;
}

/** A bundle in a channel, and which others it upgrades. */
export interface ChannelEntry {
  readonly name: string;
  readonly replaces: string;
  readonly skips: readonly string[];
  readonly skipRange: string;
}

/** An `olm.bundle`. */
export interface CatalogBundle {
  readonly name: string;
  readonly package: string;
  readonly image: string;
  readonly properties: readonly Property[];
  readonly relatedImages: readonly { readonly name: string; readonly image: string }[];
  readonly place: Place;
}

/** A property of a bundle. Its value is undefined where it is absent. */
export interface Property {
  readonly type: string;
  readonly value: unknown;
}

/** An `olm.deprecations`. */
export interface CatalogDeprecations {
  readonly package: string;
  readonly entries: readonly {
    readonly reference: { readonly schema: string; readonly name: string };
    readonly message: string;
  }[];
  readonly place: Place;
}
