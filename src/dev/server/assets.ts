import { readFile } from 'node:fs/promises';
import { packageRoot } from '../../package-root.ts';

/** The files of the page, which scripts/bundle-page.mjs makes, by their path below the token. */
const assets: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  '': { file: 'index.html', type: 'text/html; charset=utf-8' },
  'icon.svg': { file: 'icon.svg', type: 'image/svg+xml' },
  'page.js': { file: 'page.js', type: 'text/javascript; charset=utf-8' },
  'page.css': { file: 'page.css', type: 'text/css; charset=utf-8' },
};

/** @returns undefined if the path is not one of a file of the page */
export async function readAsset(path: string): Promise<{ type: string; content: Buffer } | undefined> {
  if (!Object.hasOwn(assets, path)) return undefined;
  const { file, type } = assets[path]!;
  return { type, content: await readFile(new URL(`dist/dev-page/${file}`, packageRoot)) };
}
