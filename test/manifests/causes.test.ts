import { describe, expect, test } from 'vitest';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { virtualFiles } from './virtual-files.ts';

const specSource = `/** What is wanted. @minProperties 1 */
export interface FooSpec {
  /** @minimum 0 @maximum 100 @default 1 */
  replicas?: int32;
  /** @minLength 1 */
  name: string;
}`;

const source = (part: { spec?: string; parent?: string; types?: string; imports?: string }) => `
import { type KubernetesObject, defineKind, type int32 } from 'ots-runtime';
${part.imports ?? ''}
${part.types ?? specSource}
/** @shortName fo */
export interface Foo extends ${part.parent ?? 'KubernetesObject'} {
  apiVersion: 'example.com/v1';
  kind: 'Foo';
  spec: ${part.spec ?? 'FooSpec'};
}
export const Foo = defineKind<Foo>({ apiVersion: 'example.com/v1', kind: 'Foo', plural: 'foos', scope: 'Namespaced' });
`;

const messagesOf = (files: Record<string, string>) =>
  generateManifests(virtualFiles(files)).diagnostics.map(({ message }) => message);

describe('a missing type is reported without the tags that depend on it', () => {
  test.each([
    ['a misspelled name', { spec: 'FooSepc' }, 'there is no type FooSepc in this file'],
    ['in a list', { spec: '{ all: FooSepc[] }' }, 'there is no type FooSepc in this file'],
    ['in a union', { spec: `{ one: string | FooSepc }` }, 'there is no type FooSepc in this file'],
    ['in an intersection', { spec: 'FooSepc & { more: string }' }, 'there is no type FooSepc in this file'],
    ['after one that exists', { spec: 'FooSpec & FooSepc' }, 'there is no type FooSepc in this file'],
    ['of a generic type', { spec: 'Partail<FooSpec>' }, 'there is no type Partail in this file'],
    [
      'of a generic type with tags in its argument',
      { spec: 'Arry<{ /** @minimum 1 */ port: int32 }>' },
      'there is no type Arry in this file',
    ],
    [
      'of a parent',
      {
        types: `${specSource}\ninterface More extends FooSepc { /** @default 1 */ x?: int32 }`,
        spec: 'More',
      },
      'there is no type FooSepc in this file',
    ],
    ['as the argument of Omit', { spec: `Omit<FooSepc, 'name'>` }, 'there is no type FooSepc in this file'],
  ])('%s', (_, part, message) => {
    expect(messagesOf({ 'src/api/v1/foo.ts': source(part) })).toEqual([message]);
  });

  test('of another file', () => {
    const imports = `import type { FooSepc } from './spec.ts';`;
    const files = {
      'src/api/v1/foo.ts': source({ imports, types: '', spec: 'FooSepc' }),
      'src/api/v1/spec.ts': `import type { int32 } from 'ots-runtime';\n${specSource}`,
    };
    expect(messagesOf(files)).toEqual(['src/api/v1/spec.ts does not export FooSepc']);
  });

  test('the object that all kinds extend', () => {
    const [message, ...rest] = messagesOf({ 'src/api/v1/foo.ts': source({ parent: 'KubernetesObjct' }) });
    expect(message).toBe('Foo is not an interface in this file that extends KubernetesObject');
    expect(rest).toEqual([]);
  });

  test('while unrelated errors are still reported', () => {
    const types = `${specSource.replace('@minLength', '@minLenght')}\n/** @default 1 */ export interface Unused { a: string }`;
    expect(messagesOf({ 'src/api/v1/foo.ts': source({ spec: 'FooSepc', types }) })).toEqual([
      'unknown tag @minLenght',
      '@default has no effect here',
      'there is no type FooSepc in this file',
    ]);
  });
});

test.each([
  ['@minimum 1', 'it belongs in the comment of a type that a kind uses, or of one of its properties'],
  ['@default 1', 'it belongs in the comment of a property of a type that a kind uses'],
  ['@subresource status', 'it belongs in the comment of the interface of a kind'],
])('a misplaced tag, %s, is reported once with its correct place', (tag, hint) => {
  const types = `${specSource}\n/** ${tag} */\nexport interface Unused { a: string }`;
  const { diagnostics } = generateManifests(virtualFiles({ 'src/api/v1/foo.ts': source({ types }) }));
  expect(diagnostics).toMatchObject([{ code: 'misplaced-tag', hint }]);
});
