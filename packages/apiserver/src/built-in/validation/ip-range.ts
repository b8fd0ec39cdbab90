import { type IpAddress, formatIp, parseIp } from './ip-address.ts';

/** A range of addresses, as it was read from `address/length`. */
export interface IpRange {
  readonly address: IpAddress;
  readonly length: number;
}

/** Reads a range; undefined for a text that is none. */
export function parseIpRange(text: string): IpRange | undefined {
  const [, before = '', digits = ''] = /^([^/]*)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseIp(before);
  const length = Number(digits);
  const longest = before.includes(':') ? 128 : 32;
  return address && digits !== '' && length <= longest ? { address, length } : undefined;
}

/** Whether one range is a part of another, and smaller. */
export function isWithin(part: IpRange, whole: IpRange): boolean {
  return (
    part.address.family === whole.address.family &&
    part.length > whole.length &&
    firstOf(part.address, whole.length) === firstOf(whole.address, whole.length)
  );
}

/** Writes a range in its one canonical form: the first address, and the length. */
export function formatIpRange({ address, length }: IpRange): string {
  return `${firstOf(address, length)}/${length}`;
}

/** The first address of the range of a length that an address lies in. */
function firstOf(address: IpAddress, length: number): string {
  const bytes = address.bytes.map((byte, index) => {
    const kept = Math.min(Math.max(length - index * 8, 0), 8);
    return byte & (0xff00 >> kept);
  });
  return formatIp({ ...address, bytes });
}
