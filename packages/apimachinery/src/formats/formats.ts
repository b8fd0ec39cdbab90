import { parseLenientDuration } from '../duration.ts';
import { parseIp } from '../ip.ts';
import { isDnsLabel, isSubdomain } from '../names.ts';
import { parseUrl } from '../go/parse-url.ts';
import { isDateTime, isFullDate } from './time-formats.ts';
import { isCreditCard, isIsbn10, isIsbn13 } from './number-formats.ts';

const host = String.raw`[a-zA-Z0-9\p{S}\p{L}]`;
const hostInside = String.raw`[a-zA-Z0-9\-\p{S}\p{L}]`;
const hostname = new RegExp(
  String.raw`^(?:${host}(?:-?${host}{0,62})?|(?:${host}(?:${hostInside}{0,61}${host})?\.)+[a-zA-Z\p{L}]{2,63})$`,
  'u',
);
const mac =
  /^(?:[\da-f]{2}([:-])[\da-f]{2}(?:\1[\da-f]{2}){4}(?:(?:\1[\da-f]{2}){2}(?:(?:\1[\da-f]{2}){12})?)?|[\da-f]{4}(?:\.[\da-f]{4}){2}(?:\.[\da-f]{4}(?:(?:\.[\da-f]{4}){6})?)?|[\da-f]{12}(?:[\da-f]{4}(?:[\da-f]{24})?)?)$/i;
const channel = String.raw`\s*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`;
const rgbColor = new RegExp(String.raw`^rgb\(${channel},${channel},${channel}\)$`);
const uuid = /^[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}$/i;
const base64 = /^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=|[\w+/]{4})$/;
const localPart = String.raw`(?:[^\s<>()[\],;:"@\\.]+(?:\.[^\s<>()[\],;:"@\\.]+)*|"(?:[^"\\]|\\.)*")`;
const domain = String.raw`(?:[^\s<>()[\],;:"@\\.]+(?:\.[^\s<>()[\],;:"@\\.]+)*|\[[^\][\\]*\])`;
const email = new RegExp(
  String.raw`^(?:${localPart}@${domain}|(?:[^<>()[\],;:"@\\]*|"(?:[^"\\]|\\.)*"\s*)<${localPart}@${domain}>)$`,
);

/** The formats of strings that a server checks. */
const checks: readonly (readonly [name: string, check: (text: string) => boolean])[] = [
  ['bsonobjectid', (text) => /^[\da-f]{24}$/i.test(text)],
  ['byte', (text) => base64.test(text) && !text.includes('_')],
  ['cidr', isCidr],
  ['creditcard', isCreditCard],
  ['date', isFullDate],
  ['date-time', isDateTime],
  ['duration', (text) => parseLenientDuration(text) !== undefined],
  ['email', (text) => email.test(text.trim())],
  ['hexcolor', (text) => /^#?([\da-f]{3}|[\da-f]{6})$/i.test(text)],
  ['hostname', isHostname],
  ['ipv4', (text) => isAddress(text) && text.includes('.')],
  ['ipv6', (text) => isAddress(text) && text.includes(':')],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['k8s-long-name', isSubdomain],
  ['k8s-short-name', isDnsLabel],
  ['mac', (text) => mac.test(text)],
  ['password', () => true],
  ['rgbcolor', (text) => rgbColor.test(text)],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['uri', (text) => parseUrl(text) !== undefined],
  ['uuid', (text) => uuid.test(text)],
  ['uuid3', (text) => isUuid(text, /^3/)],
  ['uuid4', (text) => isUuid(text, /^4...[89ab]/i)],
  ['uuid5', (text) => isUuid(text, /^5...[89ab]/i)],
];

/** Hyphens in the names of formats do not count. */
const formats = new Map(checks.map(([name, check]) => [name.replaceAll('-', ''), check]));

/** The formats of each type of schema that a server checks; it ignores all others. */
export const formatsOfType: ReadonlyMap<string, readonly string[]> = new Map([
  ['string', checks.map(([name]) => name)],
  ['integer', ['int32', 'int64']],
  ['number', ['float', 'double']],
]);

/** What decides which format a schema has. */
export interface FormattedSchema {
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly 'x-kubernetes-int-or-string'?: boolean | undefined;
}

/** The format of a schema if a server validates it: each type has its own formats, and others are ignored. */
export function knownFormat(schema: FormattedSchema): string | undefined {
  const { format } = schema;
  if (!format) return undefined;
  const type = schema['x-kubernetes-int-or-string'] === true ? '' : (schema.type ?? '');
  return isKnownFormat(format, type) ? format : undefined;
}

/** Whether a format exists for a type. No type counts as string. */
export function isKnownFormat(format: string, type: string): boolean {
  if (type === '' || type === 'string') return formats.has(format.replaceAll('-', ''));
  return formatsOfType.get(type)?.includes(format) ?? false;
}

/** Whether a text has a format. Formats that a server does not know match everything. */
export function matchesFormat(text: string, format: string): boolean {
  return formats.get(format.replaceAll('-', ''))?.(text) ?? true;
}

function isHostname(text: string): boolean {
  return (
    Buffer.byteLength(text) <= 255 &&
    hostname.test(text) &&
    text.split('.').every((label) => Buffer.byteLength(label) <= 63)
  );
}

/** Ignores leading zeros in the numbers of an IPv4 address. */
function isAddress(text: string): boolean {
  return isSloppyIPv4(text) || isIPv6(withoutZeros(text));
}

function isIPv6(text: string): boolean {
  const ip = parseIp(text);
  return typeof ip === 'object' && ip.family === 6;
}

function withoutZeros(text: string): string {
  const start = text.lastIndexOf(':') + 1;
  const tail = text.slice(start);
  if (start === 0 || !isSloppyIPv4(tail)) return text;
  return text.slice(0, start) + tail.split('.').map(Number).join('.');
}

function isSloppyIPv4(text: string): boolean {
  const numbers = text.split('.');
  return numbers.length === 4 && numbers.every((number) => /^\d+$/.test(number) && Number(number) <= 255);
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  const limit = isSloppyIPv4(address) ? 32 : isAddress(address) ? 128 : -1;
  return rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= limit;
}

/** @param rest a pattern for the digits from the third group on */
function isUuid(text: string, rest: RegExp): boolean {
  return uuid.test(text) && rest.test(text.replaceAll('-', '').slice(12));
}
