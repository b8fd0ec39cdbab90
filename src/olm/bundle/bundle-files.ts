import { constants } from 'node:fs';
import { lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Reading, readFirstDocument } from './first-document.ts';

/** What a bundle has at most. Its files go into one ConfigMap of 1 MiB, compressed. */
const maxEntries = 5000;
const maxFileBytes = 16 * 2 ** 20;
const maxTotalBytes = 64 * 2 ** 20;

/** The files and folders of a bundle. Paths are relative to it, with `/`. */
export interface BundleFiles {
  /** Sorted by path. */
  readonly files: readonly BundleFile[];
  /** Without the bundle itself. */
  readonly directories: ReadonlySet<string>;
  /** What cannot be read: the rest of the bundle is as if it did not exist. */
  readonly problem?: string;
}

/** A file of a bundle. Its first document is read when it is needed. */
export class BundleFile {
  readonly path: string;
  /** The folder; empty for the bundle itself. */
  readonly directory: string;
  readonly name: string;
  readonly content: Buffer;
  /** Why it cannot be read. */
  readonly problem: string | undefined;
  #document: Reading | undefined;

  constructor(file: string, content: Buffer, problem?: string) {
    this.path = file;
    this.directory = path.posix.dirname(file).replace(/^\.$/, '');
    this.name = path.posix.basename(file);
    this.content = content;
    this.problem = problem;
  }

  /** Whether the file or a folder around it is hidden. */
  get isHidden(): boolean {
    return this.path.split('/').some((part) => part.startsWith('.'));
  }

  get document(): Reading {
    this.#document ??=
      this.problem === undefined
        ? readFirstDocument(this.content.toString('utf8').replace(/^\u{feff}/u, ''))
        : { problem: this.problem };
    return this.#document;
  }
}

/**
 * Reads the files of a directory and of those below it. Does not follow links out of the directory: they are not part of the image
 * that is built from it.
 *
 * @param directory an absolute path
 * @throws the error of the file system, when it is not a directory or cannot be read
 */
export async function readBundleFiles(directory: string): Promise<BundleFiles> {
  const root = await realpath(directory);
  const walk = new Walk(root);
  await walk.visit('');
  return { files: walk.files, directories: walk.directories, ...(walk.problem && { problem: walk.problem }) };
}

class Walk {
  readonly files: BundleFile[] = [];
  readonly directories = new Set<string>();
  problem: string | undefined;
  readonly #root: string;
  #bytes = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** In the order of names, as Go walks: a folder before what follows it. */
  async visit(directory: string): Promise<void> {
    const entries = await readdir(path.join(this.#root, directory), { withFileTypes: true });
    for (const { name } of entries.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
      if (this.problem !== undefined) return;
      const place = directory === '' ? name : `${directory}/${name}`;
      const info = await lstat(path.join(this.#root, place));
      if (this.files.length + this.directories.size >= maxEntries)
        this.problem = `it has more than ${maxEntries} files`;
      else if (info.isDirectory()) {
        this.directories.add(place);
        await this.visit(place);
      } else this.files.push(await this.#read(place));
    }
  }

  async #read(place: string): Promise<BundleFile> {
    const broken = (problem: string) => new BundleFile(place, Buffer.alloc(0), problem);
    try {
      const target = await realpath(path.join(this.#root, place));
      if (!target.startsWith(`${this.#root}${path.sep}`)) return broken('it is a link out of the bundle');
      const info = await stat(target);
      if (info.isDirectory()) return broken('it is a link to a directory');
      if (!info.isFile()) return broken('it is not a regular file');
      if (info.size > maxFileBytes) return broken(`it is larger than ${maxFileBytes / 2 ** 20} MiB`);
      this.#bytes += info.size;
      if (this.#bytes > maxTotalBytes) this.problem = `it is larger than ${maxTotalBytes / 2 ** 20} MiB`;
      return new BundleFile(place, await readRegular(target));
    } catch (error) {
      return broken(`it cannot be read: ${codeOf(error)}`);
    }
  }
}

/** Does not block if the file became a pipe in between. */
async function readRegular(file: string): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'ENOENT') return 'the link leads nowhere';
    if (error.code === 'EACCES') return 'permission denied';
    if (error.code === 'ELOOP') return 'the link leads to itself';
    return String(error.code);
  }
  throw error;
}
