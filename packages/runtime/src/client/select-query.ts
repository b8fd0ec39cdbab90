import { labelSelectorText } from '../selectors/label-selector-text.ts';
import type { Query } from '../transport/transport-request.ts';
import type { SelectOptions } from './request-options.ts';

/** The parameters of a URL that select objects. */
export function selectQuery({ labelSelector, fieldSelector }: SelectOptions): Query {
  return {
    labelSelector: labelSelector === undefined ? undefined : labelSelectorText(labelSelector),
    fieldSelector,
  };
}
