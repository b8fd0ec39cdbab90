import { describe, expect, test } from 'vitest';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { generate } from './generate.ts';
import { virtualFiles } from './virtual-files.ts';

const FILE = 'config/webhook/manifests.yaml';
const rest = 'groups: [a.example.com], versions: [v1], resources: [foos], verbs: [CREATE, UPDATE]';
const mutating = (name: string) =>
  `/** @webhook {mutating: true, path: /mutate-a-example-com-v1-foo, name: ${name}, ${rest}} */ export class D {}`;

const service = (path: string) => ({ service: { name: 'webhook-service', namespace: 'system', path } });

describe('webhook configurations', () => {
  test('are there for the mutating and the validating tags, sorted by name', () => {
    const validating = `/**
 * Validates.
 * @webhook {
 *   mutating: false, path: '/validate-a-example-com-v1-foo', name: vfoo-v1.kb.io,
 *   groups: [''], versions: [v1], resources: [foos, foos/scale], verbs: [CREATE, DELETE],
 *   failurePolicy: Ignore, sideEffects: NoneOnDryRun, admissionReviewVersions: [v1], matchPolicy: Exact, timeoutSeconds: 5
 * }
 */
export class V {}
// +kubebuilder:webhook:path=/mutate-b,mutating=true,failurePolicy=fail,sideEffects=None,groups=core,resources=pods,verbs=create;update,versions=v1,name=mb.kb.io,admissionReviewVersions=v1,reinvocationPolicy=IfNeeded
export class M {}
`;
    const documents = generate({ 'src/a.ts': mutating('mz.kb.io'), 'src/b.ts': validating })[FILE];
    expect(documents).toEqual([
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: 'mutating-webhook-configuration' },
        webhooks: [
          {
            name: 'mb.kb.io',
            admissionReviewVersions: ['v1'],
            clientConfig: service('/mutate-b'),
            failurePolicy: 'Fail',
            reinvocationPolicy: 'IfNeeded',
            rules: [
              { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['pods'] },
            ],
            sideEffects: 'None',
          },
          {
            name: 'mz.kb.io',
            admissionReviewVersions: ['v1'],
            clientConfig: service('/mutate-a-example-com-v1-foo'),
            failurePolicy: 'Fail',
            rules: [
              {
                apiGroups: ['a.example.com'],
                apiVersions: ['v1'],
                operations: ['CREATE', 'UPDATE'],
                resources: ['foos'],
              },
            ],
            sideEffects: 'None',
          },
        ],
      },
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'validating-webhook-configuration' },
        webhooks: [
          {
            name: 'vfoo-v1.kb.io',
            admissionReviewVersions: ['v1'],
            clientConfig: service('/validate-a-example-com-v1-foo'),
            failurePolicy: 'Ignore',
            matchPolicy: 'Exact',
            rules: [
              {
                apiGroups: [''],
                apiVersions: ['v1'],
                operations: ['CREATE', 'DELETE'],
                resources: ['foos', 'foos/scale'],
              },
            ],
            sideEffects: 'NoneOnDryRun',
            timeoutSeconds: 5,
          },
        ],
      },
    ]);
  });

  test('are not there without tags', () => {
    expect(generate({ 'src/a.ts': 'export {}' })).not.toHaveProperty([FILE]);
  });

  const base = `mutating: true, name: m.kb.io, path: /m, ${rest}`;
  test.each([
    ['no name', `{${base.replace('name: m.kb.io, ', '')}}`, '@webhook', /name is missing/],
    [
      'a name with two parts',
      `{${base.replace('m.kb.io', 'kb.io')}}`,
      'name',
      /'kb\.io' is no name of a webhook/,
    ],
    ['a path without slash', `{${base.replace('/m', 'm')}}`, 'path', /'m' is no path/],
    [
      'another failure policy',
      `{${base}, failurePolicy: Retry}`,
      'failurePolicy',
      /cannot be Retry; it is one of Fail, Ignore/,
    ],
    ['side effects', `{${base}, sideEffects: Some}`, 'sideEffects', /cannot be Some/],
    [
      'another review version',
      `{${base}, admissionReviewVersions: [v1beta1]}`,
      'admissionReviewVersions',
      /cannot be v1beta1/,
    ],
    ['an unknown operation', `{${base.replace('UPDATE', 'UPDAT')}}`, 'verbs', /no operation UPDAT/],
    ['an empty list', `{${base.replace('[foos]', '[]')}}`, 'resources', /resources is empty/],
    ['a timeout', `{${base}, timeoutSeconds: 31}`, 'timeoutSeconds', /cannot be 31/],
    [
      'a timeout that is no number',
      `{${base}, timeoutSeconds: long}`,
      'timeoutSeconds',
      /must be an integer/,
    ],
    ['mutating that is no boolean', `{${base.replace('true', 'yes')}}`, 'mutating', /must be true or false/],
    [
      'reinvocation of a validating one',
      `{${base.replace('true', 'false')}, reinvocationPolicy: Never}`,
      'reinvocationPolicy',
      /only mutating/,
    ],
    ['a misspelt argument', `{${base}, sideEfects: None}`, 'sideEfects', /no argument sideEfects/],
    ['a list for one value', `{${base.replace('m.kb.io', '[m.kb.io]')}}`, 'name', /one value, not a list/],
  ])('are refused for %s', (_, tag, at, message) => {
    const { diagnostics } = generateManifests(
      virtualFiles({ 'src/a.ts': `/** @webhook ${tag} */ export class A {}` }),
    );
    expect(diagnostics.map(({ message: text }) => text)).toEqual([expect.stringMatching(message)]);
    const [found] = diagnostics;
    expect(found!.sourceLine.slice(found!.column - 1).startsWith(at)).toBe(true);
  });

  test('are refused when two have one name', () => {
    const files = { 'src/a.ts': mutating('m.kb.io'), 'src/b.ts': mutating('m.kb.io') };
    const { diagnostics } = generateManifests(virtualFiles(files));
    expect(diagnostics).toMatchObject([{ file: 'src/b.ts', message: 'another webhook is called m.kb.io' }]);
  });
});
