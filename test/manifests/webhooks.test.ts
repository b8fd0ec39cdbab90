import { describe, expect, test } from 'vitest';
import { buildWebhooks } from '../../src/manifests/webhook/build-webhooks.ts';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { Diagnostics } from '../../src/manifests/diagnostics/diagnostics.ts';
import { lexComment } from '../../src/manifests/tag-syntax/lex-comment.ts';
import { ModuleGraph } from '../../src/manifests/source/module-graph.ts';
import { SourceText } from '../../src/manifests/source/source-text.ts';
import { originKey } from '../../src/manifests/schema/origin.ts';
import { acceptedWebhooks, leastWebhook, webhookArguments } from './cases/accepted-webhooks.ts';
import { refusedWebhooks } from './cases/refused-webhooks.ts';
import { generate } from './generate.ts';
import { virtualFiles } from './virtual-files.ts';
import { webhookSource } from './webhook-source.ts';

const manifestPath = 'config/webhook/manifests.yaml';
const diagnosticsOf = (files: Record<string, string>) => generateManifests(virtualFiles(files)).diagnostics;
const named = (name: string, more: Record<string, string> = {}) =>
  webhookSource(webhookArguments, { name, ...more });

describe('a webhook with', () => {
  test.each(acceptedWebhooks)('$name', ({ arguments: given, webhook }) => {
    const [configuration] = generate({ 'src/a.ts': webhookSource(webhookArguments, given) })[manifestPath]!;
    expect(configuration.webhooks).toEqual([{ ...leastWebhook, ...webhook }]);
  });
});

