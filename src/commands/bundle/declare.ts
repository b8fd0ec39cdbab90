import { Option } from 'commander';
import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, examplesText, onRun } from '../shared/declare-command.ts';
import { suggest } from '../shared/suggestions.ts';

/** `ots bundle` and its commands */
export const declareBundle: Declare = (program, context) => {
  const bundle = program
    .command('bundle')
    .description('work with bundles of the Operator Lifecycle Manager (OLM)')
    .helpCommand(false)
    .addHelpText('after', examplesText(['ots bundle validate bundle']));
  declareValidate(bundle, context);
};

const declareValidate: Declare = (bundle, context) => {
  const validate = declareCommand(bundle, {
    name: 'validate',
    description: 'check a bundle by the rules of OLM, and by those of catalogs on request',
    examples: [
      'ots bundle validate bundle',
      'ots bundle validate bundle --all --strict                # every validator, and warnings fail',
      'ots bundle validate bundle --select-optional suite=operatorframework',
      'ots bundle validate bundle --select-optional name=good-practices -o json-alpha1',
      'ots bundle validate bundle --all --optional-values k8s-version=1.25',
      'ots bundle validate bundle --select-optional name=olmv1 --upgrade-from released/bundle',
      'ots bundle validate ghcr.io/acme/tea-bundle:v1.2.3',
      'ots bundle validate --list-optional',
    ],
  })
    .argument('[bundle]', 'a directory with manifests/ and metadata/, or an image')
    .option('--all', 'run every optional validator')
    .addOption(
      suggest(
        new Option('--select-optional <selector>', 'run the optional validators with these labels'),
        () => ['suite=operatorframework'],
      ),
    )
    .option('--list-optional', 'list the optional validators and their labels')
    .option(
      '--optional-values <values>',
      'values for optional validators: k8s-version=<version>, index-path=<Dockerfile>, olm-v1-version=<version>',
      keyValues,
    )
    .option('--upgrade-from <bundle>', 'check that OLM v1 can upgrade the CRDs of this former bundle, too')
    .option('--strict', 'fail on warnings, too')
    .addOption(
      suggest(
        new Option('-o, --output <format>', 'text, or json-alpha1 as operator-sdk prints it').default('text'),
        () => ['text', 'json-alpha1'],
      ),
    );
  onRun(validate, context, async () => (await import('./validate.ts')).validate);
};

/** `key=value`, several separated by commas; the flag may be repeated. */
function keyValues(text: string, previous: Readonly<Record<string, string>> = {}): Record<string, string> {
  const pairs = text.split(',').map((pair): [string, string] => {
    const [key = '', ...value] = pair.split('=');
    return [key.trim(), value.join('=')];
  });
  return { ...previous, ...Object.fromEntries(pairs) };
}
