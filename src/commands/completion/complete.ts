import type { Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import type { Resource } from '../../project/project.ts';
import { licenses } from '../../project/names/check-license.ts';
import { ProjectFile } from '../../project/project-file.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import { PROJECT_FILE, findProjectRoot } from '../../scaffold/project-root.ts';
import { CONTROLLER_NAMES } from '../apiserver/controller-names.ts';
import { commandAt } from '../shared/command-at.ts';
import { workingDirectory } from '../shared/report-options.ts';

type Candidate = readonly [value: string, description: string];

/**
 * Prints what can follow the words typed so far: commands, flags, the choices of a flag, and for --group, --version
 * and --kind what the PROJECT at hand has.
 *
 * @param words what was typed after `ots`; the last one may be unfinished or empty
 */
export async function complete(words: readonly string[], program: Command, context: Context): Promise<void> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const candidates = candidatesFor(before, typed, program, context).filter(([value]) =>
    value.startsWith(typed),
  );
  context.stdout.write(candidates.map(([value, description]) => `${value}\t${description}\n`).join(''));
}

function candidatesFor(
  before: readonly string[],
  typed: string,
  program: Command,
  context: Context,
): Candidate[] {
  const command = commandAt(before, program);
  const inline = /^(--[a-z-]+)=/.exec(typed)?.[1];
  const flag = inline ?? before.at(-1) ?? '';
  const option = command.options.find(({ long, short }) => flag !== '' && (long === flag || short === flag));
  if (option && (inline || option.required)) {
    const prefix = inline ? `${inline}=` : '';
    return valuesOf(option, before, context).map((value) => [`${prefix}${value}`, '']);
  }
  if (typed.startsWith('-')) {
    const options = command.createHelp().visibleOptions(command);
    return options.map((candidate) => [candidate.long ?? candidate.flags, candidate.description]);
  }
  if (command.name() === 'completion') return ['bash', 'zsh', 'fish'].map((shell) => [shell, '']);
  return command
    .createHelp()
    .visibleCommands(command)
    .map((child) => [child.name(), child.description()]);
}

const RESOURCE_FLAGS: Record<string, (resource: Resource) => string> = {
  '--group': (resource) => resource.group,
  '--version': (resource) => resource.version,
  '--kind': (resource) => resource.kind,
};

function valuesOf(option: Option, before: readonly string[], context: Context): string[] {
  if (option.long === '--license') return [...licenses];
  if (option.long === '--spoke') return spokes(before, context);
  if (option.long === '--controllers') return ['all', 'none', ...CONTROLLER_NAMES];
  const read = RESOURCE_FLAGS[option.long ?? ''];
  if (!read) return option.optional ? ['true', 'false'] : [];
  return unique(matchingResources(Object.keys(RESOURCE_FLAGS), before, context).map(read));
}

/** The versions of the kind, but for the hub, which --version names. */
function spokes(before: readonly string[], context: Context): string[] {
  const versions = matchingResources(['--group', '--kind'], before, context).map(({ version }) => version);
  return unique(versions.filter((version) => version !== givenValue('--version', before)));
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted();
}

/** The resources of the project that agree with what some flags were given so far. */
function matchingResources(
  flags: readonly string[],
  before: readonly string[],
  context: Context,
): Resource[] {
  return projectResources(givenValue('--cwd', before), context).filter((resource) =>
    flags.every((flag) => {
      const value = givenValue(flag, before);
      return !value || RESOURCE_FLAGS[flag]?.(resource) === value;
    }),
  );
}

/** The value that a flag was given last, as `--flag value` or as `--flag=value`. */
function givenValue(flag: string, before: readonly string[]): string | undefined {
  const index = before.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const word = before[index];
  return word === flag ? before[index + 1] : word?.slice(flag.length + 1);
}

/** Completion never complains: without a project that can be read there is nothing to offer. */
function projectResources(cwd: string | undefined, context: Context): readonly Resource[] {
  const fs = context.fs ?? diskFileSystem;
  try {
    const root = findProjectRoot(fs, workingDirectory(cwd === undefined ? {} : { cwd }, context));
    const content = fs.read(`${root}/${PROJECT_FILE}`);
    return content ? ProjectFile.parse(content.toString('utf8')).project.resources : [];
  } catch {
    return [];
  }
}
