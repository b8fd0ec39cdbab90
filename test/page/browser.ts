import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { type Browser, chromium } from 'playwright-core';

/** Where Chromium is installed: `CHROMIUM`, or one in PATH. If it is not, a line is printed. */
export function findChromium(): string | undefined {
  const found = process.env.CHROMIUM ?? findProgram('chromium', 'chromium-browser', 'google-chrome');
  if (found === undefined)
    console.log('Skipped: Chromium is not installed. On Debian: apt-get install chromium');
  return found;
}

/** The same for Firefox: `FIREFOX`, or one in PATH. */
export function findFirefox(): string | undefined {
  const found = process.env.FIREFOX ?? findProgram('firefox-esr', 'firefox');
  if (found === undefined)
    console.log('Skipped: Firefox is not installed. On Debian: apt-get install firefox-esr');
  return found;
}

function findProgram(...names: readonly string[]): string | undefined {
  const { PATH = '' } = process.env;
  const candidates = PATH.split(delimiter).flatMap((directory) => names.map((name) => join(directory, name)));
  return candidates.find((file) => existsSync(file));
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
