/** How many logged texts to remember. */
const memory = 500;

/**
 * Parses the texts in `Warning` headers of the API server (RFC 7234, 5.5): `299 - "text"`, one or more per header, with
 * quotes escaped by backslashes. Ignores other codes, which come from caches along the way.
 */
export function parseWarnings(header: string | readonly string[] | undefined): string[] {
  if (header === undefined) return [];
  const text = typeof header === 'string' ? header : header.join(', ');
  return [...text.matchAll(/(?:^|,)\s*(\d{3}) \S+ "((?:[^"\\]|\\.)*)"/g)]
    .filter(([, code]) => code === '299')
    .map(([, , quoted]) => quoted!.replaceAll(/\\(.)/g, '$1'));
}

/**
 * Forwards each distinct warning once. It remembers only the last 500 texts: some name an object, so their number has
 * no limit.
 */
export function distinctWarnings(warn: (text: string) => void): (text: string) => void {
  const forwarded = new Set<string>();
  return (text) => {
    const known = forwarded.delete(text);
    forwarded.add(text);
    if (known) return;
    if (forwarded.size > memory) forwarded.delete(forwarded.values().next().value!);
    warn(text);
  };
}
