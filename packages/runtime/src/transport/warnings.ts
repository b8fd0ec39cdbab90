/** How many logged texts are remembered. */
const memory = 500;

/**
 * The texts in `Warning` headers of the API server (RFC 7234, 5.5): `299 - "text"`, several in one header or in
 * several headers, with backslashes before quotes. Other codes are warnings of caches on the way, and left out.
 */
export function parseWarnings(header: string | readonly string[] | undefined): string[] {
  if (header === undefined) return [];
  const text = typeof header === 'string' ? header : header.join(', ');
  return [...text.matchAll(/(?:^|,)\s*(\d{3}) \S+ "((?:[^"\\]|\\.)*)"/g)]
    .filter(([, code]) => code === '299')
    .map(([, , quoted]) => quoted!.replaceAll(/\\(.)/g, '$1'));
}

/**
 * Passes every distinct warning on once. It remembers the last 500 texts: some name an object, and so never end.
 */
export function distinctWarnings(tell: (text: string) => void): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    const known = told.delete(text);
    told.add(text);
    if (known) return;
    if (told.size > memory) told.delete(told.values().next().value!);
    tell(text);
  };
}
