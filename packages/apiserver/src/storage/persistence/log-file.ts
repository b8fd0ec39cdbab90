import { type Disk, writeAll } from './disk.ts';

/** A file to which lines are appended. A line is there as a whole or not at all, for whatever reads the file next. */
export class LogFile {
  readonly #disk: Disk;
  readonly #file: number;
  #length = 0;
  #synced = 0;
  /** Whether the file may have more bytes than whole lines, because writing one failed. */
  #isTorn = false;

  /** Creates the file, or empties an existing one. */
  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.#file = disk.create(path);
  }

  /** The size of all lines in bytes. */
  get length(): number {
    return this.#length;
  }

  /** Whether a loss of power would lose lines. */
  get isDirty(): boolean {
    return this.#synced < this.#length;
  }

  /** Appends a line. From then on only a loss of power loses it, until {@link sync} ends. */
  append(line: Buffer): void {
    this.#removeTorn();
    this.#isTorn = true;
    writeAll(this.#disk, this.#file, line, this.#length);
    this.#isTorn = false;
    this.#length += line.length;
  }

  /** Waits until all lines so far are on the disk. */
  async sync(): Promise<void> {
    const length = this.#length;
    await this.#disk.sync(this.#file);
    this.#synced = length;
  }

  /** Leaves a file of whole lines that are on the disk. */
  finish(): void {
    this.#removeTorn();
    if (!this.isDirty) return;
    this.#disk.syncNow(this.#file);
    this.#synced = this.#length;
  }

  close(): void {
    this.#disk.close(this.#file);
  }

  #removeTorn(): void {
    if (!this.#isTorn) return;
    this.#disk.truncate(this.#file, this.#length);
    this.#isTorn = false;
  }
}
