/** Returns a regular expression that matches any of several. */
export function alternation(regexes: readonly string[]): string {
  return regexes.length === 1 ? regexes[0]! : `(${regexes.join('|')})`;
}

/** Returns an RE2 expression that matches exactly one string. */
export function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
