import { FILE_HEADERS_ONLY, createTwoFilesPatch } from 'diff';
import type { Change } from '../scaffold/change.ts';
import { recordFile } from '../scaffold/scaffold-record.ts';

/** The unified diff of a change; undefined for binary content, also as base64 in a record. */
export function unifiedDiff(change: Change): string | undefined {
  if (change.path === recordFile) return undefined;
  if (isBinary(change.before) || isBinary(change.after)) return undefined;
  const before = change.before?.toString('utf8') ?? '';
  const after = change.after?.toString('utf8') ?? '';
  const oldName = change.before ? `a/${change.path}` : '/dev/null';
  const newName = change.after ? `b/${change.path}` : '/dev/null';
  return textDiff(oldName, newName, before, after);
}

/** The unified diff between two texts, with their names in its header. */
export function textDiff(oldName: string, newName: string, before: string, after: string): string {
  return createTwoFilesPatch(oldName, newName, before, after, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
}

function isBinary(content: Buffer | undefined): boolean {
  return content?.includes(0) ?? false;
}
