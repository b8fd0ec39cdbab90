/** Opens or closes a code block, whose content is never a remark. */
const fence = /^\s*(?:`{3}|~{3})/;

/**
 * Removes what a comment says to other authors and not to users: lines that begin with TODO, and everything
 * after a line of dashes. These are controller-gen's rules, so ported comments produce the same descriptions.
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
