import { describe, expect, test } from 'vitest';
import type { Bundle } from '../../src/olm/bundle/bundle.ts';
import { runValidators } from '../../src/olm/validate/run-validators.ts';
import type { ValidatorInputs } from '../../src/olm/validate/validator.ts';
import { optionalValidators } from '../../src/olm/validate/validators.ts';
import {
  type Change,
  annotationsFile,
  bundleFrom,
  crdFile,
  csvFile,
  replaced,
  sampleFiles,
  withManifest,
} from './sample-bundle.ts';

/** Those of OLM v0; olmv1 repeats some of their findings. */
const all = optionalValidators.filter(
  ({ name, needsImages }) => name !== 'operatorhub' && name !== 'olmv1' && !needsImages,
);
/** Findings as `validator level field-or-path: detail`, of which the end may be cut. */
function said(bundle: Bundle, inputs: Partial<ValidatorInputs> = {}): string[] {
  const { findings } = runValidators(bundle, all, { values: {}, ...inputs });
  return findings.map(({ validator, level, type, field, detail }) =>
    [validator, level, type, ...(field === undefined ? [] : [field]), detail].join(' | '),
  );
}

test('nothing is wrong with the sample', () => {
  expect(said(bundleFrom(sampleFiles))).toEqual([]);
});