describe('webhooks are refused for', () => {
  test.each(refusedWebhooks)('$name', ({ arguments: given, at, message, hint }) => {
    const found = diagnosticsOf({ 'src/a.ts': webhookSource(webhookArguments, given) });
    expect(found.map((diagnostic) => diagnostic.message)).toEqual([message]);
    const [{ sourceLine, column, hint: said }] = found as [(typeof found)[0]];
    expect(sourceLine.slice(column - 1, column - 1 + at.length)).toBe(at);
    if (hint) expect(said).toMatch(hint);
  });

  test('several errors at once', () => {
    const tag = `/**
 * @webhook {
 *   mutating: true, name: m.kb.io, path: /m,
 *   groups: [a], versions: [v1], resources: [foos], verbs: [CREATE],
 *   timeoutSeconds: 99,
 *   namespaceSelector: {
 *     matchExpressions: [
 *       {key: a, operator: Is, values: [b]},
 *       {key: a, operator: In, values: ['b c']}
 *     ]
 *   }
 * }
 */`;
    const found = diagnosticsOf({ 'src/a.ts': tag }).map(({ line, column, message }) => [
      line,
      column,
      message,
    ]);
    expect(found).toEqual([
      [5, 6, 'timeoutSeconds is not valid: the timeout value must be between 1 and 30 seconds'],
      [8, 29, 'namespaceSelector.matchExpressions[0].operator is not valid: not a valid selector operator'],
      [
        9,
        42,
        "namespaceSelector.matchExpressions[1].values is not valid: a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      ],
    ]);
  });

  test('a patch in backticks, in the place of the value', () => {
    const marker =
      '// +kubebuilder:webhook:path=/m,mutating=true,failurePolicy=fail,groups=a,resources=b,verbs=create,versions=v1,name=m.kb.io,patch=`{"objectSelector":{"matchLabels":{"a":"b c"}}}`';
    const [found] = diagnosticsOf({ 'src/a.ts': `${marker}\n` });
    expect(found).toMatchObject({
      message:
        "objectSelector.matchLabels.a is not valid: a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    });
    expect(found!.sourceLine.slice(found!.column - 1)).toBe('"b c"}}}`');
  });
});

describe('webhook configurations', () => {
  test('are one for mutating and one for validating webhooks, each sorted by name', () => {
    const markers = `// +kubebuilder:webhook:path=/mutate-b,mutating=true,failurePolicy=fail,sideEffects=None,groups=core,resources=pods,verbs=create;update,versions=v1,name=mb.kb.io,admissionReviewVersions=v1,reinvocationPolicy=IfNeeded
export class M {}
`;
    const files = {
      'src/a.ts': named('vz.kb.io', { mutating: 'false' }) + named('mz.kb.io'),
      'src/b.ts': named('va.kb.io', { mutating: 'false' }) + markers,
    };
    expect(generate(files)[manifestPath]).toEqual([
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: 'mutating-webhook-configuration' },
        webhooks: [
          {
            name: 'mb.kb.io',
            admissionReviewVersions: ['v1'],
            clientConfig: { service: { name: 'webhook-service', namespace: 'system', path: '/mutate-b' } },
            failurePolicy: 'Fail',
            reinvocationPolicy: 'IfNeeded',
            rules: [
              { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['pods'] },
            ],
            sideEffects: 'None',
          },
          { ...leastWebhook, name: 'mz.kb.io' },
        ],
      },
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'validating-webhook-configuration' },
        webhooks: [
          { ...leastWebhook, name: 'va.kb.io' },
          { ...leastWebhook, name: 'vz.kb.io' },
        ],
      },
    ]);
  });

  test('are not generated without tags', () => {
    expect(generate({ 'src/a.ts': 'export {}' })).not.toHaveProperty([manifestPath]);
  });

  test.each([
    ['@webhookConfiguration mutating=false name=other', ' */'],
    ['@webhookConfiguration {mutating: false, name: other}', ' */'],
    ['+kubebuilder:webhookconfiguration:mutating=false,name=other', ' */'],
  ])('have the name that %s gives', (tag, end) => {
    const files = {
      'src/a.ts': `/**\n * ${tag}\n${end}\n${named('a.kb.io')}${named('b.kb.io', { mutating: 'false' })}`,
    };
    expect(generate(files)[manifestPath]!.map(({ metadata }) => metadata.name)).toEqual([
      'mutating-webhook-configuration',
      'other',
    ]);
  });

  test.each([
    [
      'two names',
      'mutating=true name=a',
      'mutating=true name=b',
      /mutating webhooks have a name already/,
      'mutating',
    ],
    [
      'a name without a webhook',
      'mutating=true name=a',
      'mutating=false name=b',
      /no validating webhook/,
      'mutating',
    ],
    ['an invalid name', 'mutating=true name=A_b', undefined, /name cannot be 'A_b'/, 'name'],
    ['no name', 'mutating=true', undefined, /name is missing/, '@webhookConfiguration'],
    ['an argument too many', 'mutating=true name=a labels=b', undefined, /unknown argument labels/, 'labels'],
  ])('are refused for %s', (_, first, second, message, at) => {
    const tags = [first, second].flatMap((tag) => (tag ? [`/** @webhookConfiguration ${tag} */`] : []));
    const found = diagnosticsOf({ 'src/a.ts': `${tags.join('\n')}\n${named('a.kb.io')}` });
    expect(found.map((diagnostic) => diagnostic.message)).toEqual([expect.stringMatching(message)]);
    expect(found[0]!.line).toBe(tags.length);
    const [{ sourceLine, column }] = found as [(typeof found)[0]];
    expect(sourceLine.slice(column - 1, column - 1 + at.length)).toBe(at);
  });

  test('are refused when two webhooks of one sort have the same name', () => {
    const files = { 'src/a.ts': named('m.kb.io'), 'src/b.ts': named('m.kb.io') };
    expect(diagnosticsOf(files)).toMatchObject([
      { file: 'src/b.ts', message: 'another webhook is called m.kb.io' },
    ]);
    expect(
      generate({ ...files, 'src/b.ts': named('m.kb.io', { mutating: 'false' }) })[manifestPath],
    ).toHaveLength(2);
  });
});

test('the checker of conditions receives the places of their expressions', () => {
  const text = `/**
 * @webhook {mutating: true, name: m.kb.io, path: /m, groups: [a], versions: [v1], resources: [foos], verbs: [CREATE],
 *   matchConditions: [{name: a, expression: 'true'}, {name: b, expression: "object.spec.x"},
 *     {name: c, expression: 'object.a == ''b'' && object.c'}]}
 */`;
  const source = new SourceText('src/a.ts', text);
  const { tags } = lexComment(source, { type: 'Block', start: 0, end: text.length });
  const diagnostics = new Diagnostics();
  const handlers = { classes: [], graph: new ModuleGraph(virtualFiles({}), diagnostics), domain: undefined };
  const served = { kinds: [], texts: new Map() };
  const [configuration] = buildWebhooks(tags, [], served, handlers, diagnostics);
  const origins = configuration!.webhooks[0]!.matchConditions!.map((condition) => condition[originKey]!);
  const written = (part: string, from?: number, to?: number, index = 1) => {
    const { start, end } = origins[index]!.spanOf(part, from, to);
    return text.slice(start, end);
  };
  expect(origins[1]!.source).toBe(source);
  expect(written('name')).toBe('b');
  expect(written('expression')).toBe('"object.spec.x"');
  expect(written('expression', 7)).toBe('spec.x');
  expect(written('expression', 7, 11)).toBe('spec');
  expect(written('expression', "object.a == 'b' && ".length, undefined, 2)).toBe('object.c');
});
