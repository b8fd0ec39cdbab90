/** One term of a field selector. */
export interface FieldTerm {
  field: string;
  value: string;
  negated: boolean;
}

/**
 * Parses `metadata.name=a,status.phase!=b`. A backslash escapes a comma, an equals sign or itself.
 *
 * @throws {SyntaxError} in the words of a kube-apiserver
 */
export function parseFieldSelector(text: string): FieldTerm[] {
  return splitTerms(text)
    .filter((term) => term !== '')
    .map((term) => parseTerm(term, text));
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
  const match = /^((?:[^\\=!]|\\.)*)(!=|==|=)(.*)$/s.exec(term);
  if (!match) throw new SyntaxError(`invalid selector: '${selector}'; can't understand '${term}'`);
  const [, field = '', operator = '', value = ''] = match;
  return { field, value: value.replaceAll(/\\(.)/gs, '$1'), negated: operator === '!=' };
}
