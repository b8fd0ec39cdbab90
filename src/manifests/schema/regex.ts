/** A regular expression for one of several. */
export function alternation(regexes: readonly string[]): string {
  return regexes.length === 1 ? regexes[0]! : `(${regexes.join('|')})`;
}

/** A text as a regular expression of RE2 that matches nothing else. */
export function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
