import { describe, expect, test } from 'vitest';
import { copyKind } from '../../src/layouts/typescript/copy-kind.ts';
import { virtualFiles } from '../manifests/virtual-files.ts';

const sourcePath = 'src/api/v1/watcher.ts';

/** Copies the kind Watcher of batch.example.com/v1 to v2. */
function copy(text: string, options: { to?: string; tags?: string[]; more?: Record<string, string> } = {}) {
  return copyKind(virtualFiles({ [sourcePath]: text, ...options.more }), {
    group: 'batch.example.com',
    kind: 'Watcher',
    fromVersion: 'v1',
    toVersion: 'v2',
    from: sourcePath,
    to: options.to ?? 'src/api/v2/watcher.ts',
    tags: options.tags ?? [],
  });
}

const runtimeImport = `import { type KubernetesObject, defineKind } from 'ots-runtime';\n`;
const kind = (name: string, version = 'v1', spec = `${name}Spec`) => `
export interface ${name} extends KubernetesObject {
  apiVersion: 'batch.example.com/${version}';
  kind: '${name}';
  spec: ${spec};
}
export const ${name} = defineKind<${name}>({
  apiVersion: 'batch.example.com/${version}',
  kind: '${name}',
  plural: '${name.toLowerCase()}s',
  scope: 'Namespaced',
});
`;
const specSource = `
/** What is wanted of batch.example.com/v1. */
export interface WatcherSpec {
  // a remark of the author
  every   ?:   string ;
}
`;

test('a copy keeps the text of the author except for the version', () => {
  const text = `// The header\n\n${runtimeImport}${specSource}/** Watches. @shortName w */${kind('Watcher')}// the end`;
  const expected = text.replaceAll(`'batch.example.com/v1'`, `'batch.example.com/v2'`);
  expect(copy(text)).toEqual({ text: expected, leftOut: [], shared: [], isShorter: false });
  const windows = copy(text.replaceAll('\n', '\r\n'));
  expect(windows?.text).toBe(expected.replaceAll('\n', '\r\n'));
  expect(copy(`\u{feff}${text}`)?.text).toBe(expected);
});

describe('what is true of one version stays with it', () => {
  test.each([
    [
      'a line',
      '/**\n * Watches.\n * @storageVersion\n * @shortName w\n */',
      '/**\n * Watches.\n * @shortName w\n */',
    ],
    ['the end of a line', '/** Watches. @storageVersion */', '/** Watches. */'],
    ['the middle of a line', '/** Watches. @storageVersion @shortName w */', '/** Watches. @shortName w */'],
    ['all of a comment', '/** @storageVersion */\n', ''],
    ['all of a long comment', '/**\n * @storageVersion\n */\n', ''],
    ['a marker', '// +kubebuilder:storageversion\n/** Watches. */', '/** Watches. */'],
    [
      'text',
      '/**\n * Watches.\n * @deprecated use\n *   another one\n * @shortName w\n */',
      '/**\n * Watches.\n * @shortName w\n */',
    ],
    [
      'several',
      '/**\n * Watches.\n * @unserved\n * @deprecated\n * @storageVersion\n */',
      '/**\n * Watches.\n */',
    ],
  ])('%s', (_, comment, expected) => {
    const found = copy(`${runtimeImport}${specSource}${comment}${kind('Watcher').trimStart()}`)?.text;
    const start = (found?.indexOf('}\n', found.indexOf('WatcherSpec')) ?? 0) + 2;
    expect(found?.slice(start, found.indexOf('export interface Watcher '))).toBe(expected);
  });
});

test.each([
  ['/**\n * Watches.\n */\n', '/**\n * Watches.\n * @shortName w\n * @category all\n */\n'],
  ['/** Watches. */\n', '/** Watches. */\n/** @shortName w @category all */\n'],
  ['', '/** @shortName w @category all */\n'],
  ['/**\n * @storageVersion\n */\n', '/** @shortName w @category all */\n'],
])('tags are added to %j', (comment, expected) => {
  const found = copy(`${runtimeImport}${comment}${kind('Watcher', 'v1', '{}').trimStart()}`, {
    tags: ['@shortName w', '@category all'],
  });
  expect(found?.text.slice(runtimeImport.length, found.text.indexOf('export interface'))).toBe(expected);
});

