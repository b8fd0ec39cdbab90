import { expect, test } from 'vitest';
import type { Platform } from '../../src/images/image-manifest.ts';
import type { Bundle } from '../../src/olm/bundle/bundle.ts';
import { imagesToInspect, validateMultiarch } from '../../src/olm/validate/multiarch.ts';
import type { InspectedImage } from '../../src/olm/validate/validator.ts';
import { type Change, bundleFrom, csvFile, replaced, sampleFiles } from './sample-bundle.ts';

const operator = 'registry.example.com/tea/operator:v1.2.3';
const kettle = 'registry.example.com/tea/kettle:v1';
const proxy = 'registry.example.com/proxy:v1';

const platform = (text: string): Platform => {
  const [os = '', architecture = ''] = text.split('/');
  return { os, architecture };
};
const on = (...names: string[]): InspectedImage => ({ platforms: names.map((name) => platform(name)) });

/** What is said about a bundle whose images run where it is stated; the kettle where the operator does, if nothing is. */
function said(bundle: Bundle, images: Readonly<Record<string, InspectedImage>>): string[] {
  const whole = { [kettle]: images[operator]!, ...images };
  const inputs = { values: {}, images: new Map(Object.entries(whole)) };
  return validateMultiarch(bundle, inputs).map(({ level, detail }) => `${level}: ${detail}`);
}

const labels = (...values: string[]): Change => [
  'name: tea.v1.2.3\n',
  `name: tea.v1.2.3\n  labels: {${values.map((value) => `operatorframework.io/${value}: supported`).join(', ')}}\n`,
];
const affinity = (architectures: string): Change => [
  'serviceAccountName: tea\n                containers:',
  `serviceAccountName: tea
                affinity:
                  nodeAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                      nodeSelectorTerms:
                        - matchExpressions:
                            - {key: kubernetes.io/arch, operator: In, values: [${architectures}]}
                            - {key: kubernetes.io/os, operator: In, values: [linux]}
                containers:`,
];
const container = (name: string, image: string): Change => [
  'containers:\n',
  `containers:\n                  - {name: ${name}, image: '${image}'}\n`,
];
const bundle = (...changes: Change[]) => replaced(csvFile, ...changes);

test('the images of a bundle are those of its pods and its related ones, each once', () => {
  expect(imagesToInspect(bundleFrom(sampleFiles))).toEqual([operator, kettle]);
  expect(imagesToInspect(bundle(container('kube-rbac-proxy', proxy)))).toEqual([operator, proxy, kettle]);
  expect(imagesToInspect(bundleFrom({}))).toEqual([]);
});

test('nothing is wrong when labels, affinity and images agree', () => {
  const both = bundle(labels('arch.amd64', 'arch.arm64', 'os.linux'), affinity('amd64, arm64'));
  expect(said(both, { [operator]: on('linux/amd64', 'linux/arm64') })).toEqual([]);
  expect(said(bundle(affinity('amd64')), { [operator]: on('linux/amd64') })).toEqual([]);
});

test.each<[title: string, Bundle, Readonly<Record<string, InspectedImage>>, ...expected: string[]]>([
  [
    'an image without a platform of the labels',
    bundle(labels('arch.amd64', 'arch.s390x'), affinity('amd64, s390x')),
    { [operator]: on('linux/amd64', 'linux/s390x'), [kettle]: on('linux/amd64') },
    `error: the bundle supports linux/s390x by its labels, but these images do not: ${kettle}`,
    `warning: the image ${kettle} does not support s390x, which the manager or the labels do`,
  ],
  [
    'an image that cannot be read',
    bundle(affinity('amd64')),
    { [operator]: on('linux/amd64'), [kettle]: { problem: 'gone' } },
    `warning: the platforms of the image ${kettle} are not known: gone`,
  ],
  [
    'a manager that supports more than the labels',
    bundle(labels('arch.arm64'), affinity('arm64, arm')),
    { [operator]: on('linux/arm64', 'linux/arm') },
    'warning: metadata.labels lacks what the image of the manager supports, or the default: operatorframework.io/arch.arm: supported',
  ],
  [
    'another system',
    bundle(affinity('amd64')),
    { [operator]: on('linux/amd64', 'windows/amd64') },
    'warning: metadata.labels lacks what the image of the manager supports, or the default: operatorframework.io/os.linux: supported, operatorframework.io/os.windows: supported',
    `warning: the node affinity excludes windows/amd64, which the image ${operator} supports`,
  ],
  [
    'an affinity that allows too much',
    bundle(affinity('amd64, arm64')),
    { [operator]: on('linux/amd64') },
    `warning: the node affinity allows linux/arm64 for the image ${operator}; it supports linux/amd64`,
  ],
  [
    'no affinity',
    bundleFrom(sampleFiles),
    { [operator]: on('linux/amd64') },
    `warning: the pod of the image ${operator} has no required node affinity for kubernetes.io/os and kubernetes.io/arch; it supports linux/amd64`,
  ],
])('%s is found', (_, of, images, ...expected) => {
  expect(said(of, images)).toEqual(expected);
});
