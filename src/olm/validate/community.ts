import type { BundleCsv } from '../bundle/bundle.ts';
import { isObject, valueOf } from '../bundle/json.ts';
import { type Semver, compareSemver, parseTolerantSemver } from '../versions/semver.ts';
import { csvFinding } from './csv.ts';
import { describeUses, usesRemovedIn22 } from './deprecated-apis.ts';
import type { Validator, ValidatorInputs } from './validator.ts';

const validator = 'community';
const property = 'olm.maxOpenShiftVersion';
const label = 'com.redhat.openshift.versions';
const fix = `migrate them, or keep the bundle out of OpenShift 4.9`;

/** What is wrong, by level. */
interface Problems {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * The deprecated rules of the community's catalogs: a bundle that uses APIs which Kubernetes 1.22 removed must not get into
 * OpenShift 4.9 or newer.
 */
export const validateCommunity: Validator = (bundle, inputs) => {
  const { csv } = bundle;
  const uses = usesRemovedIn22(bundle);
  if (!csv || uses.length === 0) return [];
  const apis = `Kubernetes 1.22 removed APIs that the bundle uses (${describeUses(uses)}): ${fix}`;
  const version = versionProblems(csv, apis);
  const { errors, warnings } = withIndex(version, inputs, apis);
  return [
    ...errors.map((detail) => csvFinding(validator, csv, 'error', detail)),
    ...warnings.map((detail) => csvFinding(validator, csv, 'warning', detail)),
  ];
};

/** Without the file of the index, the original repeats its errors as warnings, and loses its other warnings. */
function withIndex(
  { errors, warnings }: Problems,
  { values, indexFile }: ValidatorInputs,
  apis: string,
): Problems {
  if (!indexFile || (values['index-path'] ?? '') === '')
    return {
      errors,
      warnings: [...errors, `set the option index-path to a Dockerfile with the label ${label}. ${apis}`],
    };
  const problem =
    'problem' in indexFile ? `index-path: ${indexFile.problem}` : labelProblem(indexFile.text, apis);
  return { errors: [...errors, ...(problem === undefined ? [] : [problem])], warnings };
}

function error(detail: string): Problems {
  return { errors: [detail], warnings: [] };
}

function versionProblems({ csv }: BundleCsv, apis: string): Problems {
  const text = csv.metadata?.annotations?.['olm.properties'] ?? '';
  if (text === '') return error(`metadata.annotations[olm.properties] has no ${property} below 4.9. ${apis}`);
  const properties = readProperties(text);
  if (!properties)
    return error(
      'metadata.annotations[olm.properties] is not a list of objects with type and value, which are texts',
    );
  const found = properties.find(({ type }) => type === property);
  if (!found) return error(`metadata.annotations[olm.properties] has no ${property} below 4.9. ${apis}`);
  const version = parseTolerantSemver(found.value);
  if (!version) return error(`${property} is "${found.value}", not a version`);
  if (hasMoreThanMinor(version))
    return { errors: [], warnings: [`${property} is "${found.value}", and only its first two parts count`] };
  return isTooNew(version)
    ? error(`${property} is "${found.value}", not below 4.9. ${apis}`)
    : { errors: [], warnings: [] };
}

function readProperties(text: string): { type: string; value: string }[] | undefined {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (list === null) return [];
  if (!Array.isArray(list)) return undefined;
  const properties = list.map((item: unknown) => {
    if (item !== null && !isObject(item)) return undefined;
    const [type, value] = [fold(item, 'type'), fold(item, 'value')].map((part) => part ?? '');
    return typeof type === 'string' && typeof value === 'string' ? { type, value } : undefined;
  });
  return properties.every((each) => each !== undefined) ? properties : undefined;
}

/** Go finds a field without regard to case. */
function fold(item: unknown, name: string): unknown {
  if (!isObject(item)) return undefined;
  return (
    valueOf(item, name) ?? valueOf(item, Object.keys(item).find((key) => key.toLowerCase() === name) ?? '')
  );
}

function hasMoreThanMinor({ patch, prerelease }: Semver): boolean {
  return patch !== 0n || prerelease.length > 0;
}

function isTooNew(version: Semver): boolean {
  return compareSemver(version, parseTolerantSemver('4.9')!) >= 0;
}

/** The first line of the Dockerfile with the label decides: `v4.6-v4.8` is a range and `=v4.8` one version. */
function labelProblem(text: string, apis: string): string | undefined {
  const line = text.split('\n').find((each) => each.includes(label));
  if (line === undefined) return `the file of index-path has no label ${label}. ${apis}`;
  const [, first, second] = line.split('=');
  if (first === undefined) return `the line "${line.trim()}" has no value for ${label}`;
  if (second) return versionProblem(plain(second), apis);
  const range = plain(first);
  if (range.length <= 1) return `the label ${label} has no range of versions`;
  if (!range.includes('-')) return `the label ${label} is "${range}" without an end below 4.9. ${apis}`;
  return versionProblem(range.split('-')[1]!, apis);
}

function versionProblem(text: string, apis: string): string | undefined {
  const version = parseTolerantSemver(text);
  if (!version) return `the label ${label} has "${text}", which is not a version`;
  return isTooNew(version) ? `the label ${label} ends with ${text}, not below 4.9. ${apis}` : undefined;
}

function plain(text: string): string {
  return text.replaceAll(/["'v]/g, '');
}
