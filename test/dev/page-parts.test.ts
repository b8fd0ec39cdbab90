import { describe, expect, test } from 'vitest';
import { treeRows } from '../../src/dev/page/objects/object-tree.ts';
import { SessionIndex } from '../../src/dev/page/objects/session-index.ts';
import { diffLines } from '../../src/dev/page/parts/diff-lines.ts';
import { formatAge, formatDuration } from '../../src/dev/page/parts/format-time.ts';
import type { DevState, ObjectState } from '../../src/dev/model/dev-state.ts';
import { emptyState } from './empty-state.ts';
import { ago, object, scriptedNow, scriptedState } from './scripted-state.ts';

// What the page of `ots dev` computes, without a browser.

const byUid = (...objects: ObjectState[]) => Object.fromEntries(objects.map((each) => [each.uid, each]));

describe('the tree of objects', () => {
  const tree = (objects: DevState['objects'], options = {}) =>
    treeRows(objects, { collapsed: new Set(), filter: '', ...options }).map(
      ({ object: { uid }, level }) => `${'  '.repeat(level - 1)}${uid}`,
    );

  test('has each object below its owner, siblings by kind and name', () => {
    const objects = byUid(
      object('v1', 'Pod', 'web-10', { owners: ['website/web'] }),
      object('v1', 'Pod', 'web-9', { owners: ['website/web'] }),
      object('v1', 'ConfigMap', 'web', { owners: ['website/web'] }),
      object('web.example.com/v1', 'Website', 'web'),
      object('web.example.com/v1', 'Website', 'blog'),
    );
    expect(tree(objects)).toEqual([
      'website/blog',
      'website/web',
      '  configmap/web',
      '  pod/web-9',
      '  pod/web-10',
    ]);
  });

  test('hides what a collapsed object owns', () => {
    const collapsed = new Set(['deployment/shop', 'website/blog']);
    expect(tree(scriptedState.objects, { collapsed })).toEqual([
      'website/blog',
      'website/shop',
      '  deployment/shop',
      '  service/shop',
    ]);
  });

  test('shows what matches a filter with its owners, also below a collapsed object', () => {
    const collapsed = new Set(['website/blog']);
    expect(tree(scriptedState.objects, { collapsed, filter: 'POD default/blog-5d8f7-1' })).toEqual([
      'website/blog',
      '  deployment/blog',
      '    replicaset/blog-5d8f7',
      '      pod/blog-5d8f7-1',
    ]);
  });

  test('shows an object whose owner is unknown, and objects that own each other', () => {
    const objects = byUid(
      object('v1', 'Pod', 'lost', { owners: ['replicaset/gone'] }),
      object('v1', 'ConfigMap', 'a', { owners: ['configmap/b'] }),
      object('v1', 'ConfigMap', 'b', { owners: ['configmap/a'] }),
      object('v1', 'ConfigMap', 'self', { owners: ['configmap/self'] }),
    );
    expect(tree(objects)).toEqual(['configmap/a', 'configmap/b', 'configmap/self', 'pod/lost']);
  });
});

describe('the object of a request', () => {
  const web = { namespace: 'default', name: 'web' };
  const objects = byUid(
    object('apps/v1', 'Deployment', 'web', { owners: ['website/web'] }),
    object('web.example.com/v1', 'Website', 'web', { isGone: true, uid: 'old' }),
    object('web.example.com/v1', 'Website', 'web'),
  );
  const find = (controller: string, kind?: string) =>
    new SessionIndex({
      ...emptyState,
      objects,
      queues: [{ controller, entries: [], ...(kind && { kind }) }],
    }).objectOf({ controller, ...web })?.uid;

  test('is of the kind that the controller reconciles, and the one that exists', () => {
    expect(find('rollouts', 'Deployment')).toBe('deployment/web');
    expect(find('deployment', 'Website')).toBe('website/web');
    expect(find('website', 'Backup')).toBeUndefined();
  });

  test('is the one that the controller is named after, or the one without an owner, if the kind is unknown', () => {
    expect(find('deployment')).toBe('deployment/web');
    expect(find('sites')).toBe('website/web');
  });

  test('leads back to the request', () => {
    const index = new SessionIndex(scriptedState);
    const request = { controller: 'website', namespace: 'default', name: 'shop' };
    expect(index.requestsFor(scriptedState.objects['website/shop']!)).toEqual([request]);
    expect(index.requestsFor(scriptedState.objects['deployment/shop']!)).toEqual([]);
  });
});

describe('the diff of a change', () => {
  const diff = (before: unknown, after: unknown) =>
    diffLines(before, after).map(({ sign, text }) => `${sign} ${text}`);

  test('has the lines of both values once, and a sign for those of one', () => {
    expect(diff({ a: 1, b: 2 }, { a: 1, b: 3, c: 4 })).toEqual([
      '  {',
      '    "a": 1,',
      '-   "b": 2',
      '+   "b": 3,',
      '+   "c": 4',
      '  }',
    ]);
  });

  test('shows what is new, what is gone, and texts of several lines', () => {
    expect(diff(undefined, 1)).toEqual(['+ 1']);
    expect(diff('x', undefined)).toEqual(['- x']);
    expect(diff('a\nb', 'a\nc')).toEqual(['  a', '- b', '+ c']);
    expect(diff(null, false)).toEqual(['- null', '+ false']);
  });

  test('of large values takes no longer than a moment', () => {
    const lines = (prefix: string) => Array.from({ length: 20_000 }, (_, line) => `${prefix}${line}`);
    expect(diffLines(lines('a').join('\n'), lines('b').join('\n'))).toHaveLength(40_000);
  });
});

test.each([
  [1, '1s'],
  [119, '119s'],
  [192, '3m12s'],
  [300, '5m'],
  [3600, '60m'],
  [4 * 3600 + 60, '4h1m'],
  [86_400, '24h'],
  [3 * 86_400 + 3600, '3d1h'],
  [9 * 86_400, '9d'],
  [-5, '0s'],
])('an age of %d s is %s, as kubectl prints it', (age, text) => {
  expect(formatAge(ago(age), scriptedNow)).toBe(text);
});

test.each([
  [0.000_001, '0 ms'],
  [0.000_4, '0.4 ms'],
  [0.0123, '12 ms'],
  [1.234, '1.23 s'],
  [59.94, '59.9 s'],
  [60, '1 min'],
  [125, '2 min 5 s'],
  [90_000, '1 d 1 h'],
])('a duration of %d s is %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
