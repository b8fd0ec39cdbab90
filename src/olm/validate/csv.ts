import { labelValue, subdomain } from 'ots-apimachinery/names';
import type { BundleCsv } from '../bundle/bundle.ts';
import type { Csv } from '../bundle/csv.ts';
import { textOf } from '../bundle/json.ts';
import { type Finding, type Level, reporter } from '../finding.ts';
import { parseSemver } from '../versions/semver.ts';
import { validateAnnotationNames } from './annotation-names.ts';
import { type Examples, readExamples } from './examples.ts';
import { groupInName, gvkText } from './group-version-kind.ts';
import { missingFields } from './missing-fields.ts';
import type { Validator } from './validator.ts';

const validator = 'csv';
const report = reporter(validator);

/** The rules for a ClusterServiceVersion by itself. */
export const validateCsv: Validator = ({ csv }) => {
  if (!csv) return [];
  const name = csv.csv.metadata?.name ?? '';
  return [
    ...validateNames(csv),
    ...validateExamples(csv),
    ...validateInstallModes(csv),
    ...validateMinKubeVersion(csv, validator),
    ...missingFields(csv.csv).map(({ field, value, path }) =>
      report.error({
        type: 'FieldNotFound',
        field,
        value,
        file: csv.file,
        detail: `${path} is missing`,
      }),
    ),
    ...validateAnnotationNames(validator, csv.csv.metadata?.annotations ?? {}, {
      file: csv.file,
      value: name,
    }),
    // Its kind is why it is read as a ClusterServiceVersion.
    ...(versionOf(csv.csv) === '' ? [notValid(csv, 'error', 'apiVersion is missing or malformed')] : []),
  ];
};

/** A finding of the type that most rules for a ClusterServiceVersion have. */
function notValid(csv: BundleCsv, level: Level, detail: string): Finding {
  return csvFinding(validator, csv, level, detail);
}

/** A finding about a ClusterServiceVersion, for this validator or for another. */
export function csvFinding(by: string, { file }: BundleCsv, level: Level, detail: string): Finding {
  return reporter(by)[level]({ type: 'CSVFileNotValid', file, detail });
}

function versionOf({ apiVersion = '' }: Csv): string {
  const parts = apiVersion.split('/');
  return parts.length > 2 ? '' : parts.at(-1)!;
}

/** OLM makes labels of the names. */
function validateNames(csv: BundleCsv): Finding[] {
  const { metadata, spec } = csv.csv;
  const problems = (field: string, text: string) => {
    const [problem] = [...subdomain(text), ...labelValue(text)];
    return problem === undefined ? [] : [notValid(csv, 'error', `${field} is "${text}": ${problem}`)];
  };
  return [
    ...problems('metadata.name', metadata?.name ?? ''),
    ...(spec?.replaces ? problems('spec.replaces', spec.replaces) : []),
  ];
}

function validateExamples(csv: BundleCsv): Finding[] {
  const annotations = csv.csv.metadata?.annotations ?? {};
  if (Object.keys(annotations).length === 0)
    return [notValid(csv, 'warning', 'metadata.annotations is missing')];
  const { 'alm-examples': alm, 'olm.examples': olm } = annotations;
  const text = alm ?? olm;
  if (text === undefined)
    return [notValid(csv, 'warning', 'metadata.annotations has no alm-examples with an example of each API')];
  const both =
    alm !== undefined && olm !== undefined
      ? [
          notValid(
            csv,
            'warning',
            'metadata.annotations has olm.examples, which does not count beside alm-examples; keep one of them',
          ),
        ]
      : [];
  const examples = readExamples(text);
  if ('problem' in examples)
    return [
      ...both,
      report.error({ type: 'ParseError', value: examples.problem, file: csv.file, detail: examples.detail }),
    ];
  return [...both, ...compareExamples(csv, examples)];
}

function compareExamples(
  { csv, file }: BundleCsv,
  { kinds }: Extract<Examples, { kinds: unknown }>,
): Finding[] {
  const owned = csv.spec?.customresourcedefinitions?.owned ?? [];
  const services = csv.spec?.apiservicedefinitions?.owned ?? [];
  const unnamed = owned.filter(({ name = '' }) => groupInName(name) === undefined);
  const provided = new Set([
    ...owned.flatMap(({ name = '', version = '', kind = '' }) => {
      const group = groupInName(name);
      return group === undefined ? [] : [gvkText(group, version, kind)];
    }),
    ...services.map((service) =>
      gvkText(textOf(service, 'group'), textOf(service, 'version'), textOf(service, 'kind')),
    ),
  ]);
  const type = 'OperationFailed';
  return [
    ...unnamed.map(({ name = '' }) =>
      report.error({
        type: 'ParseError',
        file,
        detail: `spec.customresourcedefinitions.owned has the name "${name}", not <plural>.<group>`,
      }),
    ),
    ...[...kinds]
      .filter((kind) => !provided.has(kind))
      .map((value) =>
        report.error({
          type,
          value,
          file,
          detail: `metadata.annotations[alm-examples] has an example of ${value}, which is not an owned API`,
        }),
      ),
    ...[...provided]
      .filter((kind) => !kinds.has(kind))
      .map((value) =>
        report.warning({
          type,
          value,
          file,
          detail: `metadata.annotations[alm-examples] has no example of ${value}`,
        }),
      ),
  ];
}

function validateInstallModes(csv: BundleCsv): Finding[] {
  const { installModes = [], webhookdefinitions = [] } = csv.csv.spec ?? {};
  if (installModes.length === 0) return [notValid(csv, 'error', 'spec.installModes is missing')];
  const supported = installModes.filter((mode) => mode.supported === true);
  const onlyAllNamespaces = installModes.every(
    (mode) => (mode.type === 'AllNamespaces') === (mode.supported === true),
  );
  const converting = webhookdefinitions.filter(({ conversionCRDs = [] }) => conversionCRDs.length > 0);
  return [
    ...(onlyAllNamespaces ? [] : converting).map(() =>
      notValid(
        csv,
        'error',
        'spec.installModes must support AllNamespaces only, because of the conversion webhook',
      ),
    ),
    ...(supported.length === 0 ? [notValid(csv, 'error', 'spec.installModes supports no mode')] : []),
  ];
}

/** The oldest version of Kubernetes must be a whole version: 1.28 is not one. */
export function validateMinKubeVersion(csv: BundleCsv, by: string): Finding[] {
  const text = csv.csv.spec?.minKubeVersion ?? '';
  if (text.trim() === '') {
    const detail = 'spec.minKubeVersion is missing: OLM installs the operator on any version of Kubernetes';
    return [csvFinding(by, csv, 'warning', detail)];
  }
  if (parseSemver(text)) return [];
  return [
    csvFinding(
      by,
      csv,
      'error',
      `spec.minKubeVersion is "${text}", not a version with three parts such as 1.28.0`,
    ),
  ];
}
