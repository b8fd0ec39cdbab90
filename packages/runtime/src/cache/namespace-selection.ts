import { isDnsLabel } from 'ots-apimachinery/names';
import { UsageError } from '../errors/usage-error.ts';
import type { LabelSelector } from '../selectors/label-selector.ts';
import { labelSelectorText } from '../selectors/label-selector-text.ts';
import { NamespaceList } from './namespace-list.ts';

/**
 * The namespaces whose labels match. The cache follows them: it starts to cache a namespace when its labels match, and
 * stops when they no longer do or the namespace is gone. Needs `list` and `watch` on namespaces.
 */
export interface LabeledNamespaces {
  /** As in `kubectl -l`, or as in the specs of Kubernetes objects. */
  labelSelector: string | LabelSelector;
}

/** Which namespaces to cache: a fixed list, a list that changes at run time, or those with certain labels. */
export type NamespaceSelection = readonly string[] | NamespaceList | LabeledNamespaces;

/**
 * Checks the selection. A fixed list that is empty or has an invalid name would silently cache nothing.
 * @throws {UsageError} if a fixed list is empty or contains an invalid name, or the selection is of another type.
 *   {SelectorError} if the label selector is invalid.
 */
export function checkNamespaces(selection: NamespaceSelection | undefined): void {
  if (selection === undefined || selection instanceof NamespaceList) return;
  if (!Array.isArray(selection)) return void selectorTextOf(selection as LabeledNamespaces);
  const hint = 'Omit namespaces to cache all of them, or list each one, such as default.';
  if (selection.length === 0) throw new UsageError('The list of namespaces to cache is empty', hint);
  const bad = (selection as readonly string[]).find((namespace) => !isDnsLabel(namespace));
  if (bad !== undefined) throw new UsageError(`${JSON.stringify(bad)} is not the name of a namespace`, hint);
}

/** Whether a value is a selection by labels. */
export function isLabeled(value: unknown): value is LabeledNamespaces {
  return typeof value === 'object' && value !== null && 'labelSelector' in value;
}

/**
 * The selector as text: equal selectors have equal texts.
 * @throws {UsageError} if there is none. {SelectorError} if it is invalid.
 */
export function selectorTextOf({ labelSelector }: LabeledNamespaces): string {
  if (labelSelector !== undefined) return labelSelectorText(labelSelector);
  throw new UsageError(
    'The namespaces to cache have no labelSelector',
    "Pass a list of names, a NamespaceList, or { labelSelector: 'team=a' }.",
  );
}
