import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { LiveSession } from './live-session.ts';

/** Lets this process find only the programs of a directory. */
function useProgramsOf(directory: string): void {
  const { PATH } = process.env;
  process.env['PATH'] = directory;
  onTestFinished(() => {
    process.env['PATH'] = PATH;
  });
}

test.runIf(process.platform === 'linux')('o opens the page with the URL as one argument', async () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'arguments');
  writeFileSync(join(directory, 'xdg-open'), `#!/bin/sh\necho "$#: $1" > ${file}\n`, { mode: 0o755 });
  useProgramsOf(directory);
  const session = new LiveSession();
  await session.press('o');
  await vi.waitFor(() =>
    expect(existsSync(file) && readFileSync(file, 'utf8')).toBe('1: http://127.0.0.1:40124/k3/\n'),
  );
  session.view.stop();
});

test.runIf(process.platform === 'linux')(
  'without a program that opens pages, o says where the page is',
  async () => {
    useProgramsOf(temporaryDirectory());
    const session = new LiveSession();
    await session.press('o');
    await vi.waitFor(async () =>
      expect((await session.press()).at(-2)).toBe('Open http://127.0.0.1:40124/k3/ in a browser'),
    );
    session.view.stop();
  },
);
