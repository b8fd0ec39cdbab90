import type { Command } from 'commander';

/** The innermost command that the words typed after `ots` name. */
export function commandAt(words: readonly string[], program: Command): Command {
  let command = program;
  for (const word of words) {
    const child = command.commands.find((candidate) => candidate.name() === word);
    if (!child) break;
    command = child;
  }
  return command;
}
