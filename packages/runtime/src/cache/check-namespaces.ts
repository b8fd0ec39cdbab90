import { isDnsLabel } from 'ots-apimachinery/names';
import { UsageError } from '../errors/usage-error.ts';

/**
 * An empty list or an invalid name would silently cache nothing.
 * @throws {UsageError} if the list is empty or contains an invalid name.
 */
export function checkNamespaces(namespaces: readonly string[] | undefined): void {
  if (!namespaces) return;
  const hint = 'Omit namespaces to cache all of them, or list each one, such as default.';
  if (namespaces.length === 0) throw new UsageError('The list of namespaces to cache is empty', hint);
  const bad = namespaces.find((namespace) => !isDnsLabel(namespace));
  if (bad !== undefined) throw new UsageError(`${JSON.stringify(bad)} is not the name of a namespace`, hint);
}
