import { expect, test } from 'vitest';
import { memoryTree } from '../../../src/scaffold/memory-tree.ts';
import { stageMerge } from '../../../src/scaffold/merge/stage-merge.ts';

const options = { labels: { ours: 'yours', theirs: 'ots 2' }, isKept: () => false };
const files = (content: string | Buffer): Map<string, Buffer> => new Map([['a', Buffer.from(content)]]);

function merge(base: string | Buffer, ours: string | Buffer, theirs: string | Buffer) {
  const tree = memoryTree(files(ours));
  const outcome = stageMerge(tree, { base: files(base), theirs: files(theirs) }, options);
  return { ...outcome, content: tree.readBytes('a') };
}

test.each([
  ['binary', Buffer.from([0, 255, 1])],
  ['large', `${'x'.repeat(300 * 1024)}\n`],
  ['long', Array.from({ length: 5001 }, (_, index) => `${index}\n`).join('')],
  ['repetitive', '\n'.repeat(501)],
])('a %s file of the author stays, with a note', (_, ours) => {
  expect(merge('old\n', ours, 'new\n')).toMatchObject({
    conflicts: [],
    notes: ['a changed in the scaffold, too. It is binary or large, so it stays unchanged.'],
    content: Buffer.from(ours),
  });
});
