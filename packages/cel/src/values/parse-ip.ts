import { CelEvaluationError } from './evaluation-error.ts';
import { goQuote } from './go-quote.ts';
import { Ip } from './ip.ts';

const octetPattern = /^(?:0|[1-9]\d{0,2})$/;

const maxLength = 45;

/** The prefix of an IPv4-mapped IPv6 address. */
const mappedPrefix = 0xffffn << 32n;

/**
 * Parses an address. Zones and IPv4-mapped IPv6 addresses are not allowed.
 *
 * @returns an error when it is invalid
 */
export function parseIp(text: string): Ip | CelEvaluationError {
  const ip = readIp(text);
  if (ip === 'zone')
    return new CelEvaluationError(`IP address ${goQuote(text)} with zone value is not allowed`);
  if (!ip) {
    return new CelEvaluationError(
      `IP Address ${goQuote(text)} parse error during conversion from string: ParseAddr(${goQuote(text)}): unable to parse IP`,
    );
  }
  return isMapped(ip)
    ? new CelEvaluationError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`)
    : ip;
}

/** Whether it is an IPv4-mapped IPv6 address, like `::ffff:1.2.3.4`. */
export function isMapped({ family, bits }: Ip): boolean {
  return family === 6 && bits >> 32n === mappedPrefix >> 32n;
}

/** Parses an address; `zone` for one with a zone, undefined when it is invalid. */
export function readIp(text: string): Ip | 'zone' | undefined {
  const kind = /[.:%]/.exec(text)?.[0];
  if (kind === '.') return text.length > maxLength ? undefined : readIpv4(text);
  if (kind !== ':') return undefined;
  const percent = text.indexOf('%');
  // No address is longer, but the text may be very long.
  if ((percent === -1 ? text.length : percent) > maxLength) return undefined;
  if (percent === -1) return readIpv6(text);
  return percent < text.length - 1 && readIpv6(text.slice(0, percent)) ? 'zone' : undefined;
}

function readIpv4(text: string): Ip | undefined {
  const octets = text.split('.');
  if (octets.length !== 4 || !octets.every((octet) => octetPattern.test(octet) && Number(octet) < 256))
    return undefined;
  return new Ip(
    4,
    octets.reduce((bits, octet) => (bits << 8n) | BigInt(octet), 0n),
  );
}

function readIpv6(text: string): Ip | undefined {
  const tail = /(?<=:)[^:]*\..*$/s.exec(text)?.[0];
  const embedded = tail === undefined ? undefined : readIpv4(tail);
  if (tail !== undefined && !embedded) return undefined;
  const whole = embedded
    ? text.slice(0, -tail!.length) +
      [embedded.bits >> 16n, embedded.bits & 0xffffn].map((n) => n.toString(16)).join(':')
    : text;
  const halves = whole.split('::');
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const all = groups.flat();
  const missing = 8 - all.length;
  if (halves.length > 2 || !all.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return undefined;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const full = [...groups[0]!, ...Array.from({ length: missing }, () => '0'), ...(groups[1] ?? [])];
  return new Ip(
    6,
    full.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n),
  );
}
