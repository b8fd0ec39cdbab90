import { type Command, Option } from 'commander';
import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, examplesText, onRun } from '../shared/declare-command.ts';
import { onOff } from '../shared/flags.ts';
import { gvkFlags, spokeFlag, unique } from '../shared/resource-flags.ts';
import { suggest } from '../shared/suggestions.ts';

/** `ots delete` and its commands */
export const declareDelete: Declare = (program, context) => {
  const remove = program
    .command('delete')
    .description('delete an API or a webhook from the project')
    .helpCommand(false)
    .addHelpText(
      'after',
      examplesText([
        'ots delete api --group batch --version v1 --kind JobWatcher',
        'ots delete webhook --group batch --version v1 --kind JobWatcher --programmatic-validation',
      ]),
    );
  declareDeleteApi(remove, context);
  declareDeleteWebhook(remove, context);
};

const declareDeleteApi: Declare = (remove, context) => {
  const api = declareCommand(remove, {
    name: 'api',
    description: 'delete an API, with everything that ots create api added for it',
    examples: [
      'ots delete api --group batch --version v1 --kind JobWatcher',
      'ots delete api --group batch --version v1 --kind JobWatcher --dry-run   # shows every change',
      'ots delete api --group batch --version v1 --kind JobWatcher --resource=false   # only its controller',
    ],
  });
  gvkFlags(api, ({ api: own, controller, controllers }) =>
    Boolean(own || controller || controllers.length > 0),
  )
    .addOption(onOff('--resource', 'delete the type and its CRD, not only a controller (default: true)'))
    .addOption(controllerFlag());
  deletionFlags(api);
  onRun(api, context, async () => (await import('./delete-api.ts')).deleteApi);
};

const declareDeleteWebhook: Declare = (remove, context) => {
  const webhook = declareCommand(remove, {
    name: 'webhook',
    description: 'delete webhooks of an API, with everything that ots create webhook added for them',
    examples: [
      'ots delete webhook --group batch --version v1 --kind JobWatcher --defaulting',
      'ots delete webhook --group batch --version v1 --kind JobWatcher --conversion --spoke v2',
    ],
  });
  gvkFlags(webhook, ({ webhooks }) => webhooks !== undefined)
    .option('--defaulting', 'delete the webhook that sets defaults')
    .option('--programmatic-validation', 'delete the webhook that validates')
    .option('--conversion', 'delete the conversions of the hub that --version names')
    .addOption(spokeFlag('delete only the conversions of these versions, comma-separated'));
  deletionFlags(webhook);
  onRun(webhook, context, async () => (await import('./delete-webhook.ts')).deleteWebhook);
};

function deletionFlags(command: Command): void {
  command
    .option('--force', 'also delete files that you edited')
    .option('-y, --yes', 'do not ask before the changes');
}

function controllerFlag(): Option {
  const controller = new Option('--controller-name <name>', 'delete only this controller');
  return suggest(controller, (line) =>
    unique(
      line
        .resources(['--group', '--version', '--kind'])
        .flatMap(({ controllers }) => controllers.map(({ name }) => name)),
    ),
  );
}
