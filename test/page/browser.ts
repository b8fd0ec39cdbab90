import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** Where Chromium is installed: `CHROMIUM`, or one in PATH. If it is not, a line is printed. */
export function findChromium(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env;
  const candidates = PATH.split(delimiter).flatMap((directory) => names.map((name) => join(directory, name)));
  const found = CHROMIUM ?? candidates.find((file) => existsSync(file));
  if (found === undefined)
    console.log('Skipped: Chromium is not installed. On Debian: apt-get install chromium');
  return found;
}

export function launchChromium(executablePath: string): Promise<Browser> {
  // The sandbox of Chromium does not work for root. The page that it shows is our own.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // Equal letters have equal pixels, so pictures are smaller.
  const text = ['--disable-lcd-text', '--disable-font-subpixel-positioning', '--font-render-hinting=full'];
  return chromium.launch({ executablePath, args: [...sandbox, ...text] });
}

/** So the browser shows the sources as they are. */
export async function buildPage(): Promise<void> {
  await execa('node', [fileURLToPath(new URL('../../scripts/bundle-page.mjs', import.meta.url))]);
}
