import { mkdtempSync, realpathSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeSync } from 'fs-extra/esm';
import { onTestFinished } from 'vitest';

/** Where Linux keeps files in memory. */
const memoryPath = '/dev/shm';
/** Bytes that must be free there: some projects with their packages. */
const minFreeBytes = 64 * 2 ** 20;

/** A fresh directory that is gone when the test is over. */
export function temporaryDirectory(parent: string = tmpdir()): string {
  const directory = realpathSync(mkdtempSync(join(parent, 'ots-test-')));
  onTestFinished(() => removeSync(directory));
  return directory;
}

/**
 * The same in memory, where that is possible: tests that write and remove thousands of files take half of the time. Programs
 * may not be allowed to run from there.
 */
export function temporaryDirectoryInMemory(): string {
  return temporaryDirectory(hasMemory() ? memoryPath : tmpdir());
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memoryPath);
    return bavail * bsize >= minFreeBytes;
  } catch {
    return false;
  }
}
