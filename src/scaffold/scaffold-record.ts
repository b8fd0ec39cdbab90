import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { OtsError } from '../errors/ots-error.ts';
import { lineEndingOf } from './insertions/line-ending.ts';

/** Where a project keeps what ots scaffolded. Not below `.ots`, which is not committed. */
export const recordFile = '.ots-scaffold';

/** Limits on what a project may contain: a record of 70 files has 45 KiB. */
const maxRecordBytes = 8 * 1024 * 1024;
const maxFileBytes = 1024 * 1024;
const maxTotalBytes = 32 * 1024 * 1024;

const format = '# ots-scaffold/1';
const header = `${format}: the files of this project as ots scaffolded them, for ots alpha update. Commit it and do not edit it.`;

/** A file as its line has it. */
interface RecordLine {
  /** Base64 of the deflated content. */
  readonly data: string;
  readonly content: Buffer;
}

/**
 * Reads a record: a comment, then one line per file with its path and its content. If a path has several lines, which is what a merge of
 * git can make of two branches, the last one counts.
 *
 * @returns contents by project-relative path
 * @throws OtsError `INVALID_SCAFFOLD_RECORD` with the line, for everything that ots does not write
 */
export function parseRecord(text: string): Map<string, Buffer> {
  return new Map([...parseLines(text)].map(([path, { content }]) => [path, content]));
}

/**
 * Writes a record, sorted by path, so git can merge the records of two branches.
 *
 * @param earlier the record that this one replaces: lines of equal content stay, whatever the version of zlib
 */
export function formatRecord(files: ReadonlyMap<string, Buffer>, earlier?: string): string {
  const known = earlier === undefined ? new Map<string, RecordLine>() : parseLines(earlier);
  const lines = [...files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, content]) => {
      const line = known.get(path);
      const isSame = line?.content.equals(content) ?? false;
      return `${path} ${isSame ? line!.data : deflateRawSync(content, { level: 9 }).toString('base64')}`;
    });
  const eol = lineEndingOf(earlier ?? '');
  return [header, ...lines, ''].join(eol);
}

function parseLines(text: string): Map<string, RecordLine> {
  if (text.length > maxRecordBytes) throw invalid(undefined, 'has more than 8 MiB');
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (!text.startsWith(`${format}:`))
    throw invalid(1, `does not start with "${format}:"`, isConflict(lines[0]!));
  if (lines.pop() !== '') throw invalid(lines.length + 1, 'is not complete');
  const files = new Map<string, RecordLine>();
  let total = 0;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('#')) continue;
    const [path, entry] = parseLine(line, index + 1);
    total += entry.content.length;
    if (total > maxTotalBytes) throw invalid(index + 1, 'the files have more than 32 MiB');
    files.set(path, entry);
  }
  return files;
}

function parseLine(line: string, number: number): [string, RecordLine] {
  if (isConflict(line)) throw invalid(number, 'is a conflict marker of git', true);
  const [, path, data] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
  if (path === undefined || data === undefined) throw invalid(number, 'is not a path and base64');
  if (!isSafe(path)) throw invalid(number, 'is not the path of a file in the project');
  try {
    const content = inflateRawSync(Buffer.from(data, 'base64'), { maxOutputLength: maxFileBytes });
    return [path, { data, content }];
  } catch (cause) {
    const isLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw invalid(number, isLarge ? 'is a file with more than 1 MiB' : 'is not deflated data', false, cause);
  }
}

function isConflict(line: string): boolean {
  return /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/.test(line);
}

/** Whether a path stays inside the project and outside of what git and ots keep there. */
function isSafe(path: string): boolean {
  const parts = path.split('/');
  return (
    !parts.some((part) => part === '' || part === '.' || part === '..') &&
    !/[\\:\0]/.test(path) &&
    !['.git', '.ots', recordFile].includes(parts[0]!.toLowerCase())
  );
}

function invalid(line: number | undefined, problem: string, conflict = false, cause?: unknown): OtsError {
  const place = line === undefined ? recordFile : `${recordFile}:${line}`;
  return new OtsError('INVALID_SCAFFOLD_RECORD', `${place} ${problem}`, {
    hint: conflict
      ? `Keep the lines of both sides and delete the lines of git in ${recordFile}.`
      : `Restore ${recordFile}, for example with git checkout.`,
    cause,
    ...(line !== undefined && { details: { line } }),
  });
}
