import type { Command } from 'commander';
import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, examplesText, onRun } from '../shared/declare-command.ts';
import { list, onOff } from '../shared/flags.ts';
import { gvkFlags, spokeFlag } from '../shared/resource-flags.ts';

/** `ots create` and its commands */
export const declareCreate: Declare = (program, context) => {
  const create = program
    .command('create')
    .description('add an API or a webhook to the project')
    .helpCommand(false)
    .addHelpText(
      'after',
      examplesText([
        'ots create api --group batch --version v1 --kind JobWatcher',
        'ots create webhook --group batch --version v1 --kind JobWatcher --programmatic-validation',
      ]),
    );
  declareCreateApi(create, context);
  declareCreateWebhook(create, context);
};

const declareCreateApi: Declare = (create, context) => {
  const api = declareCommand(create, {
    name: 'api',
    description: 'add an API: its type, controller, tests, sample and roles',
    examples: [
      'ots create api --group batch --version v1 --kind JobWatcher',
      'ots create api --group batch --version v2 --kind JobWatcher      # another version',
      'ots create api --group apps --version v1 --kind Deployment --resource=false   # a controller for a core type',
    ],
  });
  externalFlags(gvkFlags(api))
    .option('--plural <plural>', 'plural of the kind, if irregular')
    .option('--short-name <names>', 'short names for kubectl, comma-separated', list)
    .option('--categories <names>', 'categories for kubectl, comma-separated', list)
    .addOption(onOff('--resource', 'add the type and its CRD (default: true)'))
    .addOption(onOff('--controller', 'add a controller (default: true, but false for a second version)'))
    .addOption(onOff('--namespaced', 'objects live in a namespace (default: true)'))
    .option('--controller-name <name>', 'name of another controller for a kind that already has one')
    .option('--force', 'replace existing files');
  onRun(api, context, async () => (await import('./create-api.ts')).createApi);
};

const declareCreateWebhook: Declare = (create, context) => {
  const webhook = declareCommand(create, {
    name: 'webhook',
    description: 'add a webhook to an API: defaulting, validation or conversion',
    examples: [
      'ots create webhook --group batch --version v1 --kind JobWatcher --defaulting --programmatic-validation',
      'ots create webhook --group batch --version v1 --kind JobWatcher --conversion --spoke v2',
    ],
  });
  externalFlags(gvkFlags(webhook))
    .option('--defaulting', 'add a webhook that sets defaults')
    .option('--programmatic-validation', 'add a webhook that validates')
    .option('--conversion', 'convert between the versions of the kind; --version names the hub')
    .addOption(spokeFlag('versions to convert to and from the hub, comma-separated'))
    .option('--defaulting-path <path>', 'URL path of the defaulting webhook')
    .option('--validation-path <path>', 'URL path of the validating webhook')
    .option('--force', 'replace existing files');
  onRun(webhook, context, async () => (await import('./create-webhook.ts')).createWebhook);
};

function externalFlags(command: Command): Command {
  return command
    .option('--external-api-path <path>', 'module that exports a kind of another project')
    .option('--external-api-domain <domain>', 'domain of a kind of another project');
}
