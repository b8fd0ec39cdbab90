/** The text of a file with one @webhook tag in the object form. An argument that is undefined is left out. */
export function webhookSource(
  ...argumentSets: readonly Readonly<Record<string, string | undefined>>[]
): string {
  const given = Object.entries(Object.assign({}, ...argumentSets) as Record<string, string | undefined>);
  const pairs = given.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `/** @webhook {${pairs.join(', ')}} */\nexport class Handler {}\n`;
}
