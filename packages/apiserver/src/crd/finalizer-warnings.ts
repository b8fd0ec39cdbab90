import { goQuote } from 'ots-apimachinery/go/go-quote';
import { qualifiedName } from 'ots-apimachinery/names';

const standard = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);
const field = 'metadata.finalizers';

/** Warns the writer of a custom resource about new finalizers whose names may clash with others. */
export function finalizerWarnings(finalizers: readonly string[], old: readonly string[]): string[] {
  const added = [...new Set(finalizers)].filter((name) => !old.includes(name)).toSorted();
  return added.flatMap((name) => {
    const problems = qualifiedName(name);
    if (!name.includes('/') && !standard.has(name)) {
      const path = name.includes('.') ? ' including a path (/)' : '';
      problems.push(
        `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
      );
    }
    return problems.map((problem) => `${field}: ${goQuote(name)}: ${problem}`);
  });
}
