import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import type { Bundle } from '../../olm/bundle/bundle.ts';
import { readBundle } from '../../olm/bundle/read-bundle.ts';
import { renderProblem } from '../../olm/catalog/render-bundle.ts';
import { readInputs } from '../../olm/validate/read-inputs.ts';
import { runValidators } from '../../olm/validate/run-validators.ts';
import { oneLine } from '../../output/one-line.ts';
import { bundleDirectory } from '../shared/bundle-directory.ts';
import { workingDirectory } from '../shared/report-options.ts';
import type { RunBundleOptions } from './run-bundle-options.ts';

/**
 * Reads the bundle that the user named, and checks it as `ots bundle validate` does.
 *
 * @param usage how to name one, for the hint
 * @returns the bundle, and its image, empty for one that is only a directory
 * @throws OtsError `INVALID_BUNDLE` for the first error, and of {@link bundleDirectory}
 */
export async function validBundle(
  options: RunBundleOptions,
  usage: string,
  context: Context,
): Promise<{ bundle: Bundle; image: string }> {
  const cwd = workingDirectory(options, context);
  const { directory, image } = await bundleDirectory(options.bundle, usage, cwd);
  const bundle = await readBundle(directory);
  const { findings } = runValidators(bundle, [], await readInputs({}, { cwd, env: context.env }));
  const error = findings.find(({ level }) => level === 'error');
  const detail = error?.detail ?? renderProblem(bundle);
  if (detail === undefined) return { bundle, image };
  const place = error?.file === undefined ? '' : `${error.file}: `;
  throw new OtsError('INVALID_BUNDLE', oneLine(`${options.bundle}: ${place}${detail}`), {
    hint: `Run ots bundle validate ${oneLine(options.bundle!)} to see everything that is wrong, and fix it.`,
  });
}
