import { isIPv4, isIPv6 } from 'node:net';
import { isDnsLabel, isSubdomain } from 'ots-apimachinery/names';

const UUID = (version: string) =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i');
const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';

/** The formats that kube-apiserver checks. These rules do not accept more than its own; some accept less, which affects only defaults. */
const FORMATS: ReadonlyMap<string, RegExp | ((value: string) => boolean)> = new Map<
  string,
  RegExp | ((value: string) => boolean)
>([
  ['bsonobjectid', /^[0-9a-f]{24}$/i],
  ['byte', /^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/],
  ['cidr', isCidr],
  ['date', isDate],
  ['date-time', isDateTime],
  ['datetime', isDateTime],
  ['duration', /^(?:\d{1,6}(?:\.\d{1,9})?(?:ns|us|ms|s|m|h))+$/],
  ['email', new RegExp(`^[\\w+-]+(?:\\.[\\w+-]+)*@${LABEL}(?:\\.${LABEL})*$`)],
  ['hexcolor', /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i],
  ['hostname', new RegExp(`^(?=.{1,253}$)(?:[a-z][a-z0-9]{0,62}|(?:${LABEL}\\.)+[a-z]{2,63})$`)],
  ['ipv4', isIPv4],
  ['ipv6', (value) => isIPv6(value) && !value.includes('%')],
  ['k8s-long-name', isSubdomain],
  ['k8s-short-name', isDnsLabel],
  ['mac', /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/i],
  ['uri', (value) => /^[a-z][a-z0-9+.-]*:\/\/[\w.~:/?#@!$&'()*+,;=-]+$/i.test(value) && URL.canParse(value)],
  ['uuid', UUID('[0-9a-f]')],
  ['uuid3', UUID('3')],
  ['uuid4', new RegExp('^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$', 'i')],
  ['uuid5', new RegExp('^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$', 'i')],
]);

/** Whether a text has a format. Of the formats that are not checked here, such as isbn, no text is known to be right. */
export function matchesFormat(format: string | undefined, value: string): boolean {
  if (format === undefined || format === 'password') return true;
  const check = FORMATS.get(format);
  if (!check) return false;
  return typeof check === 'function' ? check(value) : check.test(value);
}

function isCidr(value: string): boolean {
  const [address = '', bits = '', ...rest] = value.split('/');
  if (rest.length > 0 || !/^(?:0|[1-9]\d{0,2})$/.test(bits)) return false;
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128);
}

function isDate(value: string): boolean {
  // A day that the month does not have is moved on by Date.
  return /^\d{4}-\d\d-\d\d$/.test(value) && isSameDay(value);
}

function isDateTime(value: string): boolean {
  const match =
    /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.exec(
      value,
    );
  return match !== null && isSameDay(match[1]!);
}

function isSameDay(value: string): boolean {
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}
