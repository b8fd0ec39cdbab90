import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { renderProblem } from '../../olm/catalog/render-bundle.ts';
import { readInputs } from '../../olm/validate/read-inputs.ts';
import { runValidators } from '../../olm/validate/run-validators.ts';
import { oneLine } from '../../output/one-line.ts';
import { type NamedBundle, bundleAt } from '../shared/bundle-argument.ts';
import { workingDirectory } from '../shared/report-options.ts';
import type { RunBundleOptions } from './run-bundle-options.ts';

/**
 * Reads the bundle that the user named, and checks it as `ots bundle validate` does.
 *
 * @param usage how to name one, for the hint
 * @throws OtsError `INVALID_BUNDLE` for the first error, and of {@link bundleAt}
 */
export async function validBundle(
  options: RunBundleOptions,
  usage: string,
  context: Context,
): Promise<NamedBundle> {
  const cwd = workingDirectory(options, context);
  const named = await bundleAt(options.bundle, usage, cwd, context);
  const { bundle } = named;
  const { findings } = runValidators(bundle, [], await readInputs({}, { cwd, env: context.env }));
  const error = findings.find(({ level }) => level === 'error');
  const detail = error?.detail ?? renderProblem(bundle);
  if (detail === undefined) return named;
  const place = error?.file === undefined ? '' : `${error.file}: `;
  throw new OtsError('INVALID_BUNDLE', oneLine(`${options.bundle}: ${place}${detail}`), {
    hint: `Run ots bundle validate ${oneLine(options.bundle!)} to see everything that is wrong, and fix it.`,
  });
}
