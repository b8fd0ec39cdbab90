import type { Crd } from 'ots-apiserver/decoding';
import type { Finding } from '../finding.ts';
import type { BundleAnnotations } from './annotations.ts';
import type { BundleFiles } from './bundle-files.ts';
import type { Csv } from './csv.ts';
import type { JsonObject } from './json.ts';

/** A bundle as far as it could be read. */
export interface Bundle {
  readonly files: BundleFiles;
  /** The name of its ClusterServiceVersion; empty without one. */
  readonly name: string;
  /** Empty where the annotations do not say. */
  readonly package: string;
  readonly channels: readonly string[];
  /** Empty where the annotations do not say. */
  readonly defaultChannel: string;
  readonly annotations: BundleAnnotations | undefined;
  /** The folder with the manifests, relative to the bundle; empty for the bundle itself. */
  readonly manifests: string;
  /** One for each manifest that could be read, in the order of file names. */
  readonly objects: readonly BundleObject[];
  readonly csv: BundleCsv | undefined;
  readonly crds: readonly BundleCrd[];
  /** Why OLM would not load the bundle. Empty for a bundle that can be loaded. */
  readonly problems: readonly Finding[];
}

/** The first document of a file. */
export interface BundleObject {
  readonly file: string;
  readonly object: JsonObject;
  /** Empty where it is not a text, as the next two. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** The ClusterServiceVersion of a bundle. */
export interface BundleCsv {
  readonly file: string;
  readonly csv: Csv;
}

/** A definition in the form of apiextensions.k8s.io/v1, also if its author wrote v1beta1. */
export interface BundleCrd {
  readonly file: string;
  readonly crd: Crd;
  /** The definition as its author wrote it, if that is v1beta1. */
  readonly v1beta1: JsonObject | undefined;
}
