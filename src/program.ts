import { Command } from 'commander';
import { declareAlpha } from './commands/alpha/declare.ts';
import { declareApiServer } from './commands/apiserver/declare.ts';
import { declareBundle } from './commands/bundle/declare.ts';
import { declareCatalog } from './commands/catalog/declare.ts';
import { declareCheck } from './commands/check/declare.ts';
import { declareCleanup } from './commands/cleanup/declare.ts';
import { declareCompletion } from './commands/completion/declare.ts';
import { declareCreate } from './commands/create/declare.ts';
import { declareDelete } from './commands/delete/declare.ts';
import { declareDev } from './commands/dev/declare.ts';
import { declareBuildInstaller, declareDeploy, declareUndeploy } from './commands/deploy/declare.ts';
import { declareEdit } from './commands/edit/declare.ts';
import { declareGenerate } from './commands/generate/declare.ts';
import { declareInit } from './commands/init/declare.ts';
import { declareInstall, declareUninstall } from './commands/install/declare.ts';
import { declareManifests } from './commands/manifests/declare.ts';
import { declareMigrateStorage } from './commands/migrate-storage/declare.ts';
import { declareOlm } from './commands/olm/declare.ts';
import { declareRun } from './commands/run/declare.ts';
import { declareScorecard } from './commands/scorecard/declare.ts';
import { examplesText } from './commands/shared/declare-command.ts';
import { declareTorture } from './commands/torture/declare.ts';
import { declareTrace } from './commands/trace/declare.ts';
import { declareVersion } from './commands/version/declare.ts';
import type { Context } from './context.ts';
import { packageVersion } from './version.ts';

/** Every command, in the order of `ots --help`. */
const declarations = new Map([
  ['init', declareInit],
  ['create', declareCreate],
  ['delete', declareDelete],
  ['edit', declareEdit],
  ['manifests', declareManifests],
  ['check', declareCheck],
  ['dev', declareDev],
  ['torture', declareTorture],
  ['run', declareRun],
  ['install', declareInstall],
  ['uninstall', declareUninstall],
  ['deploy', declareDeploy],
  ['undeploy', declareUndeploy],
  ['build-installer', declareBuildInstaller],
  ['migrate-storage', declareMigrateStorage],
  ['generate', declareGenerate],
  ['bundle', declareBundle],
  ['scorecard', declareScorecard],
  ['catalog', declareCatalog],
  ['olm', declareOlm],
  ['cleanup', declareCleanup],
  ['alpha', declareAlpha],
  ['trace', declareTrace],
  ['apiserver', declareApiServer],
  ['version', declareVersion],
  ['completion', declareCompletion],
]);

/**
 * The command line. A command imports its implementation when it runs.
 *
 * @param command declares this command alone, as declaring all of them takes a while; default: declares all, as completion needs
 */
export function createProgram(context: Context, command?: string): Command {
  const program = new Command('ots')
    .description('scaffold, generate and test Kubernetes operators in TypeScript')
    .version(packageVersion, '-V, --version', 'print the version and exit')
    .helpCommand(false)
    .addHelpText(
      'after',
      examplesText([
        'ots init --domain example.com',
        'ots create api --group batch --version v1 --kind JobWatcher',
        'ots create webhook --group batch --version v1 --kind JobWatcher --defaulting',
        'ots dev',
        'ots deploy --image registry.example.com/my-operator:v1',
      ]),
    )
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      getOutHelpWidth: () => context.stdout.columns ?? 80,
      // fail() reports errors once, without the usage.
      writeErr: () => {},
      outputError: () => {},
    })
    .enablePositionalOptions()
    .exitOverride();
  const only = command !== 'completion' && declarations.get(command ?? '');
  for (const declare of only ? [only] : declarations.values()) declare(program, context);
  return program;
}
