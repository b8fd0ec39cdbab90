import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, onRun } from '../shared/declare-command.ts';
import { headerFlags } from '../shared/flags.ts';

/** `ots init` */
export const declareInit: Declare = (program, context) => {
  const init = declareCommand(program, {
    name: 'init',
    description: 'start a new operator project',
    examples: [
      'ots init --domain example.com',
      'ots init jobwatcher --domain example.com --repo github.com/acme/jobwatcher --owner "Acme Ltd" --license mit',
      'ots init --domain example.com --dry-run',
    ],
  })
    .argument('[directory]', 'directory of the project (default: the current directory)')
    .option('--domain <domain>', 'domain of your API groups, for example example.com')
    .option('--project-name <name>', 'prefix of all deployed objects (default: name of the directory)')
    .option('--repo <repo>', 'npm package name or repository path (default: the project name)');
  headerFlags(init)
    .option('--multigroup', 'keep APIs in one folder per group, which allows several groups')
    .option('--namespaced', 'limit the operator to one namespace')
    .option('--olm', 'add what makes bundles and catalogs for the Operator Lifecycle Manager')
    .option('--skip-install', 'do not run npm install')
    .option('--plugins <layouts>', 'layout of the project; only typescript.ots/v1 is available');
  onRun(init, context, async () => (await import('./init.ts')).init);
};
