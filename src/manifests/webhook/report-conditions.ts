import { checkCondition } from 'ots-cel';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { originKey } from '../schema/origin.ts';
import type { MatchCondition } from './webhook-configuration.ts';

/** Reports match conditions whose expressions the API server would reject. */
export function reportConditions(conditions: readonly MatchCondition[], diagnostics: Diagnostics): void {
  for (const { expression = '', [originKey]: origin } of conditions) {
    for (const { code, message, hint, start, end } of checkCondition(expression)) {
      diagnostics.error(
        origin!.source,
        origin!.spanOf('expression', start, end),
        `condition-${code}`,
        message,
        hint,
      );
    }
  }
}
