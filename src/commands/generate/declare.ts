import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, examplesText, onRun } from '../shared/declare-command.ts';
import { list, onOff } from '../shared/flags.ts';

const declareKustomizeManifests: Declare = (generate, context) => {
  const command = declareCommand(generate, {
    name: 'kustomize-manifests',
    description: 'write config/manifests: what describes the operator and its kinds in a bundle',
    examples: [
      'ots generate kustomize-manifests               # asks on a terminal, the first time',
      'ots generate kustomize-manifests --icon docs/icon.svg',
      'ots generate kustomize-manifests --keywords memcached,cache --maintainers "Ada Lovelace:ada@example.com"',
    ],
  })
    .option('--display-name <name>', 'name of the operator for users')
    .option('--description <text>', 'what the operator does, in Markdown')
    .option('--provider-name <name>', 'who provides the operator')
    .option('--provider-url <url>', 'web page of the provider')
    .option('--keywords <words>', 'words by which users find the operator, comma-separated')
    .option('--maintainers <names>', 'maintainers, comma-separated: name:address')
    .option('--icon <file>', 'GIF, JPEG, PNG or SVG file')
    .option('--min-kube-version <version>', 'lowest version of Kubernetes that the operator supports')
    .option('--package <name>', 'name of the package (default: projectName in PROJECT)')
    .addOption(onOff('--interactive', 'ask questions (default: on a terminal, the first time)'));
  onRun(command, context, async () => (await import('./kustomize-manifests.ts')).kustomizeManifests);
};

/** `ots generate` and its commands */
export const declareGenerate: Declare = (program, context) => {
  const generate = program
    .command('generate')
    .description('generate what the Operator Lifecycle Manager needs')
    .helpCommand(false)
    .addHelpText(
      'after',
      examplesText(['ots generate kustomize-manifests', 'ots generate bundle --version 0.1.0']),
    );
  declareKustomizeManifests(generate, context);
  const bundle = declareCommand(generate, {
    name: 'bundle',
    description: 'generate a bundle for the Operator Lifecycle Manager from the output of kustomize',
    examples: [
      'ots generate bundle --version 0.1.0',
      'ots generate bundle --version 0.1.0 --channels stable,fast --default-channel stable',
      'kubectl kustomize config/manifests | ots generate bundle --input - --version 0.1.0',
      'ots generate bundle --version 0.1.0 --strict   # for CI: fail if the bundle lacks something',
    ],
  })
    .option(
      '-i, --input <file>',
      'objects: a file, a directory, or - for standard input (default: builds config/manifests)',
    )
    .option('-v, --version <version>', 'version of the operator (default: the one of the base)')
    .option(
      '--image <image>',
      'image of the operator (default: $IMG if config/manifests is built, or else the one of the objects)',
    )
    .option('--channels <names>', 'channels of the bundle, comma-separated (default: alpha)', list)
    .option('--default-channel <name>', 'channel of users who choose none')
    .option('--package <name>', 'name of the package (default: projectName in PROJECT)')
    .option('--output-dir <directory>', 'directory of the bundle (default: bundle)')
    .option(
      '--extra-service-accounts <names>',
      'service accounts, comma-separated, whose roles the ClusterServiceVersion gets, too',
      list,
    )
    .option('--use-image-digests', 'replace the tags of all images by digests; asks their registries')
    .addOption(onOff('--overwrite', 'replace the metadata and bundle.Dockerfile (default: true)'))
    .option('--manifests', 'generate the manifests only')
    .option('--metadata', 'generate the metadata and bundle.Dockerfile only')
    .option('--stdout', 'print the manifests instead of writing them')
    .option('--strict', 'fail if the bundle cannot contain something of the input');
  onRun(bundle, context, async () => (await import('./generate-bundle.ts')).generateBundleFiles);
};
