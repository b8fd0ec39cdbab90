import type { Command, Option } from 'commander';
import type { Context } from '../context.ts';
import type { Resource } from '../project/project.ts';
import { licenses } from '../project/names/check-license.ts';
import { ProjectFile } from '../project/project-file.ts';
import { diskFileSystem } from '../scaffold/file-system.ts';
import { PROJECT_FILE, findProjectRoot } from '../scaffold/project-root.ts';

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
    return command.options.map((candidate) => [candidate.long ?? candidate.flags, candidate.description]);
  }
  if (command.name() === 'completion') return ['bash', 'zsh', 'fish'].map((shell) => [shell, '']);
  return command
    .createHelp()
    .visibleCommands(command)
    .map((child) => [child.name(), child.description()]);
}

function commandAt(words: readonly string[], program: Command): Command {
  let command = program;
  for (const word of words) command = command.commands.find((child) => child.name() === word) ?? command;
  return command;
}

const RESOURCE_FLAGS: Record<string, (resource: Resource) => string> = {
  '--group': (resource) => resource.group,
  '--version': (resource) => resource.version,
  '--spoke': (resource) => resource.version,
  '--kind': (resource) => resource.kind,
};

function valuesOf(option: Option, before: readonly string[], context: Context): string[] {
  if (option.long === '--license') return [...licenses];
  const read = RESOURCE_FLAGS[option.long ?? ''];
  if (!read) return option.optional ? ['true', 'false'] : [];
  return [...new Set(matchingResources(before, context).map(read))].toSorted();
}

/** The resources of the project that agree with the flags given so far. */
function matchingResources(before: readonly string[], context: Context): Resource[] {
  const given = Object.entries(RESOURCE_FLAGS).flatMap(([flag, read]) => {
    const value = before[before.indexOf(flag) + 1];
    return flag !== '--spoke' && before.includes(flag) && value ? [{ read, value }] : [];
  });
  return projectResources(context).filter((resource) =>
    given.every(({ read, value }) => read(resource) === value),
  );
}

/** Completion never complains: without a project that can be read there is nothing to offer. */
function projectResources(context: Context): readonly Resource[] {
  const fs = context.fs ?? diskFileSystem;
  try {
    const content = fs.read(`${findProjectRoot(fs, context.cwd)}/${PROJECT_FILE}`);
    return content ? ProjectFile.parse(content.toString('utf8')).project.resources : [];
  } catch {
    return [];
  }
}
