import { expect, test } from 'vitest';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { apiSource } from './api-source.ts';
import { virtualFiles } from './virtual-files.ts';

/** A project with one kind, example.com/v1 Foo, and a handler with these arguments in its tag. */
function diagnose(
  {
    path,
    mutating = true,
    rule = 'groups: [example.com], versions: [v1], resources: [foos]',
    options = '',
    service = '',
  }: {
    path: string;
    mutating?: boolean;
    rule?: string;
    options?: string;
    service?: string;
  },
  files: Record<string, string> = {},
) {
  const handler = `import { WebhookBuilder } from 'ots-runtime';
/** @webhook {mutating: ${mutating}, path: ${path}, name: a.b.c${service}, ${rule}, verbs: [CREATE]} */
export class Handler {}
export const setup = (manager) => new WebhookBuilder(manager, Foo).withDefaulter(new Handler()${options}).complete();
`;
  const source = {
    'src/api/v1/foo.ts': apiSource({ group: 'example.com', spec: 'a: string;' }),
    'src/webhooks/foo.ts': handler,
    ...files,
  };
  return generateManifests(virtualFiles(source)).diagnostics;
}

test.each([
  ['of the kind', { path: '/mutate-example-com-v1-foo' }],
  ['of a validating webhook', { path: '/validate-example-com-v1-foo', mutating: false }],
  [
    'of a built-in kind',
    { path: '/mutate--v1-pod', rule: "groups: [''], versions: [v1], resources: [pods]" },
  ],
  ['that the handler sets', { path: '/mine', options: `, { path: '/mine' }` }],
  ['of another server', { path: '/mine', service: ', serviceName: other' }],
  [
    'of a kind of a package',
    { path: '/mutate-acme-com-v1-thing', rule: 'groups: [acme.com], versions: [v1], resources: [things]' },
  ],
])('a handler is served at the path %s', (_, webhook) => {
  expect(diagnose(webhook)).toEqual([]);
});

test('a path is found anywhere in the code, and a project without WebhookBuilder is not checked', () => {
  expect(diagnose({ path: '/mine' }, { 'src/paths.ts': `export const PATH = "/mine";` })).toEqual([]);
  const handler =
    '/** @webhook {mutating: true, path: /mine, name: a.b.c, groups: [a], versions: [v1], resources: [b], verbs: [CREATE]} */ export class A {}';
  expect(generateManifests(virtualFiles({ 'src/a.ts': handler })).diagnostics).toEqual([]);
});

test.each([
  ['misspelled', { path: '/mutate-example-com-v1-fo' }, 'did you mean /mutate-example-com-v1-foo?'],
  ['without its domain', { path: '/mutate-example-v1-foo' }, 'did you mean /mutate-example-com-v1-foo?'],
  [
    'of another sort of webhook',
    { path: '/validate-example-com-v1-foo' },
    'did you mean /mutate-example-com-v1-foo?',
  ],
  [
    'of an unknown version',
    { path: '/mutate-example-com-v2-foo' },
    'did you mean /mutate-example-com-v1-foo?',
  ],
  [
    'that the code spells otherwise',
    { path: '/my-pth', options: `, { path: '/my-path' }` },
    'did you mean /my-path?',
  ],
  ['that resembles no other path', { path: '/nowhere' }, 'did you mean /mutate-example-com-v1-foo?'],
])('a path without a handler is refused: %s', (_, webhook, hint) => {
  const { path } = webhook;
  const [found, ...rest] = diagnose(webhook);
  expect(rest).toEqual([]);
  expect(found).toMatchObject({
    file: 'src/webhooks/foo.ts',
    line: 2,
    message: `no handler is served at ${path}`,
  });
  expect(found?.sourceLine.slice(found.column - 1, found.column - 1 + found.length)).toBe(path);
  expect(found?.hint).toBe(`${hint} Or give a handler this path: { path: '${path}' }`);
});
