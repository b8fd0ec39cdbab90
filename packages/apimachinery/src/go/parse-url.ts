import { parseIp } from '../ip.ts';
import { escapeUrl, unescapeUrl } from './url-escapes.ts';

/** The parts of a URL; `text` is its canonical form. */
export interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly escapedPath: string;
  readonly query: string;
  readonly text: string;
}

const userPattern = /^[-A-Za-z0-9._:~!$&'()*+,;=%@]*$/;

/**
 * Reads a URL as the API server does: it has a scheme or is a path that starts with a slash.
 * @returns undefined when the text is not a URL
 */
export function parseUrl(text: string): UrlParts | undefined {
  // The whole text may be valid although its fragment is not, and the other way around.
  if (!readUrl(text, true)) return undefined;
  const hash = text.indexOf('#');
  const fragment = hash === -1 ? '' : text.slice(hash + 1);
  const url = readUrl(hash === -1 ? text : text.slice(0, hash), false);
  if (!url || fragment === '') return url;
  const plain = unescapeUrl(fragment, 'fragment');
  if (plain === undefined) return undefined;
  return { ...url, text: `${url.text}#${canonical(fragment, plain, 'fragment')}` };
}

/** Whether a text is a URL or a path that starts with a slash. */
export function isUrl(text: string): boolean {
  return readUrl(text, true) !== undefined;
}

/**
 * Reads a URL without its fragment.
 * @param request whether it must be absolute
 */
function readUrl(text: string, request: boolean): UrlParts | undefined {
  // eslint-disable-next-line no-control-regex -- these are what is not allowed
  if (/[\0-\u{1f}\u{7f}]/u.test(text) || (text === '' && request)) return undefined;
  if (text === '*') return { scheme: '', host: '', escapedPath: '*', query: '', text };
  if (text.startsWith(':')) return undefined;
  const scheme = /^[A-Za-z][-+.0-9A-Za-z]*(?=:)/.exec(text)?.[0] ?? '';
  let rest = scheme === '' ? text : text.slice(scheme.length + 1);
  const mark = rest.indexOf('?');
  const query = mark === -1 ? '' : rest.slice(mark + 1);
  const tail = mark === -1 ? '' : rest.slice(mark);
  if (mark !== -1) rest = rest.slice(0, mark);
  const prefix = scheme === '' ? '' : `${scheme.toLowerCase()}:`;
  if (!rest.startsWith('/')) {
    if (scheme !== '')
      return { scheme: scheme.toLowerCase(), host: '', escapedPath: '', query, text: prefix + rest + tail };
    if (request || rest.split('/')[0]!.includes(':')) return undefined;
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || (!request && !rest.startsWith('///')));
  const slash = hasAuthority ? rest.indexOf('/', 2) : 0;
  const authority = hasAuthority ? rest.slice(2, slash === -1 ? undefined : slash) : undefined;
  const rawPath = slash === -1 ? '' : rest.slice(slash);
  const host = authority === undefined ? '' : readAuthority(scheme.toLowerCase(), authority);
  const path = unescapeUrl(rawPath, 'path');
  if (host === undefined || path === undefined) return undefined;
  const escapedPath = canonical(rawPath, path, 'path');
  const user = authority?.includes('@') ? authority.slice(0, authority.lastIndexOf('@') + 1) : '';
  const shownAuthority = authority === undefined ? '' : `//${user}${host}`;
  return {
    scheme: scheme.toLowerCase(),
    host,
    escapedPath,
    query,
    text: prefix + shownAuthority + escapedPath + tail,
  };
}

/** Returns the original text if that is a valid encoding. */
function canonical(raw: string, plain: string, part: 'path' | 'fragment'): string {
  return /^[-A-Za-z0-9._~!$&'()*+,;=:@[\]%/?]*$/.test(raw) && (part === 'fragment' || !raw.includes('?'))
    ? raw
    : escapeUrl(plain, part);
}

/** The host with its port; undefined when user or host are not valid. */
function readAuthority(scheme: string, authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  if (!userPattern.test(user) || unescapeUrl(user, 'user') === undefined) return undefined;
  return readHost(scheme, authority.slice(at + 1));
}

function readHost(scheme: string, host: string): string | undefined {
  if (host.lastIndexOf('[') > 0) return undefined;
  if (host.startsWith('[')) return readIpLiteral(host);
  const first = host.indexOf(':');
  const strict = scheme === 'http' || scheme === 'https';
  const colon = strict ? first : host.lastIndexOf(':');
  if (colon !== -1 && !isPort(host.slice(colon))) return undefined;
  return unescapeUrl(host, 'host');
}

function readIpLiteral(host: string): string | undefined {
  const end = host.lastIndexOf(']');
  if (end === -1 || !isPort(host.slice(end + 1))) return undefined;
  const name = host.slice(1, end);
  const zone = name.indexOf('%25');
  const address = unescapeUrl(zone === -1 ? name : name.slice(0, zone), 'host');
  const suffix = zone === -1 ? '' : unescapeUrl(name.slice(zone), 'zone');
  if (address === undefined || suffix === undefined) return undefined;
  const ip = parseIp(address + suffix);
  return ip === undefined || (ip !== 'zone' && ip.family === 4)
    ? undefined
    : `[${address}${suffix}]${host.slice(end + 1)}`;
}

function isPort(text: string): boolean {
  return /^(?::\d*)?$/.test(text);
}
