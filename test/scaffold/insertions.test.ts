import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type YamlListItem, addToYamlList } from '../../src/scaffold/insertions/add-to-yaml-list.ts';
import { addMissingLines } from '../../src/scaffold/insertions/add-missing-lines.ts';
import { insertAtMarker } from '../../src/scaffold/insertions/insert-at-marker.ts';

const add = (text: string, item: YamlListItem = '../crd', key = 'resources') =>
  addToYamlList(text, 'k.yaml', key, [item]);

describe('addToYamlList', () => {
  test.each([
    ['a list', 'resources:\n- ../rbac\n', 'resources:\n- ../rbac\n- ../crd\n'],
    [
      'an indented list',
      'resources:\n    - ../rbac # why\n\n# end\n',
      'resources:\n    - ../rbac # why\n    - ../crd\n\n# end\n',
    ],
    [
      'a list before another key',
      'resources:\n  - a\n\nimages: []\n',
      'resources:\n  - a\n  - ../crd\n\nimages: []\n',
    ],
    ['no final newline', 'resources:\n  - a', 'resources:\n  - a\n  - ../crd'],
    ['CRLF', 'resources:\r\n  - a\r\nx: 1\r\n', 'resources:\r\n  - a\r\n  - ../crd\r\nx: 1\r\n'],
    ['an empty flow list', 'resources: [] # none yet\nx: 1\n', 'resources: # none yet\n  - ../crd\nx: 1\n'],
    ['a key without value', 'resources:\nx: 1\n', 'resources:\n  - ../crd\nx: 1\n'],
    ['a flow list', 'resources: [a, "b"]\n', 'resources: [a, "b", ../crd]\n'],
    ['a missing key', 'x: 1\n', 'x: 1\nresources:\n  - ../crd\n'],
    ['a missing key and no newline', 'x: 1', 'x: 1\nresources:\n  - ../crd\n'],
    ['an empty file', '', 'resources:\n  - ../crd\n'],
    [
      'maps in the list',
      'resources:\n  - path: a\n    target:\n      kind: X\nx: 1\n',
      'resources:\n  - path: a\n    target:\n      kind: X\n  - ../crd\nx: 1\n',
    ],
    [
      'a comment after the list',
      'resources:\n  - a\n  # b is off\nx: 1\n',
      'resources:\n  - a\n  - ../crd\n  # b is off\nx: 1\n',
    ],
    ['a byte order mark', '\uFEFFresources:\n  - a\n', '\uFEFFresources:\n  - a\n  - ../crd\n'],
  ])('adds to %s', (_, before, after) => {
    expect(add(before)).toBe(after);
    expect(add(after)).toBe(after);
    expect(parse(after.replace('\uFEFF', '')).resources).toContain('../crd');
  });

  test('adds a map, once', () => {
    const once = add('replacements:\n  - path: a.yaml\n', { path: 'b.yaml' }, 'replacements');
    expect(once).toBe('replacements:\n  - path: a.yaml\n  - path: b.yaml\n');
    expect(add(once, { path: 'b.yaml' }, 'replacements')).toBe(once);
    expect(add('replacements: []\n', { path: 'b.yaml' }, 'replacements')).toBe(
      'replacements:\n  - path: b.yaml\n',
    );
  });

  test('adds a map with a map in it', () => {
    const patch = { path: 'p.yaml', target: { kind: 'Deployment', name: 'x' } };
    const after = add('patches:\n- path: a.yaml\n  target:\n    kind: X\nx: 1\n', patch, 'patches');
    expect(after).toBe(
      'patches:\n- path: a.yaml\n  target:\n    kind: X\n- path: p.yaml\n  target:\n    kind: Deployment\n    name: x\nx: 1\n',
    );
    expect(add(after, patch, 'patches')).toBe(after);
    expect(parse(add('patches: [a]\n', patch, 'patches')).patches).toEqual(['a', patch]);
  });

  test.each([
    ['x: 1\n', 'x: 1\nresources:\n  - b\n  - c\n'],
    ['resources: []\n', 'resources:\n  - b\n  - c\n'],
    ['resources:\n- a\n', 'resources:\n- a\n- b\n- c\n'],
    ['resources:\n- b\n', 'resources:\n- b\n- c\n'],
    ['resources: [a]\n', 'resources: [a, b, c]\n'],
    ['resources: [\n  a, # why\n]\n', 'resources: [\n  a, # why\n  b,\n  c\n]\n'],
  ])('adds several entries to %j', (before, after) => {
    const both = ['b', 'c'];
    expect(addToYamlList(before, 'k.yaml', 'resources', both)).toBe(after);
    expect(addToYamlList(after, 'k.yaml', 'resources', both)).toBe(after);
    expect(parse(after).resources).toEqual(expect.arrayContaining(both));
  });

  test.each([
    ['resources: {a: 1}\n', 'k.yaml: resources is not a list'],
    ['resources:\n  - a\n bad\n', /^k\.yaml:\d+:\d+: /],
    ['a: 1\na: 2\n', /^k\.yaml:2:1: /],
  ])('refuses %j', (text, message) => {
    expect(() => add(text)).toThrow(message);
  });
});

const insert = (text: string) => insertAtMarker(text, 'src/index.ts', '// +ots:scaffold:list', 'setup,');

describe('insertAtMarker', () => {
  test.each([
    [
      'above the marker, with its indentation',
      'a(\n  // +ots:scaffold:list\n);\n',
      'a(\n  setup,\n  // +ots:scaffold:list\n);\n',
    ],
    ['with CRLF', 'a\r\n\t// +ots:scaffold:list\r\n', 'a\r\n\tsetup,\r\n\t// +ots:scaffold:list\r\n'],
    ['once', 'setup,\n// +ots:scaffold:list', 'setup,\n// +ots:scaffold:list'],
  ])('inserts %s', (_, before, after) => {
    expect(insert(before)).toBe(after);
  });

  test('prints the lines to paste when the marker is gone', () => {
    expect(() => insert('nothing here\n')).toThrow(
      expect.objectContaining({
        code: 'MISSING_MARKER',
        hint: expect.stringContaining('    setup,\n    // +ots:scaffold:list'),
      }),
    );
  });
});

describe('addMissingLines', () => {
  test.each([
    ['at the end', '/dist\n', '/dist\nnode_modules/\n.ots/\n'],
    ['with the line ending of the text', 'a\r\n.ots/', 'a\r\n.ots/\r\nnode_modules/\r\n'],
    ['to an empty text', '', 'node_modules/\n.ots/\n'],
    ['once', 'node_modules/\n .ots/\n', 'node_modules/\n .ots/\n'],
  ])('adds %s', (_, before, after) => {
    expect(addMissingLines(before, ['node_modules/', '', '# why', '.ots/'])).toBe(after);
  });
});
