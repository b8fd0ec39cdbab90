import { crc32 } from 'node:zlib';

const newline = 0x0a;
const checksumLength = 8;
/** The header of the longest line has fewer bytes. */
const maxHeaderBytes = 24;
const header = /^([\da-f]{8}) (\d{1,10}) /;
const beginningOfHeader = /^(?:[\da-f]{0,8}|[\da-f]{8} \d{0,10})$/;

/**
 * Encodes a text without line breaks as a line: its checksum (CRC-32, 8 hexadecimal digits), its length in bytes, the text.
 * Any flipped bit shows.
 */
export function encodeLine(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const rest = ` ${length} `;
  const start = checksumLength + rest.length;
  // One allocation and no copy: every write waits for this.
  const line = Buffer.allocUnsafe(start + length + 1);
  line.write(text, start);
  const checksum = crc32(line.subarray(start, start + length)).toString(16);
  line.write(`${checksum.padStart(checksumLength, '0')}${rest}`, 0, 'latin1');
  line[start + length] = newline;
  return line;
}

/**
 * Reads the line at a position before the end.
 *
 * @returns the text and the position after the line; `torn` if the bytes end within a line whose writing did not end; `damaged` if
 *   no line was ever written like that
 */
export function readLine(bytes: Buffer, at: number): { text: string; next: number } | 'torn' | 'damaged' {
  const found = bytes.indexOf(newline, at);
  const end = found < 0 ? bytes.length : found;
  const head = bytes.toString('latin1', at, Math.min(end, at + maxHeaderBytes));
  const [{ length: headLength }, checksum = '', length = ''] = header.exec(head) ?? [''];
  const content = bytes.subarray(at + headLength, end);
  if (found < 0) {
    const isBeginning = headLength > 0 ? content.length <= Number(length) : beginningOfHeader.test(head);
    return isBeginning ? 'torn' : 'damaged';
  }
  const isIntact =
    headLength > 0 && content.length === Number(length) && crc32(content) === Number.parseInt(checksum, 16);
  return isIntact ? { text: content.toString('utf8'), next: end + 1 } : 'damaged';
}
