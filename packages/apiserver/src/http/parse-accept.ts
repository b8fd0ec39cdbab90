/** One alternative of an `Accept` header. */
export interface AcceptClause {
  type: string;
  parameters: ReadonlyMap<string, string>;
}

/** Parses an `Accept` header into alternatives by descending preference; among equals, wildcards come last. */
export function parseAccept(header: string): AcceptClause[] {
  return header
    .split(',')
    .map(parseClause)
    .filter(({ type }) => type !== '')
    .toSorted((a, b) => b.quality - a.quality || wildcards(a.type) - wildcards(b.type));
}

function parseClause(clause: string): AcceptClause & { quality: number } {
  const [type = '', ...rest] = clause.split(';').map((part) => part.trim());
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const [name = '', ...value] = parameter.split('=');
    parameters.set(name.trim().toLowerCase(), unquote(value.join('=').trim()));
  }
  const quality = Number(parameters.get('q') ?? 1);
  return { type: type.toLowerCase(), parameters, quality: Number.isNaN(quality) ? 1 : quality };
}

function unquote(text: string): string {
  return /^".*"$/.test(text) ? text.slice(1, -1) : text;
}

function wildcards(type: string): number {
  return type.split('*').length - 1;
}
