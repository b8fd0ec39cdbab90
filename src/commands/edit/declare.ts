import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, onRun } from '../shared/declare-command.ts';
import { headerFlags, onOff } from '../shared/flags.ts';

/** `ots edit` */
export const declareEdit: Declare = (program, context) => {
  const edit = declareCommand(program, {
    name: 'edit',
    description: 'change the settings chosen at init',
    examples: [
      'ots edit --multigroup         # moves the files and updates their imports',
      'ots edit --namespaced=false',
      'ots edit --olm                # adds npm run bundle and npm run catalog-build',
      'ots edit --olm=false          # removes that again',
      'ots edit --license apache2 --owner "Acme Ltd"',
    ],
  })
    .addOption(onOff('--multigroup', 'keep APIs in one folder per group'))
    .addOption(onOff('--namespaced', 'limit the operator to one namespace'))
    .addOption(onOff('--olm', 'add what makes bundles and catalogs for the Operator Lifecycle Manager'));
  headerFlags(edit).option('--force', 'replace files that you edited');
  onRun(edit, context, async () => (await import('./edit.ts')).edit);
};
