/** An IP address without a zone. */
export interface ParsedIp {
  readonly family: 4 | 6;
  /** The address as one number. */
  readonly bits: bigint;
}

const octetPattern = /^(?:0|[1-9]\d{0,2})$/;

const maxLength = 45;

/** Parses an IP address as Go does (netip.ParseAddr); `zone` for a valid one with a zone, undefined when it is invalid. */
export function parseIp(text: string): ParsedIp | 'zone' | undefined {
  const kind = /[.:%]/.exec(text)?.[0];
  if (kind === '.') return text.length > maxLength ? undefined : readIpv4(text);
  if (kind !== ':') return undefined;
  const percent = text.indexOf('%');
  // No address is longer, but the text may be very long.
  if ((percent === -1 ? text.length : percent) > maxLength) return undefined;
  if (percent === -1) return readIpv6(text);
  return percent < text.length - 1 && readIpv6(text.slice(0, percent)) ? 'zone' : undefined;
}

function readIpv4(text: string): ParsedIp | undefined {
  const octets = text.split('.');
  if (octets.length !== 4 || !octets.every((octet) => octetPattern.test(octet) && Number(octet) < 256))
    return undefined;
  return { family: 4, bits: octets.reduce((bits, octet) => (bits << 8n) | BigInt(octet), 0n) };
}

function readIpv6(text: string): ParsedIp | undefined {
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
  return { family: 6, bits: full.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n) };
}
