import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommonOptions } from './common-options.ts';
import type { Context } from './context.ts';
import { VERSION } from './version.ts';

type Action<Options> = (options: Options & CommonOptions, context: Context) => Promise<void>;

/** Declares every command; what a command does is imported when it runs. */
export function createProgram(context: Context): Command {
  const program = new Command('ots')
    .description('Scaffold, generate and test Kubernetes operators in TypeScript.')
    .version(VERSION, '-V, --version', 'print the version and exit')
    .helpCommand(false)
    .addHelpText(
      'after',
      examplesText([
        'ots init --domain example.com',
        'ots create api --group batch --version v1 --kind JobWatcher',
        'ots create webhook --group batch --version v1 --kind JobWatcher --defaulting',
        'ots apiserver --kubeconfig kubeconfig --crds config/crd/bases',
      ]),
    )
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      getOutHelpWidth: () => context.stdout.columns ?? 80,
      // Errors are reported once, by fail(), and without the usage.
      writeErr: () => {},
      outputError: () => {},
    })
    .enablePositionalOptions()
    .exitOverride();
  declareInit(program, context);
  declareCreate(program, context);
  declareEdit(program, context);
  declareManifests(program, context);
  declareApiServer(program, context);
  declareInformation(program, context);
  return program;
}

function declareInit(program: Command, context: Context): void {
  const init = leaf(program, 'init', 'start a new operator project', [
    'ots init --domain example.com',
    'ots init jobwatcher --domain example.com --repo github.com/acme/jobwatcher --owner "Acme Ltd" --license mit',
    'ots init --domain example.com --dry-run',
  ])
    .argument('[directory]', 'where the project goes (default: the current directory)')
    .option('--domain <domain>', 'domain of your API groups, for example example.com')
    .option('--project-name <name>', 'prefix of everything that is deployed (default: name of the directory)')
    .option('--repo <repo>', 'npm package name or repository path (default: the project name)')
    .option('--owner <owner>', 'copyright owner in the header of source files')
    .option('--license <license>', 'licence of source files: apache2, mit or none')
    .option('--license-file <file>', 'use the text of this file as the header of source files')
    .option('--multigroup', 'keep APIs in one folder a group, so that there can be several groups')
    .option('--namespaced', 'run with rights in one namespace only')
    .option('--skip-install', 'do not run npm install')
    .option('--plugins <layouts>', 'layout of the project; there is one: typescript.ots/v1');
  init.action(async (directory: string | undefined) => {
    const { init: run } = await import('./commands/init/init.ts');
    await run({ ...init.optsWithGlobals(), ...(directory !== undefined && { directory }) }, context);
  });
}

function declareCreate(program: Command, context: Context): void {
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
  const api = leaf(create, 'api', 'add an API: its type, controller, tests, sample and roles', [
    'ots create api --group batch --version v1 --kind JobWatcher',
    'ots create api --group batch --version v2 --kind JobWatcher      # another version',
    'ots create api --group apps --version v1 --kind Deployment --resource=false   # a controller for a core type',
  ]);
  external(gvk(api))
    .option('--plural <plural>', 'plural of the kind, when English does not lead there')
    .option('--short-name <names>', 'short names for kubectl, comma-separated', list)
    .option('--categories <names>', 'categories for kubectl, comma-separated', list)
    .addOption(onOff('--resource', 'whether to add the type and its CRD (default: true)'))
    .addOption(
      onOff('--controller', 'whether to add a controller (default: true, false for a second version)'),
    )
    .addOption(onOff('--namespaced', 'whether objects live in a namespace (default: true)'))
    .option('--controller-name <name>', 'name of a further controller of a kind that has one')
    .option('--force', 'replace files that are there already');
  act(api, context, async () => (await import('./commands/create/create-api.ts')).createApi);

  const webhook = leaf(create, 'webhook', 'add a webhook to an API: defaulting, validation or conversion', [
    'ots create webhook --group batch --version v1 --kind JobWatcher --defaulting --programmatic-validation',
    'ots create webhook --group batch --version v1 --kind JobWatcher --conversion --spoke v2',
  ]);
  external(gvk(webhook))
    .option('--defaulting', 'add a webhook that fills in defaults')
    .option('--programmatic-validation', 'add a webhook that validates')
    .option('--conversion', 'convert between the versions of the kind; --version names the hub')
    .option('--spoke <versions>', 'versions to convert to and from the hub, comma-separated', list)
    .option('--defaulting-path <path>', 'URL path of the defaulting webhook')
    .option('--validation-path <path>', 'URL path of the validating webhook')
    .option('--force', 'replace files that are there already');
  act(webhook, context, async () => (await import('./commands/create/create-webhook.ts')).createWebhook);
}

function declareEdit(program: Command, context: Context): void {
  const edit = leaf(program, 'edit', 'change what was chosen at init', [
    'ots edit --multigroup         # moves the files and mends their imports',
    'ots edit --namespaced=false',
    'ots edit --license apache2 --owner "Acme Ltd"',
  ])
    .addOption(onOff('--multigroup', 'keep APIs in one folder a group'))
    .addOption(onOff('--namespaced', 'run with rights in one namespace only'))
    .option('--owner <owner>', 'copyright owner in the header of source files')
    .option('--license <license>', 'licence of source files: apache2, mit or none')
    .option('--license-file <file>', 'use the text of this file as the header of source files')
    .option('--force', 'replace files that you edited');
  act(edit, context, async () => (await import('./commands/edit/edit.ts')).edit);
}

