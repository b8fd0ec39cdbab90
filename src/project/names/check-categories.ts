import { didYouMean } from './did-you-mean.ts';
import { dnsLabelProblem, toDnsLabel } from './dns-label.ts';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

/**
 * Checks the categories of a kind, such as `all` for `kubectl get all`.
 *
 * @throws {OtsError} `INVALID_CATEGORY`
 */
export function checkCategories(categories: readonly string[]): void {
  for (const [index, category] of categories.entries()) {
    const problem =
      dnsLabelProblem(category, 'DNS-1035') ??
      (categories.indexOf(category) < index ? 'is listed twice' : undefined);
    if (!problem) continue;
    const suggestion = toDnsLabel(category, 'DNS-1035');
    refuse(
      'INVALID_CATEGORY',
      `The category ${quoted(category)} cannot be used: it ${problem}`,
      didYouMean(
        suggestion === category ? undefined : suggestion,
        'A category is a-z, 0-9 and "-" and starts with a letter, such as all.',
      ),
    );
  }
}
