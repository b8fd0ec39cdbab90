/** The words of CEL that cannot be identifiers. */
const reserved: ReadonlySet<string> = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace ' +
    'return var void while'
  ).split(' '),
);

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

const unescapes: ReadonlyMap<string, string> = new Map(
  Object.entries(escapes).map(([plain, escaped]) => [escaped.slice(2, -2), plain]),
);

/**
 * The name of a property in a rule: `x-y` is `x__dash__y`, `namespace` is `__namespace__`.
 *
 * @returns undefined for a property that rules cannot name and therefore do not see
 */
export function escapeProperty(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_./-][\w./-]*$/.test(name)) return undefined;
  return name.replaceAll(/__|[-./]/g, (part) => escapes[part]!);
}

/** The property for an identifier from `escapeProperty`; undefined for other identifiers. */
export function unescapeProperty(identifier: string): string | undefined {
  let valid = true;
  const name = identifier.replaceAll(/__[^_]+__/g, (sequence) => {
    const inner = sequence.slice(2, -2);
    const plain = unescapes.get(inner);
    if (plain !== undefined) return plain;
    // A reserved word is escaped only as a whole.
    valid &&= reserved.has(inner) && sequence.length === identifier.length;
    return inner;
  });
  return valid ? name : undefined;
}
