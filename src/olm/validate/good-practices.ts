import type { Bundle, BundleCsv } from '../bundle/bundle.ts';
import { type Finding, type Level, reporter } from '../finding.ts';
import { parseSemver } from '../versions/semver.ts';
import { includesOne } from './includes-one.ts';
import type { Validator } from './validator.ts';

const report = reporter('good-practices');
const channelNames = /^(?:candidate|stable|fast)/;
const versionAtEnd = /\d+\.\d+\.\d+(?:-[-0-9A-Za-z]+(?:\.[-0-9A-Za-z]+)*)?(?:\+[-0-9A-Za-z]+)?$/;

/** What experience with operators advises. */
export const validateGoodPractices: Validator = (bundle) => {
  const { csv } = bundle;
  if (!csv) return [];
  return [
    ...validateRequests(csv),
    ...validateDescriptions(csv),
    ...validateChannels(bundle),
    ...validateRights(csv),
    ...validateName(csv),
  ];
};

function finding({ csv, file }: BundleCsv, level: Level, detail: string): Finding {
  return report[level]({ type: 'ValidationFailed', value: csv.metadata?.name ?? '', file, detail });
}

function validateRequests(csv: BundleCsv): Finding[] {
  const deployments = csv.csv.spec?.install?.spec?.deployments;
  if (!deployments)
    return [finding(csv, 'error', 'spec.install.spec.deployments is missing: OLM has nothing to install')];
  return deployments
    .flatMap(({ spec }) => spec?.template?.spec?.containers ?? [])
    .filter(({ resources }) => resources?.requests === undefined)
    .map(({ name }) =>
      finding(csv, 'warning', `container ${name} requests no cpu and memory, which some clusters require`),
    );
}

function validateDescriptions(csv: BundleCsv): Finding[] {
  const { owned = [], required = [] } = csv.csv.spec?.customresourcedefinitions ?? {};
  return [
    ...owned.map((crd) => ['owned', crd] as const),
    ...required.map((crd) => ['required', crd] as const),
  ]
    .filter(([, { description }]) => !description)
    .map(([relation, { name }]) =>
      finding(csv, 'warning', `the ${relation} CRD "${name}" has no description`),
    );
}

function validateChannels({ channels, defaultChannel, annotations }: Bundle): Finding[] {
  const unusual = [...new Set([...channels, defaultChannel])].filter(
    (channel) => channel !== '' && !channelNames.test(channel),
  );
  if (unusual.length === 0) return [];
  return [
    report.warning({
      type: 'ValidationFailed',
      ...(annotations && { file: annotations.file }),
      detail: `channel names start with candidate, fast or stable by convention, unlike ${unusual.join(', ')}`,
    }),
  ];
}

/** Creating CRDs is the task of OLM. One warning says it for all rules. */
function validateRights(csv: BundleCsv): Finding[] {
  const { permissions = [], clusterPermissions = [] } = csv.csv.spec?.install?.spec ?? {};
  const creates = [...permissions, ...clusterPermissions]
    .flatMap(({ rules = [] }) => rules)
    .some(
      ({ apiGroups, resources, verbs }) =>
        includesOne(apiGroups, 'apiextensions.k8s.io') &&
        includesOne(resources, 'customresourcedefinitions', '*', '[*]') &&
        includesOne(verbs, 'create', 'patch', '*', '[*]'),
    );
  if (!creates) return [];
  return [
    finding(
      csv,
      'warning',
      'the operator may create CRDs; let OLM install them, as owned CRDs or as dependencies',
    ),
  ];
}

function validateName(csv: BundleCsv): Finding[] {
  const name = csv.csv.metadata?.name ?? '';
  const version = versionAtEnd.exec(name)?.[0];
  const hint = 'such as memcached-operator.v0.0.1';
  return [
    ...(version !== undefined && parseSemver(version)
      ? []
      : [
          finding(
            csv,
            'warning',
            `metadata.name is "${name}" and does not end with a semantic version, ${hint}`,
          ),
        ]),
    ...(name.split('.v').length === 2
      ? []
      : [finding(csv, 'warning', `metadata.name is "${name}", not <operator>.v<version>, ${hint}`)]),
  ];
}
