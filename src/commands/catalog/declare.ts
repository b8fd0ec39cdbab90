import { type Command, Option } from 'commander';
import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, examplesText, onRun } from '../shared/declare-command.ts';
import { suggest } from '../shared/suggestions.ts';

/** `ots catalog` and its commands */
export const declareCatalog: Declare = (program, context) => {
  const catalog = program
    .command('catalog')
    .description('work with file-based catalogs of the Operator Lifecycle Manager (OLM)')
    .helpCommand(false)
    .addHelpText(
      'after',
      examplesText([
        'ots catalog render template.yaml --image registry.example.com/{package}-bundle:v{version}',
        'ots catalog validate catalog',
        'ots catalog graph catalog --output graph.svg',
      ]),
    );
  declareRender(catalog, context);
  declareBuild(catalog, context);
  declareValidate(catalog, context);
  declareGraph(catalog, context);
};

const declareValidate: Declare = (catalog, context) => {
  const validate = declareCommand(catalog, {
    name: 'validate',
    description: 'check a catalog directory and the upgrade graphs of its channels by the rules of OLM',
    examples: ['ots catalog validate catalog', 'ots catalog validate catalog --json'],
    dryRun: new Option('--dry-run', 'the same: the command writes nothing'),
  }).argument('[directory]', 'the catalog: a directory with YAML or JSON files');
  onRun(validate, context, async () => (await import('./validate.ts')).validate);
};

const declareGraph: Declare = (catalog, context) => {
  const graph = declareCommand(catalog, {
    name: 'graph',
    description: 'draw the upgrade graphs of a catalog as text or as an SVG file',
    examples: [
      'ots catalog graph catalog',
      'ots catalog graph catalog --package my-operator --channel stable',
      'ots catalog graph catalog --output graph.svg',
    ],
    dryRun: new Option('--dry-run', 'say whether --output would change its file, and write nothing'),
  })
    .argument('[directory]', 'the catalog: a directory with YAML or JSON files')
    .option('--package <name>', 'draw the channels of this package')
    .option('--channel <name>', 'draw the channels with this name')
    .option('-o, --output <file>', 'write an SVG file instead of text; - prints it');
  onRun(graph, context, async () => (await import('./graph.ts')).graph);
};

const declareRender: Declare = (catalog, context) => {
  const render = declareCommand(catalog, {
    name: 'render',
    description: 'render bundles or a template (basic, semver) to the objects of a catalog',
    examples: [
      'ots catalog render bundle --image registry.example.com/my-operator-bundle:v0.0.1',
      'ots catalog render template.yaml --image registry.example.com/{package}-bundle:v{version}',
      'ots catalog render registry.example.com/my-operator-bundle:v0.0.1   # pulls the image',
      'ots catalog render template.yaml --bundle registry.example.com/my-operator-bundle:v0.0.1=bundle',
    ],
    dryRun: new Option('--dry-run', 'the same: the command writes nothing'),
  });
  sourceFlags(render).addOption(
    suggest(new Option('-o, --output <format>', 'yaml or json').default('yaml'), () => ['yaml', 'json']),
  );
  onRun(render, context, async () => (await import('./render.ts')).render);
};

const declareBuild: Declare = (catalog, context) => {
  const build = declareCommand(catalog, {
    name: 'build',
    description: 'write a valid catalog directory for a template, and a Dockerfile for its image',
    examples: [
      'ots catalog build template.yaml --image registry.example.com/{package}-bundle:v{version}',
      'ots catalog build template.yaml --directory catalogs/stable',
    ],
  });
  sourceFlags(build).option('--directory <directory>', 'the directory of the catalog', 'catalog');
  onRun(build, context, async () => (await import('./build.ts')).build);
};

function sourceFlags(command: Command): Command {
  return command
    .argument('[sources...]', 'bundle directories, or one template file')
    .option(
      '--image <reference>',
      'the image of a bundle directory; {package}, {name} and {version} stand for those of the bundle',
    )
    .option(
      '--bundle <image=directory>',
      'the directory with the bundle of an image in a template; may be repeated',
      (value: string, previous: readonly string[]) => [...previous, value],
      [],
    );
}
