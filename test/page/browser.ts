import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
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
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