const csv = (...changes: readonly Change[]) => replaced(csvFile, ...changes);
const crd = (...changes: readonly Change[]) => replaced(crdFile, ...changes);
const role = (rule: string) =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\nrules: [${rule}]`;
const budget = (spec: string) =>
  `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec: ${spec}`;
const csvError = (detail: string) => `csv | error | CSVFileNotValid | ${detail}`;
const csvWarning = (detail: string) => `csv | warning | CSVFileNotValid | ${detail}`;
const hub = (level: string, detail: string) => `operatorhubv2 | ${level} | CSVFileNotValid | ${detail}`;
const bundleError = (detail: string) => `bundle | error | BundleNotValid | ${detail}`;
const practice = (detail: string) => `good-practices | warning | ValidationFailed | ${detail}`;
const pot = 'tea.example.com/v1, Kind=Pot';

describe.each<[group: string, cases: readonly (readonly [title: string, Bundle, ...expected: string[]])[]]>([
  [
    'csv',
    [
      [
        'a name that cannot be a label',
        csv(['name: tea.v1.2.3', 'name: tea_x.v1.2.3']),
        csvError('metadata.name is "tea_x.v1.2.3"'),
      ],
      [
        'a former version that is not a name',
        csv(['  version: 1', '  replaces: tea/v1.0.0\n  version: 1']),
        csvError('spec.replaces is "tea/v1.0.0"'),
      ],
      [
        'no apiVersion',
        csv(['apiVersion: operators.coreos.com/v1alpha1\n', '']),
        csvError('apiVersion is missing'),
      ],
      [
        'no install modes',
        csv([/ {2}installModes:[^]*(?= {2}customres)/, '']),
        csvError('spec.installModes is missing'),
      ],
      [
        'no supported install mode',
        csv(['supported: true', 'supported: false']),
        csvError('spec.installModes supports no mode'),
      ],
      [
        'a conversion webhook with another install mode',
        csv(
          ['OwnNamespace, supported: false', 'OwnNamespace, supported: true'],
          ['  install:', '  webhookdefinitions:\n    - {conversionCRDs: [pots.tea.example.com]}\n  install:'],
        ),
        csvError('spec.installModes must support AllNamespaces only'),
      ],
      [
        'no oldest Kubernetes',
        csv(['  minKubeVersion: 1.28.0\n', '']),
        csvWarning('spec.minKubeVersion is missing'),
        hub('warning', 'spec.minKubeVersion is missing'),
      ],
      [
        'a short oldest Kubernetes',
        csv(['1.28.0', "'1.28'"]),
        csvError('spec.minKubeVersion is "1.28"'),
        hub('error', 'spec.minKubeVersion is "1.28"'),
      ],
      [
        'no display name',
        csv(['  displayName: Tea\n', '']),
        'csv | error | FieldNotFound | Spec.DisplayName | spec.displayName is missing',
      ],
      [
        'no strategy',
        csv(['    strategy: deployment\n', '']),
        'csv | error | FieldNotFound | Spec.InstallStrategy.StrategyName | spec.install.strategy is missing',
      ],
      [
        'an annotation of OLM in the wrong case',
        csv(['    capabilities', '    olm.skiprange: "<1.0.0"\n    capabilities']),
        'csv | error | ValidationFailed | metadata.annotations[olm.skiprange] is not read by OLM: write olm.skipRange',
      ],
      [
        'properties as an annotation',
        csv(['    capabilities', '    olm.properties: "[]"\n    capabilities']),
        'csv | warning | PropertiesAnnotationUsed | metadata.annotations[olm.properties]',
      ],
      [
        'no examples',
        csv([/ {4}alm-examples.*\n/, '']),
        csvWarning('metadata.annotations has no alm-examples'),
      ],
      [
        'examples in both annotations',
        csv(['    capabilities', '    olm.examples: "[]"\n    capabilities']),
        csvWarning('metadata.annotations has olm.examples'),
      ],
      [
        'examples that are not JSON',
        csv([`'[{"api`, `'[{"api" "`]),
        'csv | error | ParseError | metadata.annotations[alm-examples] is not JSON',
      ],
      [
        'an example without a kind',
        csv(['"kind": "Pot", ', '']),
        'csv | error | ParseError | metadata.annotations[alm-examples] cannot be read: example 1',
      ],
      [
        'an example of another kind',
        csv(['"kind": "Pot"', '"kind": "Cup"']),
        'csv | error | OperationFailed | metadata.annotations[alm-examples] has an example of tea.example.com/v1, Kind=Cup',
        `csv | warning | OperationFailed | metadata.annotations[alm-examples] has no example of ${pot}`,
      ],
    ],
  ],
  [
    'bundle',
    [
      [
        'an owned CRD that is not there',
        csv(
          ['name: pots.tea.example.com, version: v1', 'name: pots.tea.example.com, version: v2'],
          ['example.com/v1"', 'example.com/v2"'],
        ),
        bundleError('owned CRD "tea.example.com/v2, Kind=Pot" is not in the bundle'),
        bundleError(`CRD "${pot}" is not among the owned CRDs`),
      ],
      [
        'a CRD twice',
        bundleFrom({ ...sampleFiles, 'manifests/again.yaml': sampleFiles[crdFile]! }),
        bundleError(`bundle "tea.v1.2.3" has the CRD "${pot}" more than once`),
      ],
      [
        'the service account of a deployment',
        withManifest('apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: tea}'),
        bundleError('OLM creates the service account tea'),
      ],
      [
        'another service account',
        withManifest('apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: cup}'),
      ],
      [
        'a related image without a reference',
        csv(['registry.example.com/tea/kettle:v1', '""']),
        bundleError('spec.relatedImages[0].image is empty'),
      ],
      [
        'a related image in capitals',
        csv(['tea/kettle:v1', 'Tea/kettle:v1']),
        bundleError('spec.relatedImages[0].image is "registry.example.com/Tea/kettle:v1"; the path'),
      ],
      [
        'a release that is not in the name',
        csv(['  version: 1.2.3', '  version: 1.2.3\n  release: "2"']),
        bundleError('with spec.release, the name of the bundle must be "tea-v1.2.3-2"'),
      ],
    ],
  ],
  [
    'crd',
    [
      ['another scope', crd(['Namespaced', 'Village']), 'crd | error | FieldValueNotSupported | spec.scope'],
      [
        'no storage version',
        crd(['storage: true', 'storage: false']),
        'crd | error | FieldValueInvalid | spec.versions',
      ],
      [
        'another name',
        crd(['name: pots.tea.example.com', 'name: cups.tea.example.com']),
        'crd | error | FieldValueInvalid | metadata.name',
      ],
      [
        'a label that is not one',
        crd(['metadata:', 'metadata:\n  labels: {a b: c}']),
        'crd | error | FieldValueInvalid | metadata.labels',
      ],
      ['a wrong schema, which does not count', crd(['{type: object}', '{type: cup}'])],
      [
        'a definition that keeps unknown fields',
        crd(['  scope', '  preserveUnknownFields: true\n  scope']),
        'crd | error | FieldValueInvalid | spec.preserveUnknownFields',
      ],
    ],
  ],
  [
    'content',
    [
      [
        'a kind that bundles cannot have',
        withManifest('apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}'),
        'content | error | BundleNotValid | a bundle cannot have a Deployment',
      ],
      [
        'an empty first document',
        withManifest('# empty\n---\napiVersion: v1\nkind: Service\nmetadata: {name: d}'),
        'content | error | BundleNotValid | its first document is empty',
      ],
      [
        'a namespace',
        withManifest('apiVersion: v1\nkind: Service\nmetadata: {name: d, namespace: x}'),
        'content | error | ValidationFailed | metadata.namespace must not be set',
      ],
      [
        'no name',
        withManifest('apiVersion: v1\nkind: Service\nmetadata: {}'),
        'content | error | ValidationFailed | metadata.name: Required value',
      ],
      [
        'a boolean as a label',
        withManifest('apiVersion: v1\nkind: Service\nmetadata: {name: d, labels: {app: y}}'),
        'content | error | ValidationFailed | metadata.labels.app is true, not a text',
      ],
    ],
  ],
  [
    'object',
    [
      [
        'a budget without disruption',
        withManifest(budget('{maxUnavailable: 0}')),
        'object | error | ObjectFailedValidation | spec.maxUnavailable is 0',
      ],
      ['a budget for one', withManifest(budget('{maxUnavailable: 1}'))],
      [
        'a budget for all',
        withManifest(budget('{minAvailable: 100%}')),
        'object | error | ObjectFailedValidation | spec.minAvailable is 100%',
      ],
      [
        'a budget of the wrong type',
        withManifest(budget('{maxUnavailable: []}')),
        'object | error | ParseError | spec.maxUnavailable is a list',
      ],
      [
        'a default priority',
        withManifest(
          'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: p}\nglobalDefault: true',
        ),
        'object | error | ObjectFailedValidation | globalDefault is true',
      ],
      [
        'rights on budgets',
        withManifest(role('{apiGroups: [policy], resources: [poddisruptionbudgets], verbs: [patch]}')),
        'object | warning | ValidationFailed | its rules allow to create or change poddisruptionbudgets',
      ],
      [
        'rights on default constraints',
        withManifest(
          role(
            '{apiGroups: [security.openshift.io], resources: [securitycontextconstraints], resourceNames: [anyuid], verbs: [update]}',
          ),
        ),
        'object | error | ObjectFailedValidation | its rules allow to change default',
      ],
    ],
  ],
  [
    'operatorhubv2, capabilities and categories',
    [
      ['no provider', csv(['name: Tea House', 'name: " "']), hub('error', 'spec.provider.name is missing')],
      [
        'a maintainer without an address',
        csv(['ada@example.com', '""']),
        hub('error', 'spec.maintainers[0] needs a name and an email'),
      ],
      [
        'an address without a host',
        csv(['ada@example.com', 'ada@']),
        hub('error', 'spec.maintainers[0].email is "ada@", not an address'),
      ],
      [
        'a link that is not a URL',
        csv(['https://tea.example.com', 'tea.example.com']),
        hub('error', 'spec.links[0].url is "tea.example.com"'),
      ],
      [
        'version 0.0.0',
        csv(['version: 1.2.3', 'version: 0.0.0']),
        hub('error', 'spec.version is missing or 0.0.0'),
      ],
      ['no icon', csv([/ {2}icon:\n.*\n/, '']), hub('warning', 'spec.icon is missing')],
      [
        'an empty list of icons',
        csv([/ {2}icon:\n.*\n/, '  icon: []\n']),
        hub('error', 'spec.icon has 0 entries'),
      ],
      [
        'an icon of another type',
        csv(['image/svg+xml', 'image/svg']),
        hub('error', 'spec.icon[0].mediatype is "image/svg"'),
      ],
      [
        'another capability',
        csv(['Basic Install', 'Tea Time']),
        'standardcapabilities | error | CSVFileNotValid | metadata.annotations.capabilities is "Tea Time"',
      ],
      [
        'another category',
        csv(['Developer Tools', 'Developer Tools, Tea']),
        'standardcategories | error | CSVFileNotValid | metadata.annotations.categories has "Tea"',
      ],
    ],
  ],
  [
    'good-practices',
    [
      [
        'no requests',
        csv(['{requests: {cpu: 10m, memory: 64Mi}}', '{}']),
        practice('container manager requests no cpu and memory'),
      ],
      [
        'no description',
        csv([', description: A pot of tea', '']),
        practice('the owned CRD "pots.tea.example.com" has no description'),
      ],
      [
        'an unusual channel',
        replaced(annotationsFile, ['v1: stable', 'v1: stable,alpha']),
        practice('channel names start with candidate, fast or stable by convention, unlike alpha'),
      ],
      [
        'rights to create CRDs',
        csv([
          '[tea.example.com], resources: [pots]',
          '[apiextensions.k8s.io], resources: [customresourcedefinitions]',
        ]),
        practice('the operator may create CRDs'),
      ],
      [
        'a name without a version',
        csv(['name: tea.v1.2.3', 'name: tea.version']),
        practice('metadata.name is "tea.version" and does not end with a semantic version'),
      ],
    ],
  ],
  [
    'format',
    [
      [
        'no channel',
        replaced(annotationsFile, ['v1: stable', 'v1: ""']),
        'format | error | BundleFormatNotValid | operators.operatorframework.io.bundle.channels.v1 | the annotation',
      ],
      [
        'another media type',
        replaced(annotationsFile, ['registry+v1', 'helm']),
        'format | error | BundleFormatNotValid | operators.operatorframework.io.bundle.mediatype.v1 | the annotation',
      ],
      [
        'no package',
        replaced(annotationsFile, [/.*package.*\n/, '']),
        'format | error | BundleFormatNotValid | operators.operatorframework.io.bundle.package.v1 | the annotation',
      ],
      [
        'dependencies',
        bundleFrom({
          ...sampleFiles,
          'metadata/dependencies.yaml':
            'dependencies:\n- {type: olm.package, value: {packageName: cup, version: ~1.2}}\n- {type: olm.gvk, value: {group: a, version: v1}}\n- {type: olm.label, value: }\n- {type: tea, value: {}}',
        }),
        'format | error | BundleFormatNotValid | the version "~1.2" of a dependency is not a range',
        'format | error | BundleFormatNotValid | a dependency of type olm.gvk needs a kind',
        'format | error | BundleFormatNotValid | a dependency of type olm.label needs a label',
        'format | error | BundleFormatNotValid | a dependency of type "tea" cannot be read',
      ],
    ],
  ],
])('%s', (_, cases) => {
  test.each(cases.map(([title, bundle, ...expected]) => ({ title, bundle, expected })))(
    '$title',
    ({ bundle, expected }) => {
      const starts = expected.toSorted(byText).map((start) => expect.stringMatching(startOf(start)));
      expect(said(bundle).toSorted(byText)).toEqual(starts);
    },
  );
});

