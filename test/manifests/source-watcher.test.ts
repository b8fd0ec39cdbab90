import fs, { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, onTestFinished, vi } from 'vitest';
import { SourceWatcher } from '../../src/manifests/watch/source-watcher.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const quietMs = 5;

function project() {
  const root = temporaryDirectory();
  const watcher = new SourceWatcher(root, { src: '.ts' }, ['PROJECT']);
  onTestFinished(() => watcher.close());
  const write = (path: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), 'text');
  };
  /** Every reported path until there are `enough`, or until this one is among them: a busy system reports in parts. */
  const collectPaths = async (enough: number | string): Promise<string[]> => {
    const paths = new Set<string>();
    while (typeof enough === 'number' ? paths.size < enough : !paths.has(enough)) {
      for (const path of await watcher.next(quietMs)) paths.add(path);
    }
    return [...paths].toSorted();
  };
  /** Makes a change and waits until the system has reported it to every watcher. */
  const reported = async (directory: string, change: () => void): Promise<void> => {
    const event = new Promise<void>((resolve) => {
      const other = fs.watch(join(root, directory), () => {
        other.close();
        resolve();
      });
    });
    change();
    await event;
  };
  return { root, watcher, write, collectPaths, reported };
}

describe('the watcher of sources', () => {
  test('remembers changes while next is not called', async () => {
    const { watcher, write, reported } = project();
    write('src/api/a.ts');
    watcher.sync();
    await reported('src/api', () => write('src/api/a.ts'));
    expect(await watcher.next(quietMs)).toEqual(['src/api/a.ts']);
    await reported('src/api', () => write('src/api/b.ts'));
    expect(await watcher.next(quietMs)).toEqual(['src/api/b.ts']);
  });

  test('reports every relevant change and nothing else', async () => {
    const { root, watcher, write, collectPaths } = project();
    for (const path of ['src/b.ts', 'src/c/c.ts', 'README.md', 'config/x.ts']) write(path);
    watcher.sync();
    for (const path of ['src/c/notes.md', 'src/.b.ts.swp', 'README.md', 'config/x.ts', 'a.ts']) write(path);
    for (const path of ['src/c/c.ts', 'PROJECT', 'src/b.ts', 'src/b.ts', 'src/a.ts']) write(path);
    mkdirSync(join(root, 'src/d'));
    const changed = ['PROJECT', 'src/a.ts', 'src/b.ts', 'src/c/c.ts', 'src/d'];
    expect(await collectPaths(changed.length)).toEqual(changed);
  });

  test('waits for sources that do not exist yet', async () => {
    const { watcher, write } = project();
    watcher.sync();
    write('src/deep/a.ts');
    expect(await watcher.next(quietMs)).toEqual(['src']);
    watcher.sync();
    write('src/deep/a.ts');
    expect(await watcher.next(quietMs)).toEqual(['src/deep/a.ts']);
  });

  test('keeps watching when directories are created and removed', async () => {
    const { root, watcher, write, collectPaths } = project();
    for (let round = 0; round < 50; round++) {
      write('src/a/b/c.ts');
      watcher.sync();
      rmSync(join(root, 'src/a'), { recursive: true });
    }
    write('src/a/b/c.ts');
    watcher.sync();
    write('src/a/b/last.ts');
    expect(await collectPaths('src/a/b/last.ts')).toContain('src/a');
  });

  test('fails with a hint when the system has no more watches', () => {
    const { watcher } = project();
    const error = Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
      code: 'ENOSPC',
    });
    const spy = vi.spyOn(fs, 'watch').mockImplementation(() => {
      throw error;
    });
    onTestFinished(() => spy.mockRestore());
    expect(() => watcher.sync()).toThrow(
      expect.objectContaining({
        code: 'WATCH_FAILED',
        hint: expect.stringContaining('max_user_watches'),
        cause: error,
      }),
    );
  });
});
