import { lineEndingOf } from '../insertions/line-ending.ts';
import type { Tree } from '../tree.ts';
import { mergeFile } from './merge-file.ts';
import { type MergeLabels, markConflict } from './merge-text.ts';

/** The contents of files by path: as scaffolded before, and as this version scaffolds them. */
export interface Scaffolds {
  readonly base: ReadonlyMap<string, Buffer>;
  readonly theirs: ReadonlyMap<string, Buffer>;
}

export interface MergeOptions {
  readonly labels: MergeLabels;
  /** Returns whether a file that the author had before the scaffold stays as it is. */
  readonly isKept: (path: string) => boolean;
}

export interface StagedMerge {
  /** The files with conflict markers. */
  readonly conflicts: readonly string[];
  /** Files that differ from the scaffold and stay as they are: one line each, with the reason. */
  readonly notes: readonly string[];
  /** The files that stay because the author had them before the scaffold. */
  readonly kept: readonly string[];
}

/** The time of a line merge grows with the cube of the number of equal lines: 500 take 0.1 s. ots scaffolds no such files. */
const maxMergeBytes = 256 * 1024;
const maxMergeLines = 5000;
const maxEqualLines = 500;

/**
 * Merges what changed between two scaffolds into the project of an author, in a tree.
 *
 * - What the author did not change becomes what this version scaffolds, and is removed if that is nothing.
 * - What this version does not change stays, and so do files that the author deleted.
 * - What both changed is merged, with conflict markers as git writes them.
 */
export function stageMerge(tree: Tree, { base, theirs }: Scaffolds, options: MergeOptions): StagedMerge {
  const conflicts: string[] = [];
  const notes: string[] = [];
  const kept: string[] = [];
  for (const path of [...new Set([...base.keys(), ...theirs.keys()])].toSorted()) {
    const [before, ours, after] = [base.get(path), tree.readBytes(path), theirs.get(path)];
    if (isSame(before, after) || isSame(ours, after)) continue;
    if (!before && ours && options.isKept(path)) {
      kept.push(path);
      continue;
    }
    const outcome = mergeOf(path, before, ours, after, options.labels);
    if (outcome.stays !== undefined) notes.push(`${path} ${outcome.stays}`);
    else stage(tree, path, outcome.content);
    if (outcome.conflicts) conflicts.push(path);
  }
  return { conflicts, notes, kept };
}

/** The content of a merged file, or the reason why it stays. */
type Outcome =
  | { readonly stays: string; readonly conflicts?: never }
  | { readonly stays?: never; readonly content: string | Buffer | undefined; readonly conflicts?: boolean };

function mergeOf(
  path: string,
  base: Buffer | undefined,
  ours: Buffer | undefined,
  theirs: Buffer | undefined,
  labels: MergeLabels,
): Outcome {
  if (isSame(base, ours)) return { content: theirs && withEndingsOf(ours, theirs) };
  if (!theirs) return { stays: 'is not part of the scaffold anymore. You edited it, so it stays.' };
  if (!ours) return { stays: 'changed in the scaffold. You deleted it, so it stays deleted.' };
  if ([ours, base].some((content) => content && !isMergeable(content)))
    return { stays: 'changed in the scaffold, too. It is binary or large, so it stays unchanged.' };
  const [oursText, theirsText] = [ours.toString('utf8'), theirs.toString('utf8')];
  const merged = base
    ? mergeFile(path, { base: base.toString('utf8'), ours: oursText, theirs: theirsText }, labels)
    : markConflict(oursText, theirsText, labels);
  return { content: merged.text, conflicts: merged.conflicts > 0 };
}

function stage(tree: Tree, path: string, content: string | Buffer | undefined): void {
  if (content === undefined) {
    if (tree.exists(path)) tree.remove(path);
  } else if (tree.exists(path)) tree.edit(path, () => content.toString());
  else tree.create(path, content);
}

/** Whether contents are equal, whatever the line endings: git may check out others than it has. */
function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  if (!a || !b) return a === b;
  return a.equals(b) || (isText(a) && isText(b) && unixText(a) === unixText(b));
}

function unixText(content: Buffer): string {
  return content.toString('utf8').replaceAll('\r\n', '\n');
}

function withEndingsOf(ours: Buffer | undefined, content: Buffer): Buffer | string {
  const eol = lineEndingOf(ours?.toString('utf8') ?? '');
  return eol === '\n' ? content : unixText(content).replaceAll('\n', eol);
}

function isText(content: Buffer): boolean {
  return content.length <= maxMergeBytes && !content.includes(0);
}

function isMergeable(content: Buffer): boolean {
  if (!isText(content)) return false;
  const lines = content.toString('utf8').split(/\r?\n/);
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.length <= maxMergeLines && Math.max(...counts.values()) <= maxEqualLines;
}
