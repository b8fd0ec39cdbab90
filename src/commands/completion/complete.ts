import type { Argument, Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import type { Resource } from '../../project/project.ts';
import { ProjectFile } from '../../project/project-file.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import { projectFile, findProjectRoot } from '../../scaffold/project-root.ts';
import { commandAt } from '../shared/command-at.ts';
import { workingDirectory } from '../shared/report-options.ts';
import { type TypedLine, suggestionsFor } from '../shared/suggestions.ts';

type Candidate = readonly [value: string, description: string];

/**
 * Prints what can follow the words typed so far: commands, flags, and the values that the declaration of a flag or an
 * argument offers.
 *
 * @param words the words typed after `ots`; the last one may be incomplete or empty
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
  const valuesOf = (target: Option | Argument) => suggestionsFor(target, typedLine(before, context));
  const inline = /^(--[a-z-]+)=/.exec(typed)?.[1];
  const flag = inline ?? before.at(-1) ?? '';
  const option = command.options.find(({ long, short }) => flag !== '' && (long === flag || short === flag));
  if (option && (inline || option.required)) {
    const prefix = inline ? `${inline}=` : '';
    return valuesOf(option).map((value) => [`${prefix}${value}`, '']);
  }
  if (typed.startsWith('-')) {
    const options = command.createHelp().visibleOptions(command);
    return options.map((candidate) => [candidate.long ?? candidate.flags, candidate.description]);
  }
  const values = command.registeredArguments.flatMap((argument) => valuesOf(argument));
  const commands = command.createHelp().visibleCommands(command);
  return [
    ...values.map((value) => [value, ''] as const),
    ...commands.map((child) => [child.name(), child.description()] as const),
  ];
}

const resourceFlags: Record<string, (resource: Resource) => string> = {
  '--group': (resource) => resource.group,
  '--version': (resource) => resource.version,
  '--kind': (resource) => resource.kind,
};

function typedLine(before: readonly string[], context: Context): TypedLine {
  const value = (flag: string) => givenValue(flag, before);
  return {
    value,
    resources: (flags) =>
      projectResources(value('--cwd'), context).filter((resource) =>
        flags.every((flag) => !value(flag) || resourceFlags[flag]?.(resource) === value(flag)),
      ),
  };
}

/** The last value of a flag, given as `--flag value` or as `--flag=value`. */
function givenValue(flag: string, before: readonly string[]): string | undefined {
  const index = before.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const word = before[index];
  return word === flag ? before[index + 1] : word?.slice(flag.length + 1);
}

/** Completion never fails: without a readable project it has no resources to offer. */
function projectResources(cwd: string | undefined, context: Context): readonly Resource[] {
  const fs = context.fs ?? diskFileSystem;
  try {
    const root = findProjectRoot(fs, workingDirectory(cwd === undefined ? {} : { cwd }, context));
    const content = fs.read(`${root}/${projectFile}`);
    return content ? ProjectFile.parse(content.toString('utf8')).project.resources : [];
  } catch {
    return [];
  }
}
