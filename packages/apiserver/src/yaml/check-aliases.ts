import { type Document, type Node, isAlias, isCollection, isNode, isPair } from 'yaml';

/** Below this many nodes nearly all of them may come from aliases. */
const smallDocument = 400_000;
const largeDocument = 4_000_000;

/**
 * Checks that aliases do not inflate a document: a few lines could expand to gigabytes. The limits are those of
 * the library that kube-apiserver uses.
 *
 * @throws {SyntaxError} when too many nodes come from aliases
 */
export function checkAliases(document: Document.Parsed): void {
  const anchors = new Map<string, Node>();
  const open: { node: unknown; isAliased: boolean }[] = [{ node: document.contents, isAliased: false }];
  let count = 0;
  let aliased = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, isAliased } = next;
    count += 1;
    if (isAliased) aliased += 1;
    if (aliased > 100 && count > 1000 && aliased / count > allowedShare(count))
      throw new SyntaxError('yaml: document contains excessive aliasing');
    if (isAlias(node)) open.push({ node: anchors.get(node.source), isAliased: true });
    else if (isNode(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
    for (const child of childrenOf(node)) open.push({ node: child, isAliased });
  }
}

/** In reverse, so the stack returns them in order. */
function childrenOf(node: unknown): unknown[] {
  if (isPair(node)) return [node.value, node.key];
  return isCollection(node) ? node.items.toReversed() : [];
}

function allowedShare(count: number): number {
  if (count <= smallDocument) return 0.99;
  if (count >= largeDocument) return 0.1;
  return 0.99 - (0.89 * (count - smallDocument)) / (largeDocument - smallDocument);
}
