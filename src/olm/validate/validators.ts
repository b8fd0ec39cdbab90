import { validateBundle } from './bundle.ts';
import { validateCapabilities } from './capabilities.ts';
import { validateCategories } from './categories.ts';
import { validateCommunity } from './community.ts';
import { validateContent } from './content.ts';
import { validateCrds } from './crd.ts';
import { validateCsv } from './csv.ts';
import { validateDeprecatedApis } from './deprecated-apis.ts';
import { validateFormat } from './format.ts';
import { validateGoodPractices } from './good-practices.ts';
import { validateMultiarch } from './multiarch.ts';
import { validateObjects } from './object.ts';
import { validateForOlmV1 } from './olm-v1.ts';
import { validateOldOperatorHub, validateOperatorHub } from './operator-hub.ts';
import type { Validator } from './validator.ts';

/** A validator that runs when a selector or `--all` chooses it. */
export interface OptionalValidator {
  /** As in `--select-optional name=…`, and in operator-sdk. */
  readonly name: string;
  /** As findings name it, if that is another name. */
  readonly findingsName?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly description: string;
  /** Whether `--all` leaves it out: others contain it, or it no longer has a purpose. */
  readonly isDeprecated?: boolean;
  /** Whether it asks registries about the images of the bundle. `--all` leaves it out, too: the images may not have been pushed. */
  readonly needsImages?: boolean;
  readonly validate: Validator;
}

/** The validators that every bundle has to pass. */
export const requiredValidators: Readonly<Record<string, Validator>> = {
  format: validateFormat,
  content: validateContent,
  bundle: validateBundle,
  csv: validateCsv,
  crd: validateCrds,
};

const suite = 'operatorframework';

/** In the order of `--list-optional`. */
export const optionalValidators: readonly OptionalValidator[] = [
  {
    name: 'operatorhubv2',
    labels: { name: 'operatorhubv2', suite },
    description: 'what OperatorHub.io asks of provider, maintainers, links, version and icon',
    validate: validateOperatorHub,
  },
  {
    name: 'capabilities',
    findingsName: 'standardcapabilities',
    labels: { name: 'capabilities', suite },
    description: 'the capability level is one of five',
    validate: validateCapabilities,
  },
  {
    name: 'categories',
    findingsName: 'standardcategories',
    labels: { name: 'categories', suite },
    description: 'the categories are those of OperatorHub.io, or of the file OPERATOR_BUNDLE_CATEGORIES',
    validate: validateCategories,
  },
  {
    name: 'operatorhub',
    labels: { name: 'operatorhub' },
    description: 'deprecated: the three above in one',
    isDeprecated: true,
    validate: validateOldOperatorHub,
  },
  {
    name: 'community',
    labels: { name: 'community' },
    description: 'deprecated: a bundle with APIs removed in Kubernetes 1.22 stays out of OpenShift 4.9',
    validate: validateCommunity,
  },
  {
    name: 'alpha-deprecated-apis',
    labels: { name: 'alpha-deprecated-apis', suite },
    description: 'APIs that Kubernetes 1.22, 1.25 and 1.26 removed; errors with the option k8s-version',
    validate: validateDeprecatedApis,
  },
  {
    name: 'good-practices',
    labels: { name: 'good-practices', suite },
    description: 'requests, descriptions, names of channels and bundle, rights to create CRDs',
    validate: validateGoodPractices,
  },
  {
    name: 'object',
    labels: { name: 'object' },
    description: 'disruption budgets, priority classes and rights that affect a whole cluster',
    validate: validateObjects,
  },
  {
    name: 'olmv1',
    labels: { name: 'olmv1' },
    description:
      'what keeps OLM v1 from installing the bundle; for older versions with the option olm-v1-version',
    validate: validateForOlmV1,
  },
  {
    name: 'multiarch',
    labels: { name: 'multiarch' },
    description: 'the images run on the platforms of the labels; asks registries, so --all leaves it out',
    needsImages: true,
    validate: validateMultiarch,
  },
];
