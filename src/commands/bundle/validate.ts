import { labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { parseLabelSelector } from 'ots-apimachinery/selectors/parse-label-selector';
import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { ProgramEndedError } from '../../errors/program-ended-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import type { Bundle } from '../../olm/bundle/bundle.ts';
import { imagesToInspect } from '../../olm/validate/multiarch.ts';
import { readInputs } from '../../olm/validate/read-inputs.ts';
import { runValidators } from '../../olm/validate/run-validators.ts';
import type { InspectedImages } from '../../olm/validate/validator.ts';
import { type OptionalValidator, optionalValidators } from '../../olm/validate/validators.ts';
import { quoted } from '../../project/names/quoted.ts';
import { bundleAt } from '../shared/bundle-argument.ts';
import { workingDirectory } from '../shared/report-options.ts';
import { reportVerdict } from './report-verdict.ts';

/** The flags of `ots bundle validate`. */
export interface ValidateOptions extends CommonOptions {
  /** A directory or an image. */
  bundle?: string;
  all?: boolean;
  selectOptional?: string;
  listOptional?: boolean;
  optionalValues?: Readonly<Record<string, string>>;
  upgradeFrom?: string;
  strict?: boolean;
  output: string;
}

const usage = 'ots bundle validate bundle';
const valueNames = ['k8s-version', 'index-path', 'olm-v1-version'];
const seeList = 'Run ots bundle validate --list-optional to see the validators and their labels.';

/**
 * `ots bundle validate`: prints what is wrong with a bundle.
 *
 * @throws UsageError `NO_BUNDLE` without a directory, `OUTPUT_FORMAT` if two flags choose the output
 * @throws OtsError `NOT_A_BUNDLE`, `INVALID_IMAGE`, `IMAGE_PULL`, `CREDENTIALS`, `INVALID_OUTPUT`, `INVALID_SELECTOR`, `INVALID_VALUE`
 * @throws OtsError `FORMER_BUNDLE` if the bundle of --upgrade-from cannot be read
 * @throws ProgramEndedError if the bundle has errors, or with --strict warnings
 */
export async function validate(options: ValidateOptions, context: Context): Promise<void> {
  if (options.listOptional) {
    listOptional(options, context);
    return;
  }
  checkOutput(options);
  const validators = chosen(options);
  checkValues(options);
  const cwd = workingDirectory(options, context);
  const { bundle } = await bundleAt(options.bundle, usage, cwd, context);
  const inputs = {
    ...(await readInputs(options.optionalValues ?? {}, { cwd, env: context.env })),
    ...(validators.some(({ needsImages }) => needsImages) && { images: await inspected(bundle, context) }),
  };
  const former = await formerBundle(options, cwd, context);
  const verdict = runValidators(bundle, validators, inputs, former);
  const isPassed = verdict.findings.every(({ level }) => level === 'warning' && !options.strict);
  reportVerdict({ ...verdict, bundle, source: options.bundle!, isPassed }, options, context);
  if (!isPassed) throw new ProgramEndedError(1);
}

async function inspected(bundle: Bundle, { env }: Context): Promise<InspectedImages> {
  const { inspectImages } = await import('../../olm/validate/inspect-images.ts');
  return inspectImages(imagesToInspect(bundle), env);
}

/** The bundle of `--upgrade-from`. What cannot be read there cannot be compared. */
async function formerBundle(
  { upgradeFrom }: ValidateOptions,
  cwd: string,
  context: Context,
): Promise<Bundle | undefined> {
  if (upgradeFrom === undefined) return undefined;
  const { bundle } = await bundleAt(upgradeFrom, usage, cwd, context);
  const [problem] = bundle.problems;
  if (!problem) return bundle;
  throw new OtsError(
    'FORMER_BUNDLE',
    `${quoted(upgradeFrom)} is not a bundle that OLM can load: ${problem.detail}`,
    {
      hint: `Run ots bundle validate on it, or name another bundle with --upgrade-from.`,
    },
  );
}

function checkOutput({ output, json }: ValidateOptions): void {
  if (output !== 'text' && output !== 'json-alpha1')
    throw new OtsError('INVALID_OUTPUT', `${quoted(output)} is not a format of --output`, {
      hint: 'Use text or json-alpha1, or --json instead of --output.',
    });
  if (output === 'json-alpha1' && json)
    throw new UsageError('OUTPUT_FORMAT', '--json and --output json-alpha1 exclude each other', {
      hint: 'Use --output json-alpha1 for programs that read the output of operator-sdk, --json for others.',
    });
}

/** The old union is not part of all: its findings are those of three others. Nor is what needs a network. */
function chosen({ all, selectOptional }: ValidateOptions): readonly OptionalValidator[] {
  const selected = selectOptional === undefined ? [] : select(selectOptional);
  if (!all) return selected;
  return optionalValidators.filter(
    (each) => (each.name !== 'operatorhub' && !each.needsImages) || selected.includes(each),
  );
}

function select(selector: string): readonly OptionalValidator[] {
  let matches;
  try {
    matches = labelMatcher(parseLabelSelector(selector));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new OtsError('INVALID_SELECTOR', `${quoted(selector)} is not a label selector: ${cause.message}`, {
      hint: seeList,
      cause,
    });
  }
  const found = selector.trim() === '' ? [] : optionalValidators.filter(({ labels }) => matches(labels));
  if (found.length > 0) return found;
  throw new OtsError('INVALID_SELECTOR', `${quoted(selector)} selects no optional validator`, {
    hint: seeList,
  });
}

function checkValues({ optionalValues = {} }: ValidateOptions): void {
  const unknown = Object.keys(optionalValues).find((name) => !valueNames.includes(name));
  if (unknown === undefined) return;
  throw new OtsError('INVALID_VALUE', `No optional validator has the value ${quoted(unknown)}`, {
    hint: `Use one of ${valueNames.map((name) => `${name}=<value>`).join(', ')}.`,
  });
}

function listOptional({ json }: ValidateOptions, { stdout }: Context): void {
  const list = optionalValidators.map(({ name, labels, description }) => ({ name, labels, description }));
  if (json) {
    stdout.write(`${JSON.stringify({ validators: list }, null, 2)}\n`);
    return;
  }
  for (const { labels, description } of list) {
    const shown = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    stdout.write(`${shown.join(' ')}\n    ${description}\n`);
  }
}
