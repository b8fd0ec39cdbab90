import { isUrl } from 'ots-apimachinery/go/parse-url';
import type { BundleCsv } from '../bundle/bundle.ts';
import { type Finding, reporter } from '../finding.ts';
import { parseTolerantSemver } from '../versions/semver.ts';
import { validateCapabilities } from './capabilities.ts';
import { validateCategories } from './categories.ts';
import { csvFinding, validateMinKubeVersion } from './csv.ts';
import { removedApis } from './deprecated-apis.ts';
import { isMailAddress } from './mail-address.ts';
import type { Validator } from './validator.ts';

const mediaTypes = new Set(['image/gif', 'image/jpeg', 'image/png', 'image/svg+xml']);

/** What OperatorHub.io asks of a bundle. */
export const validateOperatorHub: Validator = (bundle, inputs) =>
  hubFindings('operatorhubv2', bundle, inputs);

/** The deprecated union of the rules for OperatorHub.io, capabilities and categories. */
export const validateOldOperatorHub: Validator = (bundle, inputs) => {
  const validator = 'operatorhub';
  return [
    ...hubFindings(validator, bundle, inputs),
    ...validateCapabilities(bundle, inputs).map((finding) => ({ ...finding, validator })),
    ...validateCategories(bundle, inputs).map((finding) => ({ ...finding, validator })),
    reporter(validator).warning({
      type: 'DeprecatedValidator',
      detail: 'the validator operatorhub is deprecated: use operatorhubv2, capabilities and categories',
    }),
  ];
};

function hubFindings(validator: string, ...[bundle, inputs]: Parameters<Validator>): Finding[] {
  const { csv } = bundle;
  if (!csv) return [];
  const errors = [
    ...providerProblems(csv),
    ...maintainerProblems(csv),
    ...linkProblems(csv),
    ...versionProblems(csv),
    ...iconProblems(csv),
  ];
  const withoutIcon =
    csv.csv.spec?.icon === undefined ? [csvFinding(validator, csv, 'warning', 'spec.icon is missing')] : [];
  return [
    ...errors.map((detail) => csvFinding(validator, csv, 'error', detail)),
    ...withoutIcon,
    ...validateMinKubeVersion(csv, validator),
    ...removedApis(validator, bundle, inputs),
  ];
}

function providerProblems({ csv: { spec } }: BundleCsv): string[] {
  return spec?.provider?.name?.trim() ? [] : ['spec.provider.name is missing'];
}

function maintainerProblems({ csv: { spec } }: BundleCsv): string[] {
  return (spec?.maintainers ?? []).flatMap(({ name = '', email = '' }, index) => [
    ...(name === '' || email === '' ? [`spec.maintainers[${index}] needs a name and an email`] : []),
    ...(email === '' || isMailAddress(email)
      ? []
      : [`spec.maintainers[${index}].email is "${email}", not an address`]),
  ]);
}

function linkProblems({ csv: { spec } }: BundleCsv): string[] {
  return (spec?.links ?? []).flatMap(({ name = '', url = '' }, index) => [
    ...(name === '' || url === '' ? [`spec.links[${index}] needs a name and a url`] : []),
    ...(url === '' || isUrl(url) ? [] : [`spec.links[${index}].url is "${url}", not a URL`]),
  ]);
}

function versionProblems({ csv: { spec } }: BundleCsv): string[] {
  const { major, minor, patch, prerelease } = parseTolerantSemver(spec?.version ?? '0.0.0') ?? {};
  const isSet = major !== 0n || minor !== 0n || patch !== 0n || prerelease?.length !== 0;
  return isSet ? [] : ['spec.version is missing or 0.0.0'];
}

function iconProblems({ csv: { spec } }: BundleCsv): string[] {
  const icons = spec?.icon;
  if (icons === undefined) return [];
  const [icon] = icons;
  const { base64data = '', mediatype = '' } = icon ?? {};
  return [
    ...(icons.length === 1 ? [] : [`spec.icon has ${icons.length} entries and needs exactly one`]),
    ...(icon && (base64data === '' || mediatype === '')
      ? ['spec.icon[0] needs base64data and a mediatype']
      : []),
    ...(mediatype === '' || mediaTypes.has(mediatype)
      ? []
      : [`spec.icon[0].mediatype is "${mediatype}", not one of ${[...mediaTypes].join(', ')}`]),
  ];
}
