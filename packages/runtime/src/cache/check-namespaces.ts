import { isDnsLabel } from 'ots-apimachinery/names';
import { UsageError } from '../errors/usage-error.ts';

/**
 * Of no namespace at all, and of one that cannot be, nothing would ever be seen, and nobody would know why.
 * @throws {UsageError} when there is none in the list, or one that cannot be.
 */
export function checkNamespaces(namespaces: readonly string[] | undefined): void {
  if (!namespaces) return;
  const hint = 'Omit namespaces to cache all of them, or list each one, such as default.';
  if (namespaces.length === 0) throw new UsageError('The list of namespaces to cache is empty', hint);
  const bad = namespaces.find((namespace) => !isDnsLabel(namespace));
  if (bad !== undefined) throw new UsageError(`${JSON.stringify(bad)} is not the name of a namespace`, hint);
}
