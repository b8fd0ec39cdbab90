/** Opens or ends a block of code, in which nothing is a remark. */
const fence = /^\s*(?:`{3}|~{3})/;

/**
 * Leaves out what a comment says to other authors and not to users: lines that begin with TODO, and all that follows a
 * line of dashes. controller-gen's rule, so that ported comments give the same descriptions.
 */
export function publicProse(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let inCode = false;
  for (const line of lines) {
    if (fence.test(line)) inCode = !inCode;
    const text = line.trimStart();
    if (!inCode && text.startsWith('---')) break;
    if (inCode || !text.startsWith('TODO')) kept.push(line);
  }
  return kept;
}
