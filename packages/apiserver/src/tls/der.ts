/** Encodes the ASN.1 values of a certificate in DER (X.690). */

function value(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

export function sequence(...items: Buffer[]): Buffer {
  return value(0x30, ...items);
}

export function set(...items: Buffer[]): Buffer {
  return value(0x31, ...items);
}

/** @param bytes a non-negative number, most significant byte first */
export function integer(bytes: Buffer): Buffer {
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return value(0x02, isNegative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

export function boolean(flag: boolean): Buffer {
  return value(0x01, Buffer.from([flag ? 0xff : 0]));
}

export function bitString(bytes: Buffer, unusedBits = 0): Buffer {
  return value(0x03, Buffer.from([unusedBits]), bytes);
}

export function octetString(bytes: Buffer): Buffer {
  return value(0x04, bytes);
}

export function utf8String(text: string): Buffer {
  return value(0x0c, Buffer.from(text));
}

/** @param time before 2050 */
export function utcTime(time: Date): Buffer {
  const digits = time.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return value(0x17, Buffer.from(digits.slice(2)));
}

/** A value with a context-specific tag, around another value or instead of its own tag. */
export function tagged(number: number, content: Buffer, isConstructed: boolean): Buffer {
  return value(0x80 | (isConstructed ? 0x20 : 0) | number, content);
}

/** @param dotted such as `2.5.29.17` */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return value(0x06, ...[first * 40 + second, ...rest].map(base128));
}

function base128(number: number): Buffer {
  const bytes = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return Buffer.from(bytes);
}
