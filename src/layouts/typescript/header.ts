import { isDeepStrictEqual } from 'node:util';
import { OtsError } from '../../errors/ots-error.ts';
import type { License } from '../../project/names/licenses.ts';
import type { Tree } from '../../scaffold/tree.ts';

/** Where a project keeps the header of its source files. */
export const headerFile = 'hack/boilerplate.txt';

const identifiers = { apache2: 'Apache-2.0', mit: 'MIT' } as const;
const maxHeaderBytes = 64 * 1024;

/**
 * Returns the header of source files: the copyright owner, and the license as an SPDX identifier
 * (https://spdx.dev/ids).
 */
export function licenseHeader(license: License, owner: string, year: number): string {
  if (license === 'none') return '';
  return `// Copyright ${year} ${owner}\n// SPDX-License-Identifier: ${identifiers[license]}\n`;
}

/** Returns the license and owner of a header that ots wrote. */
export function describeHeader(header: string): { license: License; owner: string } | undefined {
  if (header === '') return { license: 'none', owner: '' };
  const found = /^\/\/ Copyright \d+ (.+)\n\/\/ SPDX-License-Identifier: (\S+)\n$/.exec(header);
  const license = (Object.keys(identifiers) as (keyof typeof identifiers)[]).find(
    (key) => identifiers[key] === found?.[2],
  );
  return found?.[1] && license ? { license, owner: found[1] } : undefined;
}

/**
 * Turns a user's text into a header: comments stay as they are, other text becomes a comment.
 *
 * @param file names the text in errors
 * @throws OtsError `INVALID_LICENSE_FILE` if the result would not be a TypeScript comment
 */
export async function headerFromText(text: string, file: string): Promise<string> {
  const trimmed = text.replaceAll('\r\n', '\n').trim();
  if (trimmed.length > maxHeaderBytes || trimmed.includes('\0')) {
    throw invalidLicenseFile(`${file} is not a text file of at most 64 KiB`);
  }
  if (trimmed === '') return '';
  const isComment = trimmed.startsWith('/*') || trimmed.startsWith('//');
  const header = isComment
    ? trimmed
    : trimmed
        .split('\n')
        .map((line) => `// ${line}`.trimEnd())
        .join('\n');
  const { parseSync } = await import('oxc-parser');
  const { program, errors } = parseSync('header.ts', header);
  if (errors.length > 0 || program.body.length > 0)
    throw invalidLicenseFile(`${file} is more than a comment`);
  if (await hasTags(header))
    throw invalidLicenseFile(`${file} contains tags such as @rbac, which would apply in every file`);
  return `${header}\n`;
}

/** Returns whether `ots manifests` would find tags in this comment. */
async function hasTags(header: string): Promise<boolean> {
  const { generateManifests } = await import('../../manifests/generate-manifests.ts');
  const generate = (text: string) =>
    generateManifests({ list: (directory) => (directory === 'src' ? ['src/a.ts'] : []), read: () => text });
  return !isDeepStrictEqual(generate(header), generate(''));
}

function invalidLicenseFile(message: string): OtsError {
  return new OtsError('INVALID_LICENSE_FILE', message, {
    hint: 'Use a file with plain text, or with a single /* */ or // comment.',
  });
}

/** Returns a project's header as stored, with Unix line endings; empty for none. */
export function readHeader(tree: Tree): string {
  return tree.read(headerFile)?.replaceAll('\r\n', '\n') ?? '';
}

/** Returns the text that TypeScript templates put before their first line. */
export function headerOf(tree: Tree): string {
  const text = readHeader(tree);
  return text.trim() === '' ? '' : `${text.trimEnd()}\n\n`;
}
