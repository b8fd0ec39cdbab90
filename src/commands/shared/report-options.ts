import { resolve } from 'node:path';
import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import type { ReportOptions } from '../../output/report-plan.ts';
import { quoted } from '../../project/names/quoted.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import { isDirectory } from './is-directory.ts';

/** The flags of a command for its report. */
export function reportOptions({ dryRun, json, quiet, verbose }: CommonOptions): ReportOptions {
  return { dryRun: dryRun ?? false, json: json ?? false, quiet: quiet ?? false, verbose: verbose ?? false };
}

/**
 * The working directory of a command, absolute.
 *
 * @throws OtsError `NO_DIRECTORY` if the directory of --cwd does not exist
 */
export function workingDirectory({ cwd }: CommonOptions, context: Context): string {
  if (cwd === undefined) return context.cwd;
  const directory = resolve(context.cwd, cwd);
  if (isDirectory(context.fs ?? diskFileSystem, directory)) return directory;
  throw new OtsError('NO_DIRECTORY', `The directory ${quoted(cwd)} does not exist`, {
    hint: 'Name an existing directory with --cwd.',
  });
}
