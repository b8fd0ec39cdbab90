import type { IncomingHttpHeaders } from 'node:http';

/** Headers of node:http as those of fetch: a field for each value. */
export function headerFields(headers: IncomingHttpHeaders): [name: string, value: string][] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  );
}
