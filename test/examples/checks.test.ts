import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { examples } from '../support/examples.ts';

const commands = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));

describe.each(examples)('example $name', ({ directory: cwd }) => {
  test.each(['typecheck', 'lint', 'format:check'])('passes npm run %s', async (script) => {
    const { exitCode, all } = await execa('npm', ['run', '--silent', script], {
      cwd,
      all: true,
      reject: false,
      stdin: 'ignore',
      env: { PATH: `${commands}:${process.env['PATH']}`, NO_COLOR: '1', FORCE_COLOR: '0' },
    });
    expect(exitCode, all).toBe(0);
  });
});
