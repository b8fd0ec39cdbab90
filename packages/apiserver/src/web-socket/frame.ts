/** The frame opcodes that the server handles (RFC 6455, section 5.2). */
export const opcodes = {
  continuation: 0x0,
  text: 0x1,
  binary: 0x2,
  close: 0x8,
  ping: 0x9,
  pong: 0xa,
} as const;

/** An unmasked frame that is a whole message, in parts. */
export function frameOf(opcode: number, payload: Buffer): [header: Buffer, payload: Buffer] {
  return [headerOf(opcode, payload.length), payload];
}

function headerOf(opcode: number, length: number): Buffer {
  const first = 0x80 | opcode;
  if (length < 126) return Buffer.from([first, length]);
  if (length < 0x10000) return Buffer.from([first, 126, length >> 8, length & 0xff]);
  const header = Buffer.alloc(10);
  header.writeUInt8(first, 0);
  header.writeUInt8(127, 1);
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}
