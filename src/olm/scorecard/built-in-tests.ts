import type { Bundle } from '../bundle/bundle.ts';
import type { ApiDescription } from '../bundle/csv.ts';
import { type JsonObject, isObject, textOf, valueOf } from '../bundle/json.ts';
import { validateBundle } from '../validate/bundle.ts';
import { validateCrds } from '../validate/crd.ts';
import { validateCsv } from '../validate/csv.ts';
import { readExamples } from '../validate/examples.ts';
import { findingMessage } from '../validate/finding-message.ts';
import { validateFormat } from '../validate/format.ts';
import { gvkOf } from '../validate/group-version-kind.ts';
import type { TestResult } from './test-list.ts';

/** A test of the image scorecard-test of operator-sdk: it reads the bundle, and no cluster. */
export type BuiltInTest = (bundle: Bundle) => TestResult;

/** What a test adds up to a result. */
interface Findings {
  readonly errors?: readonly string[];
  readonly suggestions?: readonly string[];
  readonly log?: readonly string[];
  /** Whether it failed for another reason than its errors. */
  readonly isFailed?: boolean;
}

/** By name. Source: operator-sdk. */
export const builtInTests: ReadonlyMap<string, BuiltInTest> = new Map(
  Object.entries({
    'basic-check-spec': checkSpecs,
    'olm-bundle-validation': checkBundle,
    'olm-crds-have-validation': ofExamples(checkSchemas),
    'olm-crds-have-resources': checkResources,
    'olm-spec-descriptors': ofExamples(checkSpecDescriptors),
    'olm-status-descriptors': ofExamples(checkStatusDescriptors),
  }).map(([name, test]) => [name, (bundle: Bundle) => resultOf(name, bundle, test)]),
);

type Check = (bundle: Bundle) => Findings | { readonly problem: string };

/** What a bundle says cannot be trusted where OLM could not load it. Its validation says why. */
function resultOf(name: string, bundle: Bundle, check: Check): TestResult {
  const [problem] = name === 'olm-bundle-validation' ? [] : bundle.problems;
  if (problem) {
    const place = problem.file === undefined ? '' : `${problem.file}: `;
    return failed(name, `the bundle cannot be loaded: ${place}${problem.detail}`);
  }
  const findings = check(bundle);
  if ('problem' in findings) return { ...failed(name, findings.problem), state: 'error' };
  const { errors = [], suggestions = [], log = [], isFailed = errors.length > 0 } = findings;
  return { name, state: isFailed ? 'fail' : 'pass', errors, suggestions, log: log.join('\n') };
}

/** The result of a test that could not do what it is for. */
export function failed(name: string, error: string): TestResult {
  return { name, state: 'fail', errors: [error], suggestions: [], log: '' };
}

/** The examples of a bundle, which are the objects that a user of the operator would create. */
function examplesOf({ csv }: Bundle) {
  return readExamples(csv?.csv.metadata?.annotations?.['alm-examples'] ?? '');
}

function nameOf(example: JsonObject): string {
  return textOf(valueOf(example, 'metadata'), 'name');
}

function isPresent(example: JsonObject, key: string): boolean {
  return (valueOf(example, key) ?? null) !== null;
}

/** Only the first example without a spec is named, and only as a suggestion. */
function checkSpecs(bundle: Bundle): Findings {
  const examples = examplesOf(bundle);
  if ('problem' in examples) return { errors: [examples.detail] };
  const without = examples.examples.find((example) => !isPresent(example, 'spec'));
  return without ? { suggestions: [`the example [${nameOf(without)}] has no spec`] } : {};
}

/** The format is one error. A bundle that cannot be loaded has no others. */
function checkBundle(bundle: Bundle): Findings {
  const { name, problems } = bundle;
  const inputs = { values: {} };
  const format = validateFormat(bundle, inputs).map(({ detail }) => detail);
  const findings =
    problems.length > 0
      ? problems
      : [validateBundle, validateCsv, validateCrds].flatMap((validate) => validate(bundle, inputs));
  const messages = (level: string) =>
    findings
      .filter((finding) => finding.level === level)
      .map((finding) => messageOf(finding.file, findingMessage(finding, name)));
  return {
    errors: [
      ...(format.length > 0 ? [`the format of the bundle is wrong: ${format.join('; ')}`] : []),
      ...messages('error'),
    ],
    suggestions: messages('warning'),
  };
}

function messageOf(file: string | undefined, message: string): string {
  return file === undefined ? message : `${message} (${file})`;
}

function checkResources({ csv }: Bundle): Findings {
  const owned = csv?.csv.spec?.customresourcedefinitions?.owned ?? [];
  const without = owned.filter(({ resources = [] }) => resources.length === 0);
  if (without.length === 0) return {};
  const names = without.map(({ name = '' }) => name).join(', ');
  return { errors: [`owned CRDs have no resources: ${names}`] };
}