test('types that the kind refers to are copied with the values and the imports that they need', () => {
  const text = `import { execa } from 'execa';
import { type KubernetesObject, defineKind, type int32, type Quantity } from 'ots-runtime';
import type { Shared } from './shared.ts';
import helper, { other } from '../../helper.js';
import './side-effect.ts';

export const MODES = ['Active', 'Paused'] as const;
export type Mode = (typeof MODES)[number];
export enum Level { Low = 'Low' }
interface Base<T> { base: T }
/** A helper type of the author. */
export type Phase = WatcherSpec['mode'];
export interface WatcherSpec extends Base<int32> { mode: Mode; level: Level; shared: Shared; at: import('./at.ts').At }
${kind('Watcher')}
export function isReady(watcher: Watcher, size: Quantity) { return execa(helper, other, watcher, size); }
export { MODES as modes, isReady as ready };
export * from './shared.ts';
`;
  const found = copy(text);
  expect(found).toMatchObject({
    leftOut: ['isReady'],
    shared: ['src/api/v1/shared.ts', 'src/api/v1/at.ts'],
    isShorter: true,
  });
  expect(found?.text).toBe(`import { type KubernetesObject, defineKind, type int32 } from 'ots-runtime';
import type { Shared } from '../v1/shared.ts';

export const MODES = ['Active', 'Paused'] as const;
export type Mode = (typeof MODES)[number];
export enum Level { Low = 'Low' }
interface Base<T> { base: T }
/** A helper type of the author. */
export type Phase = WatcherSpec['mode'];
export interface WatcherSpec extends Base<int32> { mode: Mode; level: Level; shared: Shared; at: import('../v1/at.ts').At }
${kind('Watcher', 'v2')}export { MODES as modes };
`);
});

test('other kinds of a file stay there', () => {
  const text = `${runtimeImport}
export interface Common { a: string }
export interface WatcherSpec { common: Common }
/** Sails. */
export interface SailorSpec { common: Common; rank: Rank }
type Rank = 'first' | 'second';
export type Both = Watcher | Sailor;
export type One = Watcher;
/** @shortName s */${kind('Sailor')}
/** Watches. */${kind('Watcher')}`;
  const found = copy(text);
  expect(found?.leftOut).toEqual(['SailorSpec', 'Rank', 'Both', 'Sailor']);
  expect(found?.text).toBe(`${runtimeImport}
export interface Common { a: string }
export interface WatcherSpec { common: Common }
export type One = Watcher;

/** Watches. */${kind('Watcher', 'v2')}`);
});

test('what a kind needs from another kind of its file is imported', () => {
  const text = `${runtimeImport}${kind('Sailor', 'v1', '{}')}
export interface WatcherSpec { sailor: Sailor['kind'] }
${kind('Watcher')}`;
  expect(copy(text)?.text).toBe(`${runtimeImport.trimEnd()}
import { Sailor } from '../v1/watcher.ts';

export interface WatcherSpec { sailor: Sailor['kind'] }
${kind('Watcher', 'v2')}`);
});

test('folders of several groups import each other', () => {
  const text = `${runtimeImport}import type { Shared } from '../../shared.ts';\n${kind('Watcher', 'v1', 'Shared')}`;
  expect(copy(text, { to: 'src/api/batch/v2/watcher.ts' })?.text).toContain(`from '../../../shared.ts'`);
});

test.each([
  ['nothing', undefined],
  ['another version', `${runtimeImport}${specSource}${kind('Watcher', 'v3')}`],
  [
    'no defineKind',
    `${runtimeImport}export interface Watcher extends KubernetesObject { apiVersion: 'batch.example.com/v1'; kind: 'Watcher' }`,
  ],
  ['a syntax error', `${runtimeImport}export interface {`],
])('%s cannot be copied', (_, text) => {
  expect(text === undefined ? copy('', { more: {} }) : copy(text)).toBeUndefined();
});
