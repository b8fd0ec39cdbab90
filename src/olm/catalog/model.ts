import type { CatalogBundle, CatalogChannel, CatalogPackage, ChannelEntry } from './catalog.ts';
import type { Place } from './finding.ts';

/** A package whose parts fit together: every entry of a channel has its bundle. */
export interface ModelPackage {
  readonly source: CatalogPackage;
  readonly channels: Map<string, ModelChannel>;
  readonly bundles: Map<string, ModelBundle>;
  deprecation?: Deprecation;
}

/** A channel, with its entries by the names of their bundles. */
export interface ModelChannel {
  readonly source: CatalogChannel;
  readonly entries: Map<string, ChannelEntry>;
  deprecation?: Deprecation;
}

/** A bundle. */
export interface ModelBundle {
  readonly source: CatalogBundle;
  /** Canonical, with the release. Two bundles of a package may not share one. */
  readonly version: string;
  readonly hasBuild: boolean;
  readonly hasRelease: boolean;
  deprecation?: Deprecation;
}

/** Why users should leave a package, a channel or a bundle. */
export interface Deprecation {
  readonly message: string;
  readonly place: Place;
}
