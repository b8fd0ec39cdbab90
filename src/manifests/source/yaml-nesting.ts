/**
 * The parser of YAML recurses. Beyond about 800 levels the stack overflows, which JavaScript can catch, unless V8 compiles a regular
 * expression of the parser right there: then the process ends.
 */
const maxLevels = 500;

/** Says whether YAML nests so deeply that parsing it could end the process. Counts brackets in texts, too, so it overestimates. */
export function isYamlTooDeep(text: string): boolean {
  let brackets = 0;
  const indents: number[] = [];
  for (const line of text.split('\n')) {
    const [start] = /^ *(?:[-?] +)*/.exec(line)!;
    if (start.length === line.length) continue;
    const indent = start.search(/[^ ]|$/);
    while (indents.length > 0 && indents[indents.length - 1]! >= indent) indents.pop();
    indents.push(indent);
    let level = indents.length + start.replaceAll(' ', '').length + brackets;
    for (const character of line.slice(start.length)) {
      if ('[{'.includes(character)) level += 1;
      else if (']}'.includes(character)) level -= 1;
      if (level > maxLevels) return true;
    }
    brackets = Math.max(0, level - indents.length - start.replaceAll(' ', '').length);
  }
  return false;
}
