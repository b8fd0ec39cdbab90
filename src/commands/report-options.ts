import { resolve } from 'node:path';
import type { CommonOptions } from '../cli.ts';
import type { Context } from '../context.ts';
import type { ReportOptions } from '../output/report-plan.ts';

/** The flags of a command that say how to report. */
export function reportOptions({ dryRun, json, quiet, verbose }: CommonOptions): ReportOptions {
  return { dryRun: dryRun ?? false, json: json ?? false, quiet: quiet ?? false, verbose: verbose ?? false };
}

/** The directory that a command works in, absolute. */
export function workingDirectory(options: CommonOptions, context: Context): string {
  return resolve(context.cwd, options.cwd ?? '.');
}
