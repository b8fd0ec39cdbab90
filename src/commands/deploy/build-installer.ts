import { basename, dirname, join, relative, resolve } from 'node:path';
import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { type Build, buildWithKustomize, parseObjects } from '../../deploy/kustomize.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { reportPlan } from '../../output/report-plan.ts';
import type { Change } from '../../scaffold/change.ts';
import { type FileSystem, diskFileSystem } from '../../scaffold/file-system.ts';
import { projectRoot } from '../shared/in-project.ts';
import { reportOptions, workingDirectory } from '../shared/report-options.ts';
import { type ImageOptions, buildOperator } from './operator-objects.ts';

/** The flags of `ots build-installer`. */
export interface BuildInstallerOptions extends CommonOptions, ImageOptions {
  /** A file, or `-`. */
  output?: string;
}

/**
 * `ots build-installer`: writes everything that `ots deploy` applies to one file, or to standard output.
 *
 * @param build for tests: builds without kustomize
 * @throws OtsError `NO_DIRECTORY` if the directory of --output does not exist, and of the build
 */
export async function buildInstaller(
  options: BuildInstallerOptions,
  context: Context,
  build: Build = buildWithKustomize,
): Promise<void> {
  const root = projectRoot(options, context);
  const text = await buildOperator(root, options, context, build);
  if (options.output === '-') {
    context.stdout.write(options.json ? listOf(text) : text);
    return;
  }
  const fs = context.fs ?? diskFileSystem;
  const file =
    options.output === undefined
      ? join(root, 'dist/install.yaml')
      : resolve(workingDirectory(options, context), options.output);
  const report = reportOptions(options);
  const change = changeOf(file, text, root, fs);
  if (change && !report.dryRun) write(file, Buffer.from(text), options, fs);
  const plan = {
    command: 'build-installer',
    root,
    changes: change ? [change] : [],
    unchanged: change ? [] : [relative(root, file)],
    notes: [],
    nextSteps: [`kubectl apply --server-side -f ${relative(context.cwd, file)}`],
  };
  await reportPlan(plan, report, context);
}

function listOf(text: string): string {
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: parseObjects(text) }, null, 2)}\n`;
}

function changeOf(file: string, text: string, root: string, fs: FileSystem): Change | undefined {
  const before = fs.read(file);
  const after = Buffer.from(text);
  if (before?.equals(after)) return undefined;
  const path = relative(root, file);
  return {
    path,
    action: before ? 'update' : 'create',
    origin: 'generated',
    before,
    after,
    mode: 0o644,
    forced: false,
  };
}

/** Readers see the old content or the new content. */
function write(file: string, content: Buffer, { output }: BuildInstallerOptions, fs: FileSystem): void {
  const directory = dirname(file);
  if (fs.kind(directory) === undefined) {
    if (output !== undefined) {
      throw new OtsError('NO_DIRECTORY', `The directory ${oneLine(directory)} does not exist`, {
        hint: 'Create it, or choose another file with --output.',
      });
    }
    fs.makeDirectory(directory);
  }
  const temporary = join(directory, `.${basename(file)}.${process.pid}.tmp`);
  try {
    fs.write(temporary, content, fs.mode(file) ?? 0o644);
    fs.rename(temporary, file);
  } catch (error) {
    fs.removeFile(temporary);
    throw error;
  }
}
