import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { formatRecord, parseRecord } from '../../src/scaffold/scaffold-record.ts';

const files = new Map([
  ['src/main.ts', Buffer.from('start();\n')],
  ['Makefile', Buffer.from('all:\n')],
  ['src/empty.ts', Buffer.alloc(0)],
]);
const record = formatRecord(files);
const [header] = record.split('\n');
const deflated = (content: string | Buffer): string => deflateRawSync(content).toString('base64');

test('a record has what was written, one line per file sorted by path', () => {
  expect(parseRecord(record)).toEqual(files);
  expect(record.split('\n').map((line) => line.split(' ')[0])).toEqual([
    '#',
    'Makefile',
    'src/empty.ts',
    'src/main.ts',
    '',
  ]);
});

test('lines of unchanged files stay, also if another version of zlib wrote them', () => {
  const other = deflateRawSync('all:\n', { level: 0 }).toString('base64');
  const earlier = `${header}\nMakefile ${other}\nsrc/main.ts ${deflated('old();\n')}\n`;
  const text = formatRecord(files, earlier);
  expect(text).toContain(`\nMakefile ${other}\n`);
  expect(parseRecord(text)).toEqual(files);
});

test('a record that git checked out with Windows line endings is read and keeps them', () => {
  const windows = record.replaceAll('\n', '\r\n');
  expect(parseRecord(windows)).toEqual(files);
  expect(formatRecord(files, windows)).toBe(windows);
});

test('of several lines of a file, which a merge of two branches leaves, the last one counts', () => {
  const merged = `${record}Makefile ${deflated('both:\n')}\n`;
  expect(parseRecord(merged).get('Makefile')?.toString()).toBe('both:\n');
});

describe('hostile input', () => {
  const line = (text: string): string => `${header}\n${text}\n`;
  const zeros = deflated(Buffer.alloc(1024 * 1024 + 1));
  const many = Array.from({ length: 33 }, (_, index) => `f${index} ${deflated(Buffer.alloc(1024 * 1024))}\n`);

  test.each([
    ['an empty file', '', '.ots-scaffold:1 does not start with "# ots-scaffold/1:"'],
    [
      'a later format',
      record.replace('/1:', '/2:'),
      '.ots-scaffold:1 does not start with "# ots-scaffold/1:"',
    ],
    ['a truncated line', record.slice(0, -20), '.ots-scaffold:4 is not complete'],
    ['a missing end of line', record.slice(0, -1), '.ots-scaffold:4 is not complete'],
    ['a line without content', line('Makefile'), '.ots-scaffold:2 is not a path and base64'],
    ['invalid base64', line('Makefile a*b='), '.ots-scaffold:2 is not a path and base64'],
    ['base64 of something else', line('Makefile AAAA'), '.ots-scaffold:2 is not deflated data'],
    [
      'half of the content',
      line(`M ${deflated('abc'.repeat(9)).slice(0, 4)}`),
      '.ots-scaffold:2 is not deflated data',
    ],
    ['a bomb', line(`Makefile ${zeros}`), '.ots-scaffold:2 is a file with more than 1 MiB'],
    ['many bombs', `${header}\n${many.join('')}`, '.ots-scaffold:34 the files have more than 32 MiB'],
    ['a huge record', 'x'.repeat(8 * 1024 * 1024 + 1), '.ots-scaffold has more than 8 MiB'],
    ...[
      '/etc/passwd',
      '../a',
      'a/../../b',
      'a//b',
      './a',
      'C:\\a',
      'C:a',
      '.git/config',
      '.GIT/hooks/x',
      '.ots/lock',
    ].map((path) => [
      path,
      line(`${path} ${deflated('a')}`),
      '.ots-scaffold:2 is not the path of a file in the project',
    ]),
  ])('%s is refused with its line', (_, text, message) => {
    expect(() => parseRecord(text)).toThrow(
      expect.objectContaining({
        code: 'INVALID_SCAFFOLD_RECORD',
        message,
        hint: 'Restore .ots-scaffold, for example with git checkout.',
      }),
    );
  });

  test.each(['<<<<<<< HEAD', '=======', '>>>>>>> feature', '||||||| 1234567'])(
    'the conflict marker %s is refused with what to do',
    (marker) => {
      expect(() => parseRecord(line(marker))).toThrow(
        expect.objectContaining({
          message: '.ots-scaffold:2 is a conflict marker of git',
          hint: 'Keep the lines of both sides and delete the lines of git in .ots-scaffold.',
        }),
      );
    },
  );
});
