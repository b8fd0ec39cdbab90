/** Every kind of problem of a catalog: first those of reading it, then those of its parts, last those of the upgrade graphs. */
export type CatalogFindingType =
  | 'unreadable-file'
  | 'invalid-document'
  | 'missing-schema'
  | 'package-without-name'
  | 'duplicate-package'
  | 'invalid-package-name'
  | 'unknown-package'
  | 'channel-without-name'
  | 'duplicate-channel'
  | 'duplicate-entry'
  | 'bundle-without-package'
  | 'duplicate-bundle'
  | 'invalid-property'
  | 'package-property-count'
  | 'package-property-mismatch'
  | 'invalid-image'
  | 'invalid-version'
  | 'invalid-release'
  | 'bundle-in-no-channel'
  | 'entry-without-bundle'
  | 'deprecations-without-package'
  | 'duplicate-deprecations'
  | 'deprecation-without-schema'
  | 'duplicate-deprecation'
  | 'unknown-deprecation'
  | 'no-default-channel'
  | 'no-channel'
  | 'empty-channel'
  | 'no-head'
  | 'multiple-heads'
  | 'replaces-cycle'
  | 'stranded-bundles'
  | 'bundle-without-name'
  | 'wrong-bundle-name'
  | 'empty-skip'
  | 'invalid-skip-range'
  | 'bundle-without-image'
  | 'build-with-release'
  | 'deprecation-without-message'
  | 'duplicate-version';

/** Where an object of a catalog is. */
export interface Place {
  /** Relative to the catalog, with `/`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** What makes a catalog invalid. */
export interface CatalogFinding extends Partial<Place> {
  readonly type: CatalogFindingType;
  readonly package?: string;
  readonly channel?: string;
  readonly bundle?: string;
  /** What is wrong, and what would be right where it is not obvious, as one line. */
  readonly detail: string;
}
