import { Argument } from 'commander';
import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, onRun } from '../shared/declare-command.ts';
import { suggest } from '../shared/suggestions.ts';
import { shells } from './shells.ts';

/** `ots completion`, and the hidden `ots __complete` that its scripts call */
export const declareCompletion: Declare = (program, context) => {
  const completion = declareCommand(program, {
    name: 'completion',
    description: 'print a completion script for a shell',
    examples: [
      'source <(ots completion bash)',
      'ots completion zsh > "${fpath[1]}/_ots"',
      'ots completion fish > ~/.config/fish/completions/ots.fish',
    ],
  }).addArgument(suggest(new Argument('<shell>', 'bash, zsh or fish'), () => shells));
  onRun(completion, context, async () => (await import('./completion.ts')).completion);
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: string[]) => {
      const { complete } = await import('./complete.ts');
      await complete(words, program, context);
    });
};
