import { isIPv4, isIPv6 } from 'node:net';

/** A parsed IP address. */
export interface IpAddress {
  /** An IPv4-mapped IPv6 address counts as IPv4. */
  readonly family: 'IPv4' | 'IPv6';
  /** 4 or 16 bytes. */
  readonly bytes: readonly number[];
  readonly isMapped: boolean;
  /** Whether numbers in the text begin with a zero, which some programs read as octal. */
  readonly hasLeadingZeros: boolean;
}

/** Parses an address as older Go versions did: numbers may begin with zeros. */
export function parseIp(text: string): IpAddress | undefined {
  const plain = withoutLeadingZeros(text);
  const hasLeadingZeros = plain !== text;
  if (isIPv4(plain)) {
    return { family: 'IPv4', bytes: plain.split('.').map(Number), isMapped: false, hasLeadingZeros };
  }
  if (!isIPv6(plain) || plain.includes('%')) return undefined;
  const bytes = bytesOf(plain);
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isMapped
    ? { family: 'IPv4', bytes: bytes.slice(12), isMapped, hasLeadingZeros }
    : { family: 'IPv6', bytes, isMapped, hasLeadingZeros };
}

/** Formats an address canonically (RFC 5952). */
export function formatIp({ family, bytes }: IpAddress): string {
  if (family === 'IPv4') return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((bytes[index * 2] ?? 0) * 256 + (bytes[index * 2 + 1] ?? 0)).toString(16),
  );
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

function withoutLeadingZeros(text: string): string {
  return text.replace(/(?<!\d)\d+(\.\d+){3}$/, (quad) => quad.replaceAll(/\b0+(?=\d)/g, ''));
}

function bytesOf(text: string): number[] {
  const [head = '', tail] = text.split('::');
  const front = groupsOf(head);
  if (tail === undefined) return front;
  const back = groupsOf(tail);
  return [...front, ...Array.from({ length: 16 - front.length - back.length }, () => 0), ...back];
}

function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}
