import { describe, expect, test } from 'vitest';
import { mergeFile } from '../../../src/scaffold/merge/merge-file.ts';

const labels = { ours: 'yours', theirs: 'ots 2' };
const merge = (path: string, base: string, ours: string, theirs: string) =>
  mergeFile(path, { base, ours, theirs }, labels);

describe('package.json', () => {
  const manifest = (dependencies: object, more: object = {}): string =>
    `${JSON.stringify({ name: 'ship', dependencies, ...more }, null, 2)}\n`;

  test('entries that both sides add in the same place are both there', () => {
    const merged = merge(
      'package.json',
      manifest({ a: '1' }),
      manifest({ a: '1', mine: '1' }),
      manifest({ a: '1', theirs: '1' }),
    );
    expect(merged.conflicts).toBe(0);
    expect(JSON.parse(merged.text)).toEqual({
      name: 'ship',
      dependencies: { a: '1', theirs: '1', mine: '1' },
    });
  });

  test('an entry that one side removes next to a change of the other side is gone', () => {
    const merged = merge(
      'package.json',
      manifest({ a: '1', b: '1' }),
      manifest({ a: '1' }),
      manifest({ a: '2', b: '1' }),
    );
    expect(merged).toEqual({ text: manifest({ a: '2' }), conflicts: 0 });
  });

  test('two versions of one package are a conflict in its line alone', () => {
    const merged = merge(
      'package.json',
      manifest({ a: '1', b: '1' }),
      manifest({ a: '2', b: '1', mine: '1' }),
      manifest({ a: '3', b: '2' }),
    );
    expect(merged.conflicts).toBe(1);
    expect(merged.text).toContain(
      '<<<<<<< yours\n    "a": "2",\n=======\n    "a": "3",\n>>>>>>> ots 2\n    "b": "2",\n    "mine": "1"\n',
    );
  });

  test('the indentation, line endings and the missing end of line of the author stay', () => {
    const tabs = (text: string): string => text.replaceAll('  ', '\t').replaceAll('\n', '\r\n').trimEnd();
    const merged = merge(
      'package.json',
      manifest({ a: '1' }),
      tabs(manifest({ a: '1', mine: '1' })),
      manifest({ a: '1', theirs: '1' }),
    );
    expect(merged).toEqual({ text: tabs(manifest({ a: '1', theirs: '1', mine: '1' })), conflicts: 0 });
  });

  test.each(['', '[]', '{"a": 1', 'null', '"text"'])(
    'a side that is not an object, %j, is merged by lines',
    (ours) => {
      expect(merge('package.json', manifest({ a: '1' }), ours, manifest({ a: '2' })).text).toContain(
        '<<<<<<< yours\n',
      );
    },
  );

  test('keys of every name are data', () => {
    const proto = (value: string): string => `{\n  "__proto__": "${value}",\n  "a": "${value}"\n}\n`;
    const merged = merge(
      'package.json',
      proto('1'),
      proto('1').replace('"a": "1"', '"a": "1",\n  "mine": "1"'),
      proto('2'),
    );
    expect(merged.conflicts).toBe(0);
    expect(merged.text).toBe('{\n  "__proto__": "2",\n  "a": "2",\n  "mine": "1"\n}\n');
  });
});

describe('kustomization.yaml', () => {
  const path = 'config/default/kustomization.yaml';
  const list = (...items: string[]): string =>
    `kind: Kustomization\nresources:\n${items.map((item) => `  - ${item}\n`).join('')}`;

  const commented = (text: string): string => text.replace('  - mine', '  # Mine.\n  - mine');

  test('entries that both sides add at the end are both there', () => {
    const merged = merge(path, list('a'), commented(list('a', 'mine.yaml')), list('a', 'theirs.yaml'));
    expect(merged).toEqual({ text: commented(list('a', 'mine.yaml', 'theirs.yaml')), conflicts: 0 });
  });

  test('an entry of the author next to one that is replaced stays', () => {
    const merged = merge(path, list('a', 'old'), list('a', 'mine', 'old'), list('a', 'new'));
    expect(merged).toEqual({ text: list('a', 'mine', 'new'), conflicts: 0 });
  });

  test('an entry that the author removed next to new ones stays removed', () => {
    const merged = merge(path, list('a', 'b'), list('a'), list('a', 'b', 'new'));
    expect(merged).toEqual({ text: list('a', 'new'), conflicts: 0 });
  });

  test('other changes of the same line are a conflict', () => {
    const text = (name: string): string => `namePrefix: ${name}-\n${list('a')}`;
    expect(merge(path, text('ship'), text('mine'), text('theirs')).conflicts).toBe(1);
  });

  test('text that is not YAML is merged by lines', () => {
    expect(merge(path, 'a: [\n', 'b: [\n', 'c: [\n').conflicts).toBe(1);
  });

  test('other files are merged by lines', () => {
    expect(merge('config/other.yaml', list('a'), list('a', 'b'), list('a', 'c')).conflicts).toBe(1);
  });
});
