import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Snapshot } from '../snapshot.ts';
import { type Disk, writeAll } from './disk.ts';
import { lineOfRecord } from './entry.ts';
import { fileName } from './file-names.ts';
import { encodeLine } from './line.ts';

/** The version of the format of all files in a data directory. */
export const dataFormat = 1;

/** The first line of a checkpoint. */
export interface CheckpointHeader {
  readonly format: number;
  readonly revision: number;
  /** The number of lines that follow: one per object. */
  readonly records: number;
}

/** How many bytes are written before requests get their turn. */
const chunkBytes = 256 * 1024;

/**
 * Writes all objects into a new file, which exists only once it is complete and on the disk.
 *
 * @returns the size in bytes
 * @throws the error of the operating system; then nothing of the file is left
 */
export async function writeCheckpoint(disk: Disk, directory: string, snapshot: Snapshot): Promise<number> {
  const path = join(directory, fileName('checkpoint', snapshot.revision));
  const temporary = `${path}.tmp`;
  try {
    const size = await writeLines(disk, temporary, linesOf(snapshot));
    disk.rename(temporary, path);
    await disk.syncDirectory(directory);
    return size;
  } catch (error) {
    for (const left of [temporary, path]) disk.remove(left);
    throw error;
  }
}

async function writeLines(disk: Disk, path: string, lines: Iterable<Buffer>): Promise<number> {
  const file = disk.create(path);
  try {
    let size = 0;
    for (const chunk of chunksOf(lines)) {
      writeAll(disk, file, chunk, size);
      size += chunk.length;
      await turn();
    }
    await disk.sync(file);
    return size;
  } finally {
    disk.close(file);
  }
}

function* linesOf({ revision, tables }: Snapshot): Generator<Buffer> {
  let records = 0;
  for (const { length } of tables.values()) records += length;
  const header: CheckpointHeader = { format: dataFormat, revision, records };
  yield encodeLine(JSON.stringify(header));
  for (const [table, list] of tables) for (const record of list) yield lineOfRecord(table, record);
}

function* chunksOf(lines: Iterable<Buffer>): Generator<Buffer> {
  let chunk: Buffer[] = [];
  let bytes = 0;
  for (const line of lines) {
    chunk.push(line);
    bytes += line.length;
    if (bytes < chunkBytes) continue;
    yield Buffer.concat(chunk);
    [chunk, bytes] = [[], 0];
  }
  yield Buffer.concat(chunk);
}
