import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputFileSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';
import { examples } from '../support/examples.ts';
import {
  authoredFilesOf,
  projectFilesOf,
  readmeOf,
  replay,
  withLineCounts,
} from '../support/replayed-example.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** `npm run examples:update` writes what is compared here otherwise. */
const updating = process.env['MODE'] === 'update-examples';

describe.each(examples)('example $name', (example) => {
  const { directory } = example;

  test('is what its commands make, with what its author wrote and ots manifests generates', async () => {
    const replayed = await replay(example, temporaryDirectory());
    if (updating) {
      for (const [path, text] of Object.entries(replayed.project))
        outputFileSync(join(directory, path), text);
      writeFileSync(join(directory, 'README.md'), withLineCounts(readmeOf(directory), directory, replayed));
    }
    const files = projectFilesOf(example);
    const paths = [...new Set([...Object.keys(files), ...Object.keys(replayed.project)])];
    const different = paths.filter((path) => files[path] !== replayed.project[path]);
    expect(
      different,
      `files of examples/${example.name} differ from what its commands make. If you wrote them, add them to the table in its ` +
        'README. If a template has changed, run npm run examples:update.',
    ).toEqual([]);
    const authored = authoredFilesOf(readmeOf(directory));
    expect(
      authored.filter((path) => replayed.skeleton[path] === files[path]),
      'the README lists files that are as the commands made them',
    ).toEqual([]);
    expect(readmeOf(directory)).toBe(withLineCounts(readmeOf(directory), directory, replayed));
  });
});
