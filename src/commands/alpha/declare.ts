import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, examplesText, onRun } from '../shared/declare-command.ts';

const declareAlphaGenerate: Declare = (alpha, context) => {
  const generate = declareCommand(alpha, {
    name: 'generate',
    description: 'scaffold the project again from PROJECT, into another directory and without your edits',
    examples: [
      'ots alpha generate --output-dir ../fresh',
      'ots alpha generate --output-dir ../fresh --dry-run',
    ],
  })
    .requiredOption('--output-dir <directory>', 'directory of the new files, which must be empty or new')
    .option('--force', 'replace files in a directory that is not empty; other files stay');
  onRun(generate, context, async () => (await import('./generate.ts')).alphaGenerate);
};

const declareAlphaUpdate: Declare = (alpha, context) => {
  const update = declareCommand(alpha, {
    name: 'update',
    description: 'merge what changed in the scaffold since the project was made into the project',
    examples: [
      'ots alpha update --dry-run     # shows all changes',
      'ots alpha update',
      'ots alpha update --base HEAD   # no file of the commit is edited, and the project has no .ots-scaffold',
    ],
  })
    .option(
      '--base <revision>',
      'git revision of the project before its files were edited (default: .ots-scaffold)',
    )
    .option('--force', 'update a project with changes that are not committed');
  onRun(update, context, async () => (await import('./update.ts')).alphaUpdate);
};

/** `ots alpha` and its commands */
export const declareAlpha: Declare = (program, context) => {
  const alpha = program
    .command('alpha')
    .description('scaffold a project again, or bring it to this version of ots')
    .helpCommand(false)
    .addHelpText('after', examplesText(['ots alpha generate --output-dir ../fresh', 'ots alpha update']));
  declareAlphaGenerate(alpha, context);
  declareAlphaUpdate(alpha, context);
};
