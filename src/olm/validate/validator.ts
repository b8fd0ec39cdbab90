import type { Platform } from '../../images/image-manifest.ts';
import type { Bundle } from '../bundle/bundle.ts';
import type { Finding } from '../finding.ts';

/** The platforms of an image, or why they are not known. */
export type InspectedImage = { readonly platforms: readonly Platform[] } | { readonly problem: string };

/** By the reference of the image, as the bundle has it. */
export type InspectedImages = ReadonlyMap<string, InspectedImage>;

/** What validators know beside the bundle. */
export interface ValidatorInputs {
  /** `--optional-values`: `k8s-version`, `index-path` and `olm-v1-version`. */
  readonly values: Readonly<Record<string, string>>;
  /** The categories of the file that OPERATOR_BUNDLE_CATEGORIES names; absent without one. */
  readonly categories?: readonly string[] | { readonly problem: string };
  /** The file that `index-path` names; absent without one. */
  readonly indexFile?: { readonly text: string } | { readonly problem: string };
  /** What registries say about the images of the bundle, if a validator asks for it. */
  readonly images?: InspectedImages;
}

/** Finds what one group of rules objects to. A bundle without a ClusterServiceVersion has none of the problems of one. */
export type Validator = (bundle: Bundle, inputs: ValidatorInputs) => Finding[];