/** A check of each example. */
function ofExamples(check: (example: JsonObject, bundle: Bundle) => Findings): Check {
  return (bundle) => {
    const examples = examplesOf(bundle);
    if ('problem' in examples) return { problem: examples.detail };
    const all = examples.examples.map((example) => check(example, bundle));
    return {
      errors: all.flatMap(({ errors = [] }) => errors),
      suggestions: all.flatMap(({ suggestions = [] }) => suggestions),
      log: all.flatMap(({ log = [] }) => log),
      isFailed: all.some(({ errors = [], isFailed = errors.length > 0 }) => isFailed),
    };
  };
}

function versionOf(example: JsonObject): string {
  return textOf(example, 'apiVersion').split('/').at(-1)!;
}

function isEqualFold(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** Kinds match without their group and without regard to case. After the first CRD that lacks fields, no other is checked. */
function checkSchemas(example: JsonObject, { crds }: Bundle): Findings {
  const kind = textOf(example, 'kind');
  const version = versionOf(example);
  const matching = crds
    .toSorted(byVersionOfDefinition)
    .flatMap(({ crd: { spec } }) =>
      spec.versions
        .filter(({ name }) => isEqualFold(name, version) && isEqualFold(spec.names.kind, kind))
        .map(({ name, schema }) => ({ name: `${spec.names.kind}/${name}`, schema: schema?.openAPIV3Schema })),
    );
  const suggestions: string[] = [];
  for (const { name, schema } of matching) {
    if (!schema) {
      suggestions.push(`Add validation to the CRD ${name}`);
      continue;
    }
    const parts = ['spec', 'status'].filter((part) => isPresent(example, part));
    const wrong = parts.filter((part) => !isObject(example[part]));
    if (wrong.length > 0) return { errors: wrong.map((part) => notAnObject(part, example)), suggestions };
    const missing = parts.flatMap((part) =>
      fieldsWithout(example[part], propertiesOf(schema, part)).map(
        (key) => `Add CRD validation for ${part} field \`${key}\` in ${kind}/${version}`,
      ),
    );
    if (missing.length > 0) return { suggestions: [...suggestions, ...missing], isFailed: true };
  }
  return { suggestions };
}

type Definition = Bundle['crds'][number];

/** Those of v1beta1 come last. */
function byVersionOfDefinition(left: Definition, right: Definition): number {
  return Number(left.v1beta1 !== undefined) - Number(right.v1beta1 !== undefined);
}

function propertiesOf(schema: unknown, part: string): unknown {
  return valueOf(valueOf(valueOf(schema, 'properties'), part), 'properties');
}

function fieldsWithout(object: unknown, properties: unknown): string[] {
  const known = new Set(isObject(properties) ? Object.keys(properties) : []);
  return isObject(object) ? Object.keys(object).filter((key) => !known.has(key)) : [];
}

function notAnObject(part: string, example: JsonObject): string {
  return `${part} of the example ${nameOf(example)} is not an object`;
}

/** The first description of the kind, whatever its group. */
function descriptionOf(example: JsonObject, { csv }: Bundle): ApiDescription | undefined {
  const owned = csv?.csv.spec?.customresourcedefinitions?.owned ?? [];
  return owned.find(
    ({ kind, version }) => kind === textOf(example, 'kind') && version === versionOf(example),
  );
}

function notOwned(example: JsonObject): Findings {
  const gvk = gvkOf(textOf(example, 'apiVersion'), textOf(example, 'kind'));
  return { errors: [`the example ${nameOf(example)} is of no owned CRD: ${gvk}`] };
}

/** Each field of an example needs a descriptor with exactly its name as the path. Deeper fields do not count. */
function checkSpecDescriptors(example: JsonObject, bundle: Bundle): Findings {
  if (!isPresent(example, 'spec'))
    return { isFailed: true, log: [`the example ${nameOf(example)} has no spec`] };
  const { spec } = example;
  if (!isObject(spec)) return { errors: [notAnObject('spec', example)] };
  const description = descriptionOf(example, bundle);
  if (!description) return notOwned(example);
  const paths = new Set((description.specDescriptors ?? []).map(({ path }) => path));
  const missing = Object.keys(spec).filter((key) => !paths.has(key));
  return {
    errors: missing.map((key) => `${key} does not have a spec descriptor`),
    suggestions: missing.map((key) => `Add a spec descriptor for ${key}`),
  };
}

/** An example needs descriptors only if it has a status, which it seldom has. */
function checkStatusDescriptors(example: JsonObject, bundle: Bundle): Findings {
  const description = descriptionOf(example, bundle);
  if (!description) return notOwned(example);
  const { name = '', statusDescriptors = [] } = description;
  const { status } = example;
  if (isPresent(example, 'status') && !isObject(status)) return { errors: [notAnObject('status', example)] };
  if (!isObject(status) || Object.keys(status).length === 0)
    return { suggestions: [`Add a status to the example of ${name}, if its objects have one`] };
  if (statusDescriptors.length > 0) return {};
  return {
    errors: [`${name} does not have a status descriptor`],
    suggestions: [`Add a status descriptor to ${name}`],
  };
}
