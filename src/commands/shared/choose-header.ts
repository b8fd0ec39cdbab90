import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { headerFromText, licenseHeader } from '../../layouts/typescript/header.ts';
import { checkLicense } from '../../project/names/check-license.ts';
import type { License } from '../../project/names/licenses.ts';
import { checkOwner } from '../../project/names/check-owner.ts';
import { quoted } from '../../project/names/quoted.ts';
import { workingDirectory } from './report-options.ts';

export interface HeaderOptions {
  owner?: string;
  license?: string;
  licenseFile?: string;
}

/**
 * The header of source files that the flags ask for; --license-file goes before --license.
 *
 * @param fallback what is meant by a flag that was not given
 */
export async function chooseHeader(
  options: CommonOptions & HeaderOptions,
  fallback: { owner: string; license?: License },
  context: Context,
): Promise<string> {
  const license = checkLicense(options.license ?? fallback.license ?? 'apache2');
  if (options.owner !== undefined) checkOwner(options.owner);
  if (options.licenseFile === undefined) {
    return licenseHeader(license, options.owner ?? fallback.owner, context.now().getFullYear());
  }
  const path = resolve(workingDirectory(options, context), options.licenseFile);
  try {
    return await headerFromText(tidy(readFileSync(path, 'utf8')), quoted(options.licenseFile));
  } catch (cause) {
    if (cause instanceof OtsError) throw cause;
    throw new OtsError(
      'INVALID_LICENSE_FILE',
      `The licence file ${quoted(options.licenseFile)} cannot be read.`,
      {
        hint: 'Name a file that exists, from the directory that you are in.',
        cause,
      },
    );
  }
}

/** What a formatter would do to a comment, or the header would not be found again in a formatted file. */
function tidy(text: string): string {
  return text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll(/[^\S\n]+$/gm, '');
}
