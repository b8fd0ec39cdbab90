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
 * The header of source files according to the flags; --license-file overrides --license.
 *
 * @param fallback defaults of missing flags
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
      `Cannot read the license file ${quoted(options.licenseFile)}`,
      {
        hint: 'Name an existing file, relative to the current directory.',
        cause,
      },
    );
  }
}

/** Applies what a formatter does to comments: ots must find the header again in formatted files. */
function tidy(text: string): string {
  return text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll(/[^\S\n]+$/gm, '');
}
