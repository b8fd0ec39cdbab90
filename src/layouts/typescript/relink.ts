import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../package-root.ts';

/** Matches a relative Markdown link in parentheses, up to its fragment. */
const relativeLink = /(?<=\]\()\.\.?\/[^)#\s]*(?=[)#])/g;

/**
 * Rewrites the links of a page for packages of ots that are installed side by side. In the checkout,
 * packages/runtime links to ../../docs, which is part of the package ots.
 *
 * @param text the page, in Markdown
 * @param file absolute path of the page
 */
export function relink(text: string, file: string): string {
  const from = installedPath(file);
  if (from === undefined) return text;
  return text.replaceAll(relativeLink, (link) => {
    const to = installedPath(posix.resolve(posix.dirname(file), link));
    return to === undefined ? link : posix.relative(posix.dirname(from), to);
  });
}

/** Returns the path of a checkout's file below node_modules, or undefined for files elsewhere. */
function installedPath(file: string): string | undefined {
  const root = fileURLToPath(packageRoot);
  if (!file.startsWith(root)) return undefined;
  const path = file.slice(root.length);
  const [, name, rest] = /^packages\/([^/]+)\/(.*)$/.exec(path) ?? [];
  return name === undefined ? `ots/${path}` : `ots-${name}/${rest}`;
}
