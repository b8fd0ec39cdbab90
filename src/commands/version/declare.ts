import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, onRun } from '../shared/declare-command.ts';

/** `ots version` */
export const declareVersion: Declare = (program, context) => {
  const version = declareCommand(program, {
    name: 'version',
    description: 'print the versions of ots and Node',
    examples: ['ots version --json'],
  });
  onRun(version, context, async () => (await import('./version.ts')).version);
};
