import { lineEndingOf } from '../../../scaffold/insertions/line-ending.ts';
import { mergeText } from '../../../scaffold/merge/merge-text.ts';
import { type EntryRules, reduceLists, reduceScripts } from './reduce-lists.ts';
import { removeSetups } from './remove-setups.ts';

/** A file of a project from whose scaffold a part leaves. */
export interface ReducedFile {
  readonly path: string;
  /** The file as its author has it. */
  readonly text: string;
  readonly before: string;
  readonly after: string;
}

/** What decides about references to other files. */
export interface ReferenceRules {
  /** Whether a file leaves the project. */
  readonly isGone: (path: string) => boolean;
  /** Decides about the entries of a file's lists. */
  readonly entriesOf: (path: string) => EntryRules;
  /** Whether files stay that the scaffold no longer has. */
  readonly hasKept: boolean;
}

const labels = { ours: 'yours', theirs: 'without it' };

/**
 * Removes from a file what left its scaffold, and keeps what its author changed.
 *
 * @returns undefined if the author changed the lines that leave
 */
export function reduceFile(file: ReducedFile, rules: ReferenceRules): string | undefined {
  const { path, text, before, after } = file;
  const eol = lineEndingOf(text);
  const isYaml = /\.ya?ml$/.test(path);
  const isAsScaffolded = text === before.replaceAll('\n', eol);
  if (isAsScaffolded && !(isYaml && rules.hasKept)) return after.replaceAll('\n', eol);
  if (isYaml) return reduceLists(text, before, after, rules.entriesOf(path));
  if (path === 'package.json') return reduceScripts(text, before, after);
  if (/^src\/(controllers|webhooks)\/index\.ts$/.test(path)) return removeSetups(text, path, rules.isGone);
  const merged = mergeText(before, text, after, labels);
  return merged.conflicts === 0 ? merged.text : undefined;
}
