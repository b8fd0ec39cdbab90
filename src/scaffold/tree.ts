import { OtsError } from '../errors/ots-error.ts';
import type { Change, ChangeOrigin } from './change.ts';
import { diskFileSystem, type ReadableFileSystem } from './file-system.ts';
import { SafePaths } from './safe-path.ts';

interface StagedFile {
  content: Buffer | undefined;
  origin: ChangeOrigin;
  mode: number;
  /** The file from which it was moved or copied. */
  madeFrom?: string;
}

const scaffoldMode = 0o644;
const executableMode = 0o755;

/**
 * A project in memory: the files on disk with the changes of a command. Commands and layouts write only here. Nothing is
 * written to disk until the whole plan is free of conflicts.
 *
 * Paths are project-relative and use `/`.
 */
export class Tree {
  readonly root: string;
  readonly force: boolean;
  readonly #fs: ReadableFileSystem;
  readonly #paths: SafePaths;
  readonly #staged = new Map<string, StagedFile>();
  readonly #disk = new Map<string, Buffer | undefined>();

  /**
   * @param root absolute path of the project
   * @param options.force replace files that the author edited
   */
  constructor(root: string, options: { force?: boolean; fs?: ReadableFileSystem } = {}) {
    this.#fs = options.fs ?? diskFileSystem;
    this.root = this.#fs.kind(root) === undefined ? root : this.#fs.realPath(root);
    this.force = options.force ?? false;
    this.#paths = new SafePaths(this.#fs, this.root);
  }

  /** The staged content of a file, or else its content on disk; undefined if it does not exist. */
  readBytes(path: string): Buffer | undefined {
    const staged = this.#staged.get(path);
    return staged ? staged.content : this.#onDisk(path);
  }

  /** {@link readBytes} as text (UTF-8). */
  read(path: string): string | undefined {
    return this.readBytes(path)?.toString('utf8');
  }

  /** The earlier content of a staged file: its content on disk, or that of the file from which it was moved or copied. */
  readOriginal(path: string): Buffer | undefined {
    return this.#onDisk(path) ?? this.#onDisk(this.#staged.get(path)?.madeFrom ?? path);
  }

  exists(path: string): boolean {
    return this.readBytes(path) !== undefined;
  }

  /** Stages a file that the author owns from now on. Equal content on disk is not a change, other content is a conflict. */
  create(path: string, content: string | Buffer, options: { executable?: boolean } = {}): void {
    const mode = options.executable ? executableMode : scaffoldMode;
    this.#stage(path, { content: Buffer.from(content), origin: 'scaffold', mode });
  }

  /** Stages a generated file, which replaces any content on disk. */
  generate(path: string, content: string | Buffer): void {
    this.#stage(path, { content: Buffer.from(content), origin: 'generated', mode: scaffoldMode });
  }

  /**
   * Changes a file of the author.
   *
   * @param change receives the text and returns the new text, with as few changes as possible
   * @throws OtsError `MISSING_FILE` if the file does not exist
   */
  edit(path: string, change: (text: string) => string): void {
    const text = this.read(path);
    if (text === undefined) {
      throw new OtsError('MISSING_FILE', `${path} is missing`, {
        hint: `Restore ${path} (for example with git checkout) and run the command again.`,
      });
    }
    const staged = this.#staged.get(path);
    this.#stage(path, {
      origin: 'insertion',
      mode: scaffoldMode,
      ...staged,
      content: Buffer.from(change(text)),
    });
  }

  /** Stages a file that the author owns from now on, made from another file of the author. */
  copy(from: string, to: string, content: string): void {
    this.#stage(to, {
      content: Buffer.from(content),
      origin: 'scaffold',
      mode: scaffoldMode,
      madeFrom: from,
    });
  }

  /** Moves a file of the author, and gives it this content. */
  move(from: string, to: string, content: string | Buffer): void {
    const mode = this.#fs.mode(this.#paths.resolve(from)) ?? scaffoldMode;
    this.#stage(to, { content: Buffer.from(content), origin: 'scaffold', mode, madeFrom: from });
    this.remove(from);
  }

  remove(path: string): void {
    this.#stage(path, { content: undefined, origin: 'insertion', mode: scaffoldMode });
  }

  /** Project-relative paths of all files below a directory, including staged ones, sorted. */
  list(directory: string): string[] {
    const found = new Set(this.#listDisk(directory));
    for (const [path, staged] of this.#staged) {
      if (!path.startsWith(`${directory}/`)) continue;
      if (staged.content) found.add(path);
      else found.delete(path);
    }
    return [...found].toSorted();
  }

  /** All differences from the disk, in the order of paths. */
  changes(): Change[] {
    const changes: Change[] = [];
    for (const [path, staged] of this.#staged) {
      const before = this.#onDisk(path);
      const after = staged.content;
      if (before === undefined && after === undefined) continue;
      if (before && after?.equals(before)) continue;
      const action = before === undefined ? 'create' : after === undefined ? 'delete' : 'update';
      const forced = this.force && action === 'update' && staged.origin === 'scaffold';
      changes.push({ path, action, origin: staged.origin, before, after, mode: staged.mode, forced });
    }
    return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Contents, by path, of the staged files that the author owns from now on. */
  scaffolded(): Map<string, Buffer> {
    const files = new Map<string, Buffer>();
    for (const [path, { content, origin }] of this.#staged)
      if (content && origin === 'scaffold') files.set(path, content);
    return files;
  }

  /** Staged files that equal the disk. */
  unchanged(): string[] {
    return [...this.#staged]
      .filter(([path, staged]) => staged.content && this.#onDisk(path)?.equals(staged.content))
      .map(([path]) => path)
      .toSorted();
  }

  #stage(path: string, file: StagedFile): void {
    this.#paths.resolve(path);
    this.#staged.set(path, file);
  }

  #onDisk(path: string): Buffer | undefined {
    if (!this.#disk.has(path)) this.#disk.set(path, this.#readDisk(path));
    return this.#disk.get(path);
  }

  #readDisk(path: string): Buffer | undefined {
    const file = this.#paths.resolve(path);
    const kind = this.#fs.kind(file);
    if (kind === undefined) return undefined;
    if (kind !== 'file') {
      throw new OtsError('NOT_A_FILE', `${path} is not a regular file`, {
        hint: `Move ${path} out of the way and run the command again.`,
      });
    }
    return this.#fs.read(file);
  }

  #listDisk(directory: string): string[] {
    const absolute = this.#paths.resolve(directory);
    return this.#fs.list(absolute).flatMap((name) => {
      const path = `${directory}/${name}`;
      // Does not follow links: their targets are listed at their own paths, and a link to a parent would never end.
      const kind = this.#fs.kind(`${absolute}/${name}`);
      if (kind === 'directory') return this.#listDisk(path);
      return kind === 'file' ? [path] : [];
    });
  }
}
