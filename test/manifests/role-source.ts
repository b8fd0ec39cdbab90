/** The text of a file with these @rbac tags. */
export function roleSource(tags: readonly string[]): string {
  return `/**\n * Reconciles.\n${tags.map((tag) => ` * @rbac ${tag}`).join('\n')}\n */\nexport class Reconciler {}\n`;
}
