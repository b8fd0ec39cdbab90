import type { LabelRequirement as Requirement } from 'ots-apimachinery/selectors/label-matcher';
import { labelRequirements } from './label-requirements.ts';
import type { LabelSelector } from './label-selector.ts';

/**
 * Returns the selector as text, as the API server accepts it in `labelSelector`. Equal selectors have equal texts. Empty
 * when the selector selects everything.
 * @throws {SelectorError} when Kubernetes would refuse it.
 */
export function labelSelectorText(selector: string | LabelSelector): string {
  return labelRequirements(selector).map(textOf).join(',');
}

function textOf({ key, operator, values }: Requirement): string {
  switch (operator) {
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'Gt':
      return `${key}>${values[0]}`;
    case 'Lt':
      return `${key}<${values[0]}`;
    case 'In':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(',')})`;
    default:
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${values.join(',')})`;
  }
}
