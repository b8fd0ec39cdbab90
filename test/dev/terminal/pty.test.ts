import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { Pty, hasPty } from '../../support/pty.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

async function startSession(size: { columns?: number; rows?: number } = {}): Promise<Pty> {
  const file = join(temporaryDirectory(), 'session.mjs');
  const build = await rolldown({
    input: fileURLToPath(new URL('pty-session.ts', import.meta.url)),
    platform: 'node',
    external: ['execa'],
    resolve: {
      alias: {
        'ots-apimachinery': fileURLToPath(new URL('../../../packages/apimachinery/src', import.meta.url)),
      },
    },
  });
  await build.write({ file, format: 'esm' });
  await build.close();
  return new Pty(process.execPath, [file], size);
}

const hasKeyLine = (rows: readonly string[]): boolean => rows.at(-1)?.endsWith('? help  q quit') ?? false;

test.skipIf(!hasPty)(
  'in a pseudo-terminal, the view follows its size and gives the terminal back',
  async () => {
    const session = await startSession();
    expect((await session.waitFor(hasKeyLine)).length).toBe(24);
    expect(await session.modes()).toEqual(expect.arrayContaining(['-echo', '-icanon']));
    await session.resize(40, 12);
    await session.waitFor((rows) => rows.length === 12 && hasKeyLine(rows));
    session.press('p');
    await session.waitFor((rows) => rows.includes('❯ 1 all reconciles'));
    session.press('\u001Bq');
    expect(await session.exitCode).toBe(0);
    expect([await session.screen.isAlternate(), session.screen.isCursorHidden]).toEqual([false, false]);
    const rows = await session.screen.allRows();
    expect([rows[0], rows.at(-1)]).toEqual(['memcached-operator  ● running', 'ended']);
  },
);

test.skipIf(!hasPty)('a crash in a pseudo-terminal leaves the error to read, and a cursor', async () => {
  const session = await startSession();
  await session.waitFor(hasKeyLine);
  session.press('r');
  expect(await session.exitCode).toBe(1);
  expect([await session.screen.isAlternate(), session.screen.isCursorHidden]).toEqual([false, false]);
  expect((await session.screen.rows()).join('\n')).toContain('Error: the session crashed');
});
