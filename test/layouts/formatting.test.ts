import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { describe, expect, test } from 'vitest';
import { isThorough } from '../support/property-runs.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** A kind of a given length; with a project name of one letter its roles get names of 63 characters at most. */
const kindOf = (length: number): string => `K${'i'.repeat(length - 1)}`;

/** In characters. */
const lengths = isThorough ? [1, 2, 8, 16, 24, 32, 40, 46] : [1, 24, 46];

describe('rendered TypeScript is formatted', () => {
  test.each(lengths)('with a kind of %i characters', async (length) => {
    const directory = join(temporaryDirectory(), 'p');
    mkdirSync(directory);
    const gvk = (group: string, version: string) => [
      '--group',
      group,
      '--version',
      version,
      '--kind',
      kindOf(length),
    ];
    for (const step of [
      ['init', '--skip-install', '--domain', 'example.com', '--project-name', 'p'],
      ['create', 'api', ...gvk('g', 'v1'), '--short-name', 'short', '--categories', 'all'],
      ['create', 'api', ...gvk('g', 'v2beta1'), '--controller-name', 'a-second-controller'],
      [
        'create',
        'webhook',
        ...gvk('g', 'v1'),
        '--defaulting',
        '--programmatic-validation',
        '--conversion',
        '--spoke',
        'v2beta1',
        '--defaulting-path',
        '/a/rather/long/path',
      ],
      ['edit', '--multigroup'],
      ['create', 'api', ...gvk('h', 'v1'), '--namespaced=false'],
      ['create', 'api', ...gvk('cert-manager', 'v1'), '--external-api-domain', 'io'],
    ]) {
      expect(await run(directory, step), step.join(' ')).toMatchObject({ code: 0 });
    }
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /^(src|test)\/.*\.ts$/.test(path),
    );
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const text = readFileSync(join(directory, file), 'utf8');
      expect((await format(file, text, { singleQuote: true })).code, file).toBe(text);
    }
  });
});
