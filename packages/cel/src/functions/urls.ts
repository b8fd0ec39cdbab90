import { goQuote } from 'ots-apimachinery/go/go-quote';
import { isUrl, parseUrl } from 'ots-apimachinery/go/parse-url';
import { unescapeUrl } from 'ots-apimachinery/go/url-escapes';
import { CelEvaluationError } from '../values/evaluation-error.ts';
import { ArrayList } from '../values/list.ts';
import { EntriesMap } from '../values/map.ts';
import { Url } from '../values/url.ts';
import { readsFirst } from './costs.ts';
import { overload } from './overload.ts';
import type { FunctionTable } from './overload.ts';

/** The functions on URLs. */
export const urls: FunctionTable = {
  url: [overload(['string'], toUrl, readsFirst)],
  isURL: [overload(['string'], isUrl)],
  getScheme: [overload(['url'], ({ scheme }) => scheme)],
  getHost: [overload(['url'], ({ host }) => host)],
  getHostname: [overload(['url'], ({ hostname }) => hostname)],
  getPort: [overload(['url'], ({ port }) => port)],
  getEscapedPath: [overload(['url'], ({ escapedPath }) => escapedPath)],
  getQuery: [overload(['url'], getQuery)],
};

function toUrl(text: string): Url | CelEvaluationError {
  const parts = parseUrl(text);
  if (parts) return new Url(parts);
  return new CelEvaluationError(
    `URL parse error during conversion from string: parse ${goQuote(text)}: invalid URI for request`,
  );
}

/** The parameters of a query; skips invalid ones. */
function getQuery({ query }: Url): EntriesMap {
  const parameters = new Map<string, string[]>();
  for (const part of query.split('&')) {
    const equals = part.indexOf('=');
    const name = unescapeUrl(equals === -1 ? part : part.slice(0, equals), 'query');
    const value = unescapeUrl(equals === -1 ? '' : part.slice(equals + 1), 'query');
    if (part === '' || part.includes(';') || name === undefined || value === undefined) continue;
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return new EntriesMap([...parameters].map(([name, values]) => [name, new ArrayList(values)]));
}
