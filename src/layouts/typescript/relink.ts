import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../package-root.ts';

/** A link of Markdown to another file, in parentheses, with what may follow its path. */
const relativeLinkPattern = /(?<=\]\()\.\.?\/[^)#\s]*(?=[)#])/g;

/**
 * Makes the links of a page lead to where its neighbors are once the packages of ots are installed side by side: in the
 * checkout, packages/runtime links to ../../docs, which travels in the package ots.
 *
 * @param text the page, in Markdown
 * @param file absolute path of the page
 */
export function relink(text: string, file: string): string {
  const from = installedPath(file);
  if (from === undefined) return text;
  return text.replaceAll(relativeLinkPattern, (link) => {
    const to = installedPath(posix.resolve(posix.dirname(file), link));
    return to === undefined ? link : posix.relative(posix.dirname(from), to);
  });
}

/** Where a file of the checkout is below node_modules; undefined for files elsewhere. */
function installedPath(file: string): string | undefined {
  const root = fileURLToPath(packageRoot);
  if (!file.startsWith(root)) return undefined;
  const path = file.slice(root.length);
  const [, name, rest] = /^packages\/([^/]+)\/(.*)$/.exec(path) ?? [];
  return name === undefined ? `ots/${path}` : `ots-${name}/${rest}`;
}
