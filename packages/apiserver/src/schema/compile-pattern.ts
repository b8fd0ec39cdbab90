/**
 * Compiles the pattern of a schema. Go's RE2 syntax is mostly that of JavaScript; what differs are flags in front, anchors of
 * the text, and the names of groups.
 *
 * @throws {SyntaxError} when it is no regular expression
 */
export function compilePattern(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known) return known;
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  const body = pattern
    .slice(flags?.[0].length ?? 0)
    .replaceAll('\\A', '^')
    .replaceAll('\\z', '$')
    .replaceAll('(?P<', '(?<');
  const expression = construct(body, flags?.[1] ?? '');
  compiled.set(pattern, expression);
  return expression;
}

const compiled = new Map<string, RegExp>();

/** Unicode mode counts characters as Go does, but refuses escapes of punctuation that Go allows. */
function construct(body: string, flags: string): RegExp {
  try {
    return new RegExp(body, `${flags}u`);
  } catch {
    return new RegExp(body, flags);
  }
}
