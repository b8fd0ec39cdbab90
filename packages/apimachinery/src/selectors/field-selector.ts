/** One term of a field selector. */
export interface FieldTerm {
  field: string;
  value: string;
  negated: boolean;
}

/**
 * Parses `metadata.name=a,status.phase!=b`. In values a backslash escapes a comma, an equals sign or itself. Reads
 * the terms sorted as strings, so of several errors it reports the same one as kube-apiserver.
 *
 * @throws {SyntaxError} in the words of kube-apiserver
 */
export function parseFieldSelector(text: string): FieldTerm[] {
  return splitTerms(text)
    .filter((term) => term !== '')
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((term) => parseTerm(term, text))
    .filter(({ field, value }) => field !== '' || value !== '');
}

function splitTerms(text: string): string[] {
  const terms = [''];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === ',') terms.push('');
    else if (character === '\\') terms[terms.length - 1] += `\\${text[(index += 1)] ?? ''}`;
    else terms[terms.length - 1] += character;
  }
  return terms;
}

function parseTerm(term: string, selector: string): FieldTerm {
  const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
  if (!match) throw new SyntaxError(`invalid selector: '${selector}'; can't understand '${term}'`);
  const [, field = '', operator = '', value = ''] = match;
  return { field, value: unescape(value), negated: operator === '!=' };
}

function unescape(value: string): string {
  return value.replaceAll(/\\(.?)|[,=]/gsu, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      throw new SyntaxError(
        `invalid field selector: unescaped character in value: ${found.codePointAt(0) ?? 0}`,
      );
    }
    if (['\\', ',', '='].includes(escaped)) return escaped;
    throw new SyntaxError(`invalid field selector: invalid escape sequence: ${found}`);
  });
}
