import { mergeJson } from './merge-json.ts';
import { type MergeLabels, type MergedText, mergeText } from './merge-text.ts';
import { mergeYamlLists } from './merge-yaml-lists.ts';

/** The text of a file that both sides changed, and its texts on both sides. */
export interface MergeSides {
  readonly base: string;
  /** The text of the author. */
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Merges two changes of a file: line by line as git does, and by the keys of JSON and the lists of kustomizations where lines conflict that
 * have nothing to do with each other.
 */
export function mergeFile(path: string, sides: MergeSides, labels: MergeLabels): MergedText {
  const merged = mergeText(sides.base, sides.ours, sides.theirs, labels);
  if (path.endsWith('.json')) return mergeJson(sides, merged, labels);
  if (merged.conflicts === 0 || !path.endsWith('kustomization.yaml')) return merged;
  return mergeYamlLists(sides, merged, labels);
}
