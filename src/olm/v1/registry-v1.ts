import type { Csv } from '../bundle/csv.ts';
import type { JsonObject } from '../bundle/json.ts';

/** A bundle as OLM v1 reads it. */
export interface RegistryV1 {
  /** Empty where the annotations do not say. */
  readonly package: string;
  readonly csv: Csv;
  /** The file of the ClusterServiceVersion. */
  readonly file: string;
  /** Their fields have the right types. */
  readonly crds: readonly ManifestObject[];
  /** As their authors wrote them. */
  readonly others: readonly ManifestObject[];
}

/** An object of a manifest. */
export interface ManifestObject {
  readonly file: string;
  readonly object: JsonObject;
  readonly kind: string;
  /** Empty where it is not a text. */
  readonly name: string;
}

/** Why OLM v1 cannot read a bundle. The message is one line. */
export class UnreadableBundleError extends Error {
  override readonly name = 'UnreadableBundleError';
  readonly file: string | undefined;

  constructor(problem: string, file?: string) {
    super(problem);
    this.file = file;
  }
}
