import { isIPv4, isIPv6 } from 'node:net';

const dateTime =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
const goDuration =
  /^[-+]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))*$/;
const wordDuration =
  /^\d+\s*(ns|us|µs|μs|ms|s|m|h|d|w|(nano|micro|milli)?seconds?|minutes?|hours?|days?|weeks?|nanos?|micros?|millis?|sec|mins?|hr|wk)$/;
const hostname =
  /^[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?)*\.?$/;
const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** The formats of strings that a server checks. Others are allowed in a schema and mean nothing. */
const formats = new Map<string, (text: string) => boolean>([
  ['date', (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDate(text)],
  ['date-time', (text) => dateTime.test(text)],
  ['duration', (text) => text === '0' || goDuration.test(text) || wordDuration.test(text)],
  ['byte', isBase64],
  ['email', (text) => /^[^\s@<>()[\],;:"]+@[^\s@<>()[\],;:"]+$/.test(text)],
  ['hostname', (text) => text.length <= 255 && hostname.test(text)],
  ['ipv4', (text) => isIPv4(text)],
  ['ipv6', (text) => isIPv6(text)],
  ['cidr', isCidr],
  ['mac', (text) => /^([0-9a-f]{2}([:-][0-9a-f]{2}){5,7}|[0-9a-f]{4}(\.[0-9a-f]{4}){2,3})$/i.test(text)],
  ['uri', (text) => /^([a-z][a-z0-9+.-]*:\S+|\/\S*)$/i.test(text)],
  ['uuid', (text) => uuid.test(text)],
  ['uuid3', (text) => isUuid(text, '3')],
  ['uuid4', (text) => isUuid(text, '4')],
  ['uuid5', (text) => isUuid(text, '5')],
  ['hexcolor', (text) => /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)],
]);

/** Tells whether a text is of a format. Formats that a server does not know match everything. */
export function matchesFormat(text: string, format: string): boolean {
  return formats.get(format)?.(text) ?? true;
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  const limit = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= limit;
}

function isUuid(text: string, version: string): boolean {
  return uuid.test(text) && text.replaceAll('-', '')[12] === version;
}