function byText(left: string, right: string): number {
  return left < right ? -1 : 1;
}

function startOf(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`);
}

describe('APIs that Kubernetes removed', () => {
  const hpa = (version: string) =>
    withManifest(`apiVersion: autoscaling/${version}\nkind: HorizontalPodAutoscaler\nmetadata: {name: h}`);
  const levels = (bundle: Bundle, version?: string) =>
    said(bundle, { values: version === undefined ? {} : { 'k8s-version': version } })
      .filter((text) => text.startsWith('alpha-deprecated-apis'))
      .map((text) => text.split(' | ')[1]);

  test.each([
    ['in a version after the oldest one of the bundle', '1.24.0', undefined, 'warning'],
    ['in the oldest version of the bundle', '1.25.0', undefined, 'error'],
    ['in a version before that of the option', '1.20.0', '1.26', 'error'],
    ['in a version after that of the option', '1.20.0', '1.22', 'warning'],
  ])('%s', (_, min, option, level) => {
    const text = sampleFiles[csvFile]!.replace('minKubeVersion: 1.28.0', `minKubeVersion: ${min}`);
    const other = 'apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: c}';
    const bundle = bundleFrom({ ...sampleFiles, [csvFile]: text, 'manifests/other.yaml': other });
    expect(levels(bundle, option)).toEqual([level]);
  });

  test('in 1.26, an autoscaler', () => {
    expect(levels(hpa('v2beta2'))).toEqual(['error']);
    expect(levels(hpa('v2'))).toEqual([]);
  });

  test('the option must be a version', () => {
    expect(levels(bundleFrom(sampleFiles), 'newest')).toEqual(['error']);
  });

  test('rules for PodSecurityPolicies are a warning, whatever the version is', () => {
    const rules = csv([
      'apiGroups: [tea.example.com], resources: [pots]',
      'apiGroups: [policy], resources: [podsecuritypolicies]',
    ]);
    expect(levels(rules, '1.30')).toEqual(['warning']);
  });

  test('a resource of an owned CRD counts', () => {
    const owned = csv([
      'description: A pot of tea',
      'description: A pot of tea, resources: [{kind: CronJob, version: batch/v1beta1}]',
    ]);
    expect(levels(owned)).toEqual(['error']);
  });
});

describe('community, about a definition of v1beta1', () => {
  const old = (annotation = '') => {
    const text = sampleFiles[csvFile]!.replace('    capabilities', `${annotation}    capabilities`);
    const v1beta1 = sampleFiles[crdFile]!.replace(
      'apiextensions.k8s.io/v1',
      'apiextensions.k8s.io/v1beta1',
    ).replace('  scope', '  preserveUnknownFields: false\n  scope');
    return bundleFrom({ ...sampleFiles, [csvFile]: text, [crdFile]: v1beta1 });
  };
  const below = (version: string) =>
    `    olm.properties: '[{"type": "olm.maxOpenShiftVersion", "value": "${version}"}]'\n`;
  const label = 'LABEL com.redhat.openshift.versions=';
  const levels = (bundle: Bundle, text?: string) =>
    said(bundle, text === undefined ? {} : { values: { 'index-path': 'Dockerfile' }, indexFile: { text } })
      .filter((each) => each.startsWith('community'))
      .map((each) => each.split(' | ')[1]);

  test.each([
    ['without an annotation and a label', '', undefined, ['error', 'warning', 'warning']],
    ['with both', below('4.8'), `${label}"v4.6-v4.8"`, []],
    ['for a version that is too new', below('4.9'), `${label}"v4.6-v4.8"`, ['error']],
    ['for a version with a patch', below('4.8.1'), `${label}"v4.6-v4.8"`, ['warning']],
    ['with an open range', below('4.8'), `${label}v4.6`, ['error']],
    ['with one version', below('4.8'), `${label}=v4.8`, []],
    ['with a range that is too new', below('4.8'), `${label}v4.6-v4.9`, ['error']],
    ['without a value', below('4.8'), 'LABEL com.redhat.openshift.versions', ['error']],
    ['without the label', below('4.8'), 'FROM scratch', ['error']],
  ])('%s', (_, annotation, text, expected) => {
    expect(levels(old(annotation), text).toSorted((left = '', right = '') => byText(left, right))).toEqual(
      expected,
    );
  });

  test('a definition of v1 is not concerned', () => {
    expect(levels(bundleFrom(sampleFiles))).toEqual([]);
  });
});

test('what v1beta1 says once for all versions applies to each', () => {
  const v1beta1 = sampleFiles[crdFile]!.replace(
    'apiextensions.k8s.io/v1',
    'apiextensions.k8s.io/v1beta1',
  ).replace(
    / {2}versions:[^]*/,
    '  version: v1\n  additionalPrinterColumns: [{name: A, type: cup, JSONPath: .a}]\n',
  );
  const bundle = bundleFrom({ ...sampleFiles, [crdFile]: v1beta1 });
  expect(said(bundle).filter((text) => text.startsWith('crd |'))).toEqual([
    expect.stringContaining('spec.preserveUnknownFields'),
    expect.stringContaining('spec.additionalPrinterColumns[0].type'),
  ]);
});

test('a bundle that OLM cannot load is validated for its format only', () => {
  const bundle = bundleFrom({ ...sampleFiles, 'manifests/.hidden': '' });
  const { validators } = runValidators(bundle, all, { values: {} });
  expect(validators).toEqual(['load', 'format']);
});

test('a finding says the path and the line of its field', () => {
  const bundle = csv(['name: Home, url: ', 'url: ']);
  expect(runValidators(bundle, all, { values: {} }).findings).toMatchObject([
    { file: csvFile, path: 'spec.links[0]', line: 17 },
  ]);
});
