import { basename, relative, resolve } from 'node:path';
import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { formatLongLines } from '../../layouts/typescript/format-long-lines.ts';
import { stageInit } from '../../layouts/typescript/stage-init.ts';
import { olmPlugin, stageOlm } from '../../layouts/typescript/stage-olm.ts';
import { stageManifests } from '../../layouts/typescript/stage-manifests.ts';
import { stageRecord } from '../../layouts/typescript/unedited-project.ts';
import { reportPlan } from '../../output/report-plan.ts';
import { checkDomain } from '../../project/names/check-domain.ts';
import { checkOwner } from '../../project/names/check-owner.ts';
import { checkProjectName } from '../../project/names/check-project-name.ts';
import { checkRepo } from '../../project/names/check-repo.ts';
import { quoted } from '../../project/names/quoted.ts';
import { projectLayout } from '../../project/project.ts';
import { ProjectFile } from '../../project/project-file.ts';
import { ask } from '../../prompts/ask.ts';
import { execute } from '../../scaffold/execute.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import type { Plan } from '../../scaffold/plan.ts';
import { projectFile } from '../../scaffold/project-root.ts';
import { packageVersion } from '../../version.ts';
import { type HeaderOptions, chooseHeader } from '../shared/choose-header.ts';
import { inNewDirectory } from '../shared/in-new-directory.ts';
import { reportOptions, workingDirectory } from '../shared/report-options.ts';

export interface InitOptions extends CommonOptions, HeaderOptions {
  directory?: string;
  domain?: string;
  projectName?: string;
  repo?: string;
  multigroup?: boolean;
  namespaced?: boolean;
  olm?: boolean;
  skipInstall?: boolean;
  plugins?: string;
}

/** `ots init`: starts a project in a directory without one. */
export async function init(options: InitOptions, context: Context): Promise<void> {
  const fs = context.fs ?? diskFileSystem;
  const directory = resolve(workingDirectory(options, context), options.directory ?? '.');
  checkPlugins(options.plugins);
  const settings = await chooseSettings(options, directory, context);
  const header = await chooseHeader(options, { owner: `The ${settings.projectName} authors` }, context);
  const report = reportOptions(options);
  const plan = await inNewDirectory(fs, directory, report.dryRun, () =>
    execute({ command: 'init', root: directory, dryRun: report.dryRun, force: false, fs }, async (tree) => {
      if (tree.exists(projectFile)) throw alreadyAProject(directory);
      const file = ProjectFile.create({ ...settings, cliVersion: packageVersion });
      if (options.olm) file.addPlugin(olmPlugin);
      const notes = await stageInit(tree, file.project, header);
      if (options.olm) stageOlm(tree, file.project);
      tree.generate(projectFile, file.toString());
      await stageManifests(tree, file.project);
      await formatLongLines(tree);
      stageRecord(tree, tree.scaffolded());
      return { notes, nextSteps: nextSteps(options, context, directory) };
    }),
  );
  if (!options.skipInstall && !report.dryRun) await install(plan, options, context);
  await reportPlan(plan, report, context);
}

interface Settings {
  domain: string;
  projectName: string;
  repo: string;
  multigroup: boolean;
  namespaced: boolean;
}

async function chooseSettings(options: InitOptions, directory: string, context: Context): Promise<Settings> {
  const projectName = options.projectName ?? basename(directory).toLowerCase();
  checkProjectName(projectName);
  if (options.repo !== undefined) checkRepo(options.repo);
  if (options.owner !== undefined) checkOwner(options.owner);
  const domain = await ask(
    {
      flag: '--domain',
      given: options.domain,
      message: 'Which domain do your API groups end in?',
      example: 'example.com',
      check: checkDomain,
    },
    context,
  );
  return {
    domain,
    projectName,
    repo: options.repo ?? projectName,
    multigroup: options.multigroup ?? false,
    namespaced: options.namespaced ?? false,
  };
}

function checkPlugins(plugins: string | undefined): void {
  if (plugins === undefined || plugins === projectLayout) return;
  throw new OtsError('UNKNOWN_PLUGIN', `${quoted(plugins)} is not a plugin`, {
    hint: `Omit --plugins or use ${projectLayout}.`,
  });
}

function alreadyAProject(directory: string): OtsError {
  return new OtsError('ALREADY_A_PROJECT', `${quoted(directory, 500)} is already a project`, {
    hint: 'Use ots edit to change it, or name another directory.',
  });
}

/** Output of npm goes to stderr, so stdout has only the plan; with --json it is part of the error. */
async function install(plan: Plan, { quiet, json }: InitOptions, context: Context): Promise<void> {
  const { execa, ExecaError } = await import('execa');
  const { env, stderr } = context;
  const isSilent = quiet === true || json === true;
  if (!isSilent) stderr.write('Running npm install ...\n');
  const level = isSilent ? ['--loglevel=error'] : [];
  try {
    await execa('npm', ['install', '--no-audit', '--no-fund', ...level], {
      cwd: plan.root,
      env,
      extendEnv: false,
      stdin: 'ignore',
      stdout: isSilent ? 'ignore' : stderr,
      stderr: json ? 'pipe' : stderr,
    });
  } catch (cause) {
    const output = json && cause instanceof ExecaError ? { details: { output: String(cause.stderr) } } : {};
    const root = quoted(plan.root, 500);
    throw new OtsError('INSTALL_FAILED', `The project is complete, but npm install failed in ${root}`, {
      hint: 'Fix what npm reports and run npm install there.',
      cause,
      ...output,
    });
  }
}

function nextSteps(options: InitOptions, context: Context, directory: string): string[] {
  const change = directory === context.cwd ? [] : [`cd ${relative(context.cwd, directory)}`];
  const installed = options.skipInstall ? ['npm install'] : [];
  return [...change, ...installed, 'npx ots create api --group batch --version v1 --kind JobWatcher'];
}
