import type { Bundle } from '../bundle/bundle.ts';
import { renderBundle } from '../catalog/render-bundle.ts';
import { type Finding, reporter } from '../finding.ts';
import { type Refusal, checkBundle, checkConvertedCrds } from '../v1/check-bundle.ts';
import { checkSupport } from '../v1/check-support.ts';
import { readRegistryV1 } from '../v1/read-registry-v1.ts';
import { UnreadableBundleError } from '../v1/registry-v1.ts';
import { type SupportedFeatures, newestOlmV1, supportedFeatures } from '../v1/supported-features.ts';
import type { Validator } from './validator.ts';

const { error } = reporter('olmv1');

/** What keeps a ClusterExtension from installing the bundle, in the version of OLM v1 that the option `olm-v1-version` names. */
export const validateForOlmV1: Validator = (bundle, { values }) => {
  const { 'olm-v1-version': version = '' } = values;
  const features = supportedFeatures(version === '' ? newestOlmV1 : version);
  if (!features) {
    const detail = `the option olm-v1-version is "${version}", not a version such as ${newestOlmV1}`;
    return [error({ type: 'ValidationFailed', detail })];
  }
  try {
    return [...refusals(bundle, features), ...dependencies(bundle)];
  } catch (cause) {
    if (!(cause instanceof UnreadableBundleError)) throw cause;
    return [finding({ rule: 'unreadable', subject: '', detail: cause.message, ...fileOf(cause) })];
  }
};

function fileOf({ file }: UnreadableBundleError) {
  return file === undefined ? {} : { file };
}

/** All of them, where OLM v1 stops at the first step. */
function refusals({ files }: Bundle, { webhooks, singleOwnNamespace }: SupportedFeatures): Finding[] {
  const bundle = readRegistryV1(files);
  return [
    ...checkSupport(bundle, { certificates: webhooks ? 'cert-manager' : 'none', singleOwnNamespace }),
    ...checkBundle(bundle),
    ...checkConvertedCrds(bundle),
  ].map(finding);
}

function finding({ rule, subject, detail, file }: Refusal): Finding {
  return error({
    type: 'ClusterExtensionRefused',
    value: subject === '' ? rule : `${rule} ${subject}`,
    detail,
    ...(file !== undefined && { file }),
  });
}

const dependencyProperties = ['olm.package.required', 'olm.gvk.required', 'olm.constraint'];

/** OLM v1 does not choose a bundle that needs another one, wherever the bundle says so. */
function dependencies(bundle: Bundle): Finding[] {
  const types = new Set(renderBundle(bundle, '').properties.map(({ type }) => type));
  return dependencyProperties
    .filter((type) => types.has(type))
    .map((type) =>
      finding({
        rule: 'dependency',
        subject: type,
        detail: `the bundle needs others (${type}); OLM v1 installs no dependencies`,
      }),
    );
}
