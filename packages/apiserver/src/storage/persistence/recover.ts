import { join } from 'node:path';
import type { Snapshot } from '../snapshot.ts';
import { type CheckpointHeader, dataFormat } from './checkpoint.ts';
import { DataError } from './data-error.ts';
import type { Disk } from './disk.ts';
import { parseEntry } from './entry.ts';
import { fileName, revisionsOf } from './file-names.ts';
import { readLine } from './line.ts';
import { RecoveredState } from './recovered-state.ts';

/** What a data directory contains. */
export interface Recovered {
  readonly state: Snapshot;
  /** The revision of the checkpoint. */
  readonly checkpoint: number;
  /** The file and the position of a change whose writing did not end, which is dropped. */
  readonly torn: { readonly path: string; readonly at: number } | undefined;
}

/**
 * Reads the newest checkpoint and the changes after it.
 *
 * @returns undefined for a directory without both
 * @throws {DataError} `DATA_DAMAGED` for anything but a last line whose writing did not end
 */
export function recover(disk: Disk, directory: string): Recovered | undefined {
  const names = disk.list(directory);
  const checkpoint = revisionsOf('checkpoint', names).at(-1);
  const logs = revisionsOf('log', names)
    .filter((revision) => revision >= (checkpoint ?? 0))
    .map((revision) => ({ revision, ...read(disk, join(directory, fileName('log', revision))) }))
    // A log is created before the checkpoint that it continues.
    .filter(({ bytes }) => bytes.length > 0);
  if (checkpoint === undefined) {
    if (logs.length === 0) return undefined;
    throw damaged(`${directory} has changes, but the checkpoint before them is missing`);
  }
  const state = readCheckpoint(read(disk, join(directory, fileName('checkpoint', checkpoint))));
  let torn: Recovered['torn'];
  for (const log of logs) {
    const next = state.revision + 1;
    if (log.revision !== state.revision)
      throw damaged(`The changes from revision ${next} to ${log.revision} are missing before ${log.path}`);
    torn = readLog(log, state, log === logs.at(-1));
  }
  return { state: state.snapshot(), checkpoint, torn };
}

interface ReadFile {
  readonly path: string;
  readonly bytes: Buffer;
}

function read(disk: Disk, path: string): ReadFile {
  return { path, bytes: disk.read(path) };
}

function readCheckpoint({ path, bytes }: ReadFile): RecoveredState {
  const lines = linesOf({ path, bytes }, false);
  const first = lines.next();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checksum says that a server wrote it
  const header = (first.done ? {} : JSON.parse(first.value.text)) as Partial<CheckpointHeader>;
  const { format, revision = 0, records } = header;
  if (format !== undefined && format !== dataFormat) throw otherFormat(path, format);
  const state = new RecoveredState(revision);
  let count = 0;
  for (const { text } of lines) {
    state.add(parseEntry(text));
    count += 1;
  }
  if (count === records) return state;
  throw damaged(`${path} is damaged at byte ${bytes.length}: it ends after ${count} of ${records} objects`);
}

/** @returns where the last line begins if its writing did not end */
function readLog(log: ReadFile, state: RecoveredState, isLast: boolean): Recovered['torn'] {
  const lines = linesOf(log, isLast);
  for (let line = lines.next(); ; line = lines.next()) {
    if (line.done) return line.value === undefined ? undefined : { path: log.path, at: line.value };
    const { text, at } = line.value;
    const entry = parseEntry(text);
    if (entry.revision !== state.revision + 1)
      throw damaged(
        `${log.path} is damaged at byte ${at}: revision ${entry.revision} follows revision ${state.revision}`,
      );
    state.add(entry);
  }
}

/** @returns the position of a last line whose writing did not end, if that may be */
function* linesOf(
  { path, bytes }: ReadFile,
  mayBeTorn: boolean,
): Generator<{ text: string; at: number }, number | undefined> {
  const end = mayBeTorn ? lengthWithoutZeros(bytes) : bytes.length;
  const content = bytes.subarray(0, end);
  for (let at = 0; at < end;) {
    const line = readLine(content, at);
    if (line === 'torn' && mayBeTorn) return at;
    if (typeof line === 'string') throw damagedLine(path, at, mayBeTorn);
    yield { text: line.text, at };
    at = line.next;
  }
  return end < bytes.length ? end : undefined;
}

/** After a loss of power, a file may end with zeros instead of the last lines. */
function lengthWithoutZeros(bytes: Buffer): number {
  let length = bytes.length;
  while (bytes[length - 1] === 0) length -= 1;
  return length;
}

function damagedLine(path: string, at: number, isLastLog: boolean): DataError {
  const problem = `${path} is damaged at byte ${at}`;
  if (!isLastLog) return damaged(problem);
  return new DataError(
    'DATA_DAMAGED',
    problem,
    `Restore the directory from a copy. To give up the changes from there on instead, shorten the file: truncate -s ${at} ${path}`,
  );
}

function damaged(problem: string): DataError {
  return new DataError('DATA_DAMAGED', problem, 'Restore the directory from a copy, or choose a new one.');
}

function otherFormat(path: string, format: number): DataError {
  return new DataError(
    'DATA_DIRECTORY',
    `${path} has format ${format}, and this version of ots reads format ${dataFormat}`,
    'Use the version of ots that wrote it, or choose a new directory.',
  );
}