function declareManifests(program: Command, context: Context): void {
  const manifests = leaf(
    program,
    'manifests',
    'generate CRDs, roles and webhook configurations from the sources',
    [
      'ots manifests',
      'ots manifests --dry-run             # shows what would change',
      'ots manifests --check               # for CI: fails when a generated file is out of date',
      'ots manifests --stdout | kubectl apply --dry-run=server -f -',
      'ots manifests --compat origin/main  # for CI: fails when users of the API would break',
      'ots manifests --docs docs/api       # also writes the API reference',
      'ots manifests --watch',
    ],
  )
    .addOption(
      new Option('--check', 'fail, and show why, unless the generated files are up to date').conflicts([
        'stdout',
        'compat',
        'watch',
      ]),
    )
    .addOption(
      new Option(
        '--stdout',
        'print the objects instead of writing files: YAML documents, or with --json a List',
      ).conflicts(['compat', 'docs', 'watch']),
    )
    .addOption(
      new Option(
        '--compat <git-ref>',
        'fail, and say why, when the CRDs break users of those at this git revision',
      ).conflicts(['docs', 'watch']),
    )
    .option(
      '--docs <directory>',
      'keep a Markdown reference of the API in this directory of the project as well',
    )
    .addOption(
      new Option('--watch', 'run again whenever a source changes, until Ctrl-C').conflicts('dryRun'),
    );
  act(manifests, context, async () => (await import('./commands/manifests/manifests.ts')).manifests);
}

function declareApiServer(program: Command, context: Context): void {
  const apiserver = leaf(program, 'apiserver', 'run a Kubernetes API in this process, until Ctrl-C', [
    'ots apiserver --kubeconfig kubeconfig --crds config/crd/bases   # then: kubectl --kubeconfig kubeconfig get ns',
    'ots apiserver --port 8080 --controllers garbage-collector,namespaces',
    'ots apiserver --host 0.0.0.0 --port 6443 --tls --kubeconfig kubeconfig   # asks for the token in that file',
  ])
    .option('--port <port>', 'port to listen on (default: a free one)')
    .option(
      '--host <address>',
      'address to listen on (default: 127.0.0.1); one that others reach needs --tls',
    )
    .option(
      '--kubeconfig <file>',
      'write a kubeconfig for it, and remove it at the end; an existing file is replaced only when ots apiserver wrote it',
    )
    .option('--crds <paths...>', 'install the CustomResourceDefinitions of these files and directories')
    .option(
      '--controllers [names]',
      'controllers to run beside it, comma-separated: garbage-collector, namespaces, service-accounts, root-certificates; all (default) or none',
    )
    .option('--tls', 'serve over TLS and ask for a token; the kubeconfig holds the certificate and the token')
    .option('--token <token>', 'the token to ask for (default: one is generated)');
  act(apiserver, context, async () => (await import('./commands/apiserver/apiserver.ts')).apiserver);
}

function declareInformation(program: Command, context: Context): void {
  const version = leaf(program, 'version', 'print the versions of ots and what it runs on', [
    'ots version --json',
  ]);
  act(version, context, async () => (await import('./commands/version/version.ts')).version);
  const completion = leaf(program, 'completion', 'print a completion script for a shell', [
    'source <(ots completion bash)',
    'ots completion zsh > "${fpath[1]}/_ots"',
    'ots completion fish > ~/.config/fish/completions/ots.fish',
  ]).argument('<shell>', 'bash, zsh or fish');
  completion.action(async (shell: string) => {
    const { completion: run } = await import('./commands/completion/completion.ts');
    await run({ ...completion.optsWithGlobals(), shell }, context);
  });
  const complete = program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption();
  complete.helpOption(false).action(async (words: string[]) => {
    const { complete: run } = await import('./commands/completion/complete.ts');
    await run(words, program, context);
  });
}

/** A command that does something, with the flags that all of them have. */
function leaf(parent: Command, name: string, description: string, examples: readonly string[]): Command {
  return parent
    .command(name)
    .description(description)
    .allowExcessArguments(false)
    .addHelpText('after', examplesText(examples))
    .option('--dry-run', 'show what would change, with differences, and write nothing')
    .option('--json', 'print the result, or the error, as JSON')
    .option('--cwd <directory>', 'work as if started in this directory')
    .option('-q, --quiet', 'print nothing but errors')
    .option('--verbose', 'print more');
}

function examplesText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  ${example}\n`).join('')}`;
}

function act<Options>(command: Command, context: Context, load: () => Promise<Action<Options>>): void {
  command.action(async () => {
    const run = await load();
    await run(command.optsWithGlobals(), context);
  });
}

function gvk(command: Command): Command {
  return command
    .option('--group <group>', 'API group, without the domain')
    .option('--version <version>', 'API version, for example v1alpha1')
    .option('--kind <kind>', 'kind, for example JobWatcher');
}

function external(command: Command): Command {
  return command
    .option('--external-api-path <path>', 'module that exports a kind of another project')
    .option('--external-api-domain <domain>', 'domain of a kind of another project');
}

/** `--flag`, `--flag=true` and `--flag=false`. */
function onOff(flag: string, description: string): Option {
  return new Option(`${flag} [on]`, description).argParser((value: string) => {
    if (value === 'true') return true;
    if (value === 'false') return false;
    throw new InvalidArgumentError('It takes true or false.');
  });
}

function list(value: string): string[] {
  return value.split(',').map((item) => item.trim());
}
