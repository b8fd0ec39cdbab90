import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type {
  Catalog,
  CatalogBlob,
  CatalogBundle,
  CatalogChannel,
  CatalogDeprecations,
  CatalogPackage,
} from './catalog.ts';
import type { CatalogFinding } from './finding.ts';
import { indexIgnoreFile, isIgnored, parseIndexIgnore } from './index-ignore.ts';
import { type ReadBlob, readBlob } from './read-blob.ts';
import { readDocuments } from './split-documents.ts';

/** Larger catalogs exist nowhere: the community's has 30 MiB in all. */
const maxFileBytes = 256 * 2 ** 20;
const maxFiles = 50_000;

/**
 * Reads a directory of file-based catalogs: every file in it and below it, whatever its name, but those that an `.indexignore` excludes.
 *
 * @param directory an absolute path
 * @throws the error of the file system, when it is not a directory or cannot be read
 */
export async function readCatalog(directory: string): Promise<Catalog> {
  const root = await realpath(directory);
  const { files, problems } = await filesOf(root);
  const catalog = new Blobs(files.length, problems);
  for (const file of files) {
    const content = await readRegular(root, file);
    if ('problem' in content) problems.push({ type: 'unreadable-file', file, detail: content.problem });
    else readFileInto(catalog, file, content.text);
  }
  return catalog;
}

/** Reads one text as a catalog. */
export function parseCatalog(file: string, text: string): Catalog {
  const catalog = new Blobs(1, []);
  readFileInto(catalog, file, text);
  return catalog;
}

function readFileInto(catalog: Blobs, file: string, text: string): void {
  for (const document of readDocuments(text)) {
    const { line } = document;
    if ('problem' in document) {
      const detail = `the file is neither YAML nor JSON: ${document.problem}`;
      catalog.problems.push({ type: 'invalid-document', file, line, detail });
    } else catalog.add(readBlob(document.value, { file, line }));
  }
}

class Blobs implements Catalog {
  readonly files: number;
  readonly packages: CatalogPackage[] = [];
  readonly channels: CatalogChannel[] = [];
  readonly bundles: CatalogBundle[] = [];
  readonly deprecations: CatalogDeprecations[] = [];
  readonly others: CatalogBlob[] = [];
  readonly problems: CatalogFinding[];

  constructor(files: number, problems: CatalogFinding[]) {
    this.files = files;
    this.problems = problems;
  }

  add({ kind, value }: ReadBlob): void {
    if (kind === 'package') this.packages.push(value);
    else if (kind === 'channel') this.channels.push(value);
    else if (kind === 'bundle') this.bundles.push(value);
    else if (kind === 'deprecations') this.deprecations.push(value);
    else if (kind === 'other') this.others.push(value);
    else this.problems.push(value);
  }
}

/** The files that belong to a catalog, in the order of their paths. */
async function filesOf(root: string): Promise<{ files: string[]; problems: CatalogFinding[] }> {
  const all: string[] = [];
  const problems: CatalogFinding[] = [];
  const visit = async (directory: string): Promise<void> => {
    const entries = await readdir(path.join(root, directory), { withFileTypes: true });
    for (const entry of entries.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
      const place = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (all.length >= maxFiles) return;
      if (entry.isDirectory()) await visit(place);
      else all.push(place);
    }
  };
  await visit('');
  if (all.length >= maxFiles)
    problems.push({ type: 'unreadable-file', detail: `the catalog has more than ${maxFiles} files` });
  const patterns = await patternsIn(root, all);
  const files = all.filter(
    (file) => path.posix.basename(file) !== indexIgnoreFile && !isIgnored(file, patterns),
  );
  return { files, problems };
}

async function patternsIn(root: string, files: readonly string[]) {
  const ignoreFiles = files.filter((file) => path.posix.basename(file) === indexIgnoreFile);
  const patterns = [];
  for (const file of ignoreFiles) {
    const content = await readRegular(root, file);
    const directory = path.posix.dirname(file);
    if ('text' in content)
      patterns.push(...parseIndexIgnore(content.text, directory === '.' ? '' : directory));
  }
  return patterns;
}

/** Does not leave the catalog through links, and does not block on what is not a regular file. */
async function readRegular(root: string, file: string): Promise<{ text: string } | { problem: string }> {
  try {
    const target = await realpath(path.join(root, file));
    if (!target.startsWith(root.endsWith(path.sep) ? root : `${root}${path.sep}`))
      return { problem: 'it is a link out of the catalog' };
    const info = await stat(target);
    if (info.isDirectory()) return { problem: 'it is a link to a directory' };
    if (!info.isFile()) return { problem: 'it is not a regular file' };
    if (info.size > maxFileBytes) return { problem: `it is larger than ${maxFileBytes / 2 ** 20} MiB` };
    const handle = await open(target, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return { text: await handle.readFile('utf8') };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { problem: `it cannot be read: ${reasonOf(error)}` };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) throw error;
  const reasons = new Map<unknown, string>([
    ['ENOENT', 'the link leads nowhere'],
    ['EACCES', 'permission denied'],
    ['ELOOP', 'the link leads to itself'],
  ]);
  return reasons.get(error.code) ?? String(error.code);
}
