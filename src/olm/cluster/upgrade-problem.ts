import { oneLine } from '../../output/one-line.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { textOf } from '../bundle/json.ts';
import { isInSemverRange } from '../versions/in-semver-range.ts';

/**
 * Why OLM would not upgrade to a bundle. It would say nothing and wait.
 *
 * @param installed the version that runs
 * @returns undefined when it would
 */
export function upgradeProblem(
  { name, csv }: Bundle,
  installed: { readonly name: string; readonly version: string },
): { problem: string; hint: string } | undefined {
  if (installed.name === name)
    return {
      problem: `${oneLine(name)} is already installed`,
      hint: 'Give the bundle a higher version, or run ots cleanup and ots run bundle to install it again.',
    };
  const { replaces, skips = [] } = csv?.csv.spec ?? {};
  const skipRange = textOf(csv?.csv.metadata?.annotations, 'olm.skipRange');
  if (replaces === installed.name || skips.includes(installed.name)) return undefined;
  if (skipRange !== '' && isInSemverRange(installed.version, skipRange)) return undefined;
  return {
    problem: `${oneLine(name)} does not upgrade ${oneLine(installed.name)}, which is installed`,
    hint: `Set spec.replaces: ${oneLine(installed.name)} in its ClusterServiceVersion, or add it to spec.skips or to the annotation olm.skipRange.`,
  };
}
