import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** The pixels of a picture: red, green and blue, row by row. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const maxColors = 128;

/**
 * A smaller picture that looks the same: at most 128 colors as a palette, the others as the nearest of them. Text and lines have
 * few colors, so a picture of a page becomes a fifth.
 *
 * @param png with 8 bits of red, green and blue (and maybe alpha) per pixel, as browsers make it
 * @see https://www.w3.org/TR/png-3/
 */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const color = colorAt(pixels, at);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const palette = paletteOf([...counts].toSorted(([a, ofA], [b, ofB]) => ofB - ofA || a - b));
  const indexOf = new Map([...counts.keys()].map((color) => [color, nearest(palette, color)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows[y * (width + 1) + 1 + x] = indexOf.get(colorAt(pixels, (y * width + x) * 3))!;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits per pixel, a palette.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The most frequent colors of all, none of which is close to another: as close as there is room. */
function paletteOf(counts: readonly (readonly [color: number, count: number])[]): number[] {
  for (let closest = 0; ; closest = closest * 2 + 1) {
    const palette: number[] = [];
    for (const [color] of counts) {
      if (palette.every((other) => distance(color, other) > closest)) palette.push(color);
    }
    if (palette.length <= maxColors) return palette;
  }
}

/** The square of how far two colors are apart. */
function distance(color: number, other: number): number {
  return [16, 8, 0].reduce(
    (sum, shift) => sum + (((color >> shift) & 255) - ((other >> shift) & 255)) ** 2,
    0,
  );
}

function colorAt(pixels: Uint8Array, at: number): number {
  return (pixels[at]! << 16) | (pixels[at + 1]! << 8) | pixels[at + 2]!;
}

function nearest(palette: readonly number[], color: number): number {
  let [best, least] = [0, Infinity];
  for (const [index, other] of palette.entries()) {
    const far = distance(color, other);
    if (far < least) [best, least] = [index, far];
  }
  return best;
}

function decode(png: Buffer): Picture {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const [depth, colorType] = [png[24], png[25]];
  if (depth !== 8 || (colorType !== 2 && colorType !== 6)) {
    throw new Error(`A picture with ${depth} bits and color type ${colorType} is not supported`);
  }
  const data: Buffer[] = [];
  for (let at = signature.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length));
  }
  const size = colorType === 2 ? 3 : 4;
  const rows = unfilter(inflateSync(Buffer.concat(data)), width * size, height, size);
  const pixels = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    pixels.set(rows.subarray(pixel * size, pixel * size + 3), pixel * 3);
  }
  return { width, height, pixels };
}

/** Each row starts with the number of the filter that made it smaller. */
function unfilter(filtered: Buffer, rowBytes: number, height: number, size: number): Uint8Array {
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const filter = filtered[y * (rowBytes + 1)]!;
    for (let x = 0; x < rowBytes; x++) {
      const at = y * rowBytes + x;
      const left = x < size ? 0 : rows[at - size]!;
      const up = y === 0 ? 0 : rows[at - rowBytes]!;
      const upLeft = x < size || y === 0 ? 0 : rows[at - rowBytes - size]!;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][filter]!;
      rows[at] = filtered[y * (rowBytes + 1) + 1 + x]! + guess;
    }
  }
  return rows;
}

/** Whichever of the neighbors is closest to their plane. */
function paeth(left: number, up: number, upLeft: number): number {
  const plane = left + up - upLeft;
  const [a, b, c] = [Math.abs(plane - left), Math.abs(plane - up), Math.abs(plane - upLeft)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : upLeft;
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  framed.writeUInt32BE(data.length, 0);
  framed.writeUInt32BE(crc32(framed.subarray(4, -4)), framed.length - 4);
  return framed;
}
