import { resolve } from 'node:path';
import { OtsError } from '../../errors/ots-error.ts';
import { quoted } from '../../project/names/quoted.ts';
import type { FileSystem } from '../../scaffold/file-system.ts';

/** Bundles have at most 1 MiB, and catalogs repeat the icon for every version. */
const maxIconBytes = 256 * 1024;

/** An icon as a ClusterServiceVersion has it. */
interface Icon {
  readonly base64data: string;
  readonly mediatype: string;
}

/**
 * Reads an icon from a file. Its content decides what it is, not its name.
 *
 * @param path relative to `cwd`
 * @throws OtsError `NO_ICON`, `LARGE_ICON`, `INVALID_ICON`
 */
export function readIcon(path: string, cwd: string, fs: FileSystem): Icon {
  const file = resolve(cwd, path);
  const kind = fs.kind(file) && fs.kind(fs.realPath(file));
  if (kind !== 'file') {
    throw new OtsError('NO_ICON', `${quoted(path)} of --icon is not a file`, {
      hint: 'Name a GIF, JPEG, PNG or SVG file, relative to the current directory.',
    });
  }
  const content = fs.read(file) ?? Buffer.alloc(0);
  if (content.length > maxIconBytes) {
    throw new OtsError('LARGE_ICON', `The icon ${quoted(path)} is larger than ${maxIconBytes / 1024} KiB`, {
      hint: 'Make it smaller: catalogs contain the icon for every version.',
    });
  }
  const mediatype = mediaTypeOf(content);
  if (mediatype !== undefined) return { base64data: content.toString('base64'), mediatype };
  throw new OtsError('INVALID_ICON', `The icon ${quoted(path)} is not a GIF, JPEG, PNG or SVG image`, {
    hint: 'Convert it to one of them.',
  });
}

function mediaTypeOf(content: Buffer): string | undefined {
  const start = content.toString('latin1', 0, 8);
  if (start === '\u{89}PNG\r\n\u{1a}\n') return 'image/png';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  if (start.startsWith('\u{ff}\u{d8}\u{ff}')) return 'image/jpeg';
  const text = content.toString('utf8').replaceAll(/<!--[^]*?-->|<\?[^]*?\?>|<!DOCTYPE[^>[]*>/gi, '');
  return /^\s*<svg[\s>]/.test(text.replace(/^\u{feff}/u, '')) ? 'image/svg+xml' : undefined;
}
