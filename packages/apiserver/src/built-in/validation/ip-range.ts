import { type IpAddress, formatIp, parseIp } from './ip-address.ts';

/** A range of addresses, parsed from `address/length`. */
export interface IpRange {
  readonly address: IpAddress;
  readonly length: number;
}

/** Parses a range; undefined for an invalid text. */
export function parseIpRange(text: string): IpRange | undefined {
  const [, before = '', digits = ''] = /^([^/]*)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseIp(before);
  const length = Number(digits);
  const maxPrefixLength = before.includes(':') ? 128 : 32;
  return address && digits !== '' && length <= maxPrefixLength ? { address, length } : undefined;
}

/** Whether one range is a proper part of another. */
export function isWithin(part: IpRange, whole: IpRange): boolean {
  return (
    part.address.family === whole.address.family &&
    part.length > whole.length &&
    firstOf(part.address, whole.length) === firstOf(whole.address, whole.length)
  );
}

/** Formats a range canonically: the first address, and the prefix length. */
export function formatIpRange({ address, length }: IpRange): string {
  return `${firstOf(address, length)}/${length}`;
}

/** The first address of the range of the given length that contains an address. */
function firstOf(address: IpAddress, length: number): string {
  const bytes = address.bytes.map((byte, index) => {
    const kept = Math.min(Math.max(length - index * 8, 0), 8);
    return byte & (0xff00 >> kept);
  });
  return formatIp({ ...address, bytes });
}
