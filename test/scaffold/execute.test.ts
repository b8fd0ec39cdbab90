import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ExecuteOptions, execute } from '../../src/scaffold/execute.ts';
import type { FileSystem } from '../../src/scaffold/file-system.ts';
import type { Tree } from '../../src/scaffold/tree.ts';
import { watchedFileSystem } from '../support/faulty-file-system.ts';
import { snapshot } from '../support/snapshot.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const options = (root: string, rest: Partial<ExecuteOptions> = {}): ExecuteOptions => ({
  command: 'test',
  root,
  dryRun: false,
  force: false,
  ...rest,
});

const staging = (stage: (tree: Tree) => void) => async (tree: Tree) => {
  stage(tree);
  return { notes: [], nextSteps: [] };
};

/** A project with something to create, update, delete and move. */
function project(): string {
  const root = temporaryDirectory();
  mkdirSync(join(root, 'src/old'), { recursive: true });
  for (const [path, text] of [
    ['PROJECT', 'a: 1\n'],
    ['list.txt', 'one\n'],
    ['src/old/gone.txt', 'bye\n'],
  ] as const) {
    writeFileSync(join(root, path), text);
  }
  return root;
}

const work = staging((tree) => {
  tree.create('src/new/deep/file.txt', 'hello\n');
  tree.create('bin/run.sh', '#!/bin/sh\n', { executable: true });
  tree.edit('list.txt', (text) => `${text}two\n`);
  tree.remove('src/old/gone.txt');
  tree.generate('PROJECT', 'a: 2\n');
});

async function expected(): Promise<{ before: Record<string, string>; after: Record<string, string> }> {
  const root = project();
  const before = snapshot(root);
  await execute(options(root), work);
  return { before, after: snapshot(root) };
}

describe('execute', () => {
  test('creates, updates and deletes files, and removes empty folders and temporary files', async () => {
    const { after } = await expected();
    expect(Object.keys(after)).toEqual([
      'PROJECT',
      'bin/',
      'bin/run.sh',
      'list.txt',
      'src/',
      'src/new/',
      'src/new/deep/',
      'src/new/deep/file.txt',
    ]);
    expect(after['bin/run.sh']).toMatch(/^100755 /);
    expect(after['list.txt']).toContain('one\ntwo\n');
  });

  test('plans the same again as no change', async () => {
    const root = project();
    const first = await execute(options(root), work);
    expect(first.changes.map(({ path, action }) => `${action} ${path}`)).toEqual([
      'update PROJECT',
      'create bin/run.sh',
      'update list.txt',
      'create src/new/deep/file.txt',
      'delete src/old/gone.txt',
    ]);
    const again = await execute(
      options(root),
      staging((tree) => tree.create('bin/run.sh', '#!/bin/sh\n')),
    );
    expect(again.changes).toEqual([]);
    expect(again.unchanged).toEqual(['bin/run.sh']);
  });

  test('writes nothing in a dry run, not even a lock', async () => {
    const root = project();
    const before = snapshot(root);
    const fs = watchedFileSystem((_, operation, path) => {
      throw new Error(`${operation} ${path}`);
    });
    const plan = await execute(options(root, { dryRun: true, fs }), work);
    expect(plan.changes).toHaveLength(5);
    expect(snapshot(root)).toEqual(before);
  });

  test('refuses to overwrite edited files, names all of them, and overwrites them with force', async () => {
    const root = project();
    writeFileSync(join(root, 'mine.txt'), 'mine');
    const before = snapshot(root);
    const overwrite = staging((tree) => {
      tree.create('list.txt', 'theirs');
      tree.create('mine.txt', 'theirs');
      tree.create('new.txt', 'new');
    });
    await expect(execute(options(root), overwrite)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { paths: ['list.txt', 'mine.txt'] },
    });
    expect(snapshot(root)).toEqual(before);
    const plan = await execute(options(root, { force: true }), overwrite);
    expect(plan.changes.filter((change) => change.forced).map((change) => change.path)).toEqual([
      'list.txt',
      'mine.txt',
    ]);
    expect(readFileSync(join(root, 'mine.txt'), 'utf8')).toBe('theirs');
  });

  test('keeps the permissions of a file that it updates', async () => {
    const root = project();
    rmSync(join(root, 'list.txt'));
    writeFileSync(join(root, 'list.txt'), 'one\n', { mode: 0o600 });
    await execute(options(root), work);
    expect(snapshot(root)['list.txt']).toMatch(/^100600 /);
  });

  test('restores everything when any single operation fails', async () => {
    const { before, after } = await expected();
    for (let failing = 1; ; failing++) {
      const root = project();
      let reached = false;
      const fs = watchedFileSystem((count, operation) => {
        if (count !== failing) return;
        reached = true;
        throw Object.assign(new Error(`${operation}: no space left`), { code: 'ENOSPC' });
      });
      const outcome = await execute(options(root, { fs }), work).catch((error: unknown) => error);
      if (!reached) break;
      pretendToBeDead(root);
      await execute(
        options(root),
        staging(() => {}),
      );
      expect([before, after], `operation ${failing}`).toContainEqual(snapshot(root));
      if (outcome instanceof Error) expect(snapshot(root), `operation ${failing}`).toEqual(before);
      else expect(snapshot(root), `operation ${failing}`).toEqual(after);
    }
  });

  test('reports a failed rollback, which the next command completes', async () => {
    const { before } = await expected();
    const root = project();
    let broken = false;
    const fs = watchedFileSystem((_, operation, path) => {
      if (path.endsWith('new/2')) broken = operation === 'rename';
      if (broken) throw Object.assign(new Error('disk gone'), { code: 'EIO' });
    });
    await expect(execute(options(root, { fs }), work)).rejects.toMatchObject({ code: 'ROLLBACK_FAILED' });
    pretendToBeDead(root);
    const plan = await execute(
      options(root),
      staging(() => {}),
    );
    expect(plan.notes).toEqual([expect.stringContaining('completed')]);
    expect(snapshot(root)).not.toEqual(before);
  });
});

/** In a test the process that "died" is this one: give what it left to a process that does not exist. */
function pretendToBeDead(root: string): void {
  if (!existsSync(join(root, '.ots'))) return;
  for (const name of readdirSync(join(root, '.ots'))) {
    const file = join(root, '.ots', name, 'owner.json');
    if (existsSync(file))
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"pid":\d+/, '"pid":99999999'));
  }
}

/** Lets a run die at its N-th operation: everything after it does nothing. */
function dyingFileSystem(at: number): { fs: FileSystem; died: () => boolean } {
  let dead = false;
  const fs = watchedFileSystem((count) => {
    if (count >= at) dead = true;
    if (dead) throw new Error('killed');
  });
  return { fs, died: () => dead };
}

/** Runs the work and dies when it is about to put this file in its place. */
async function killBefore(root: string, path: string): Promise<void> {
  let dead = false;
  const fs = watchedFileSystem(() => {
    if (dead) throw new Error('killed');
  });
  const dying: FileSystem = {
    ...fs,
    rename: (from, to) => {
      dead ||= to === join(root, path);
      fs.rename(from, to);
    },
  };
  await execute(options(root, { fs: dying }), work).catch(() => {});
}

describe('recovery', () => {
  test('completes or reverts a run that died at any operation', async () => {
    const { before, after } = await expected();
    const outcomes = new Set<string>();
    for (let at = 1; ; at++) {
      const root = project();
      const { fs, died } = dyingFileSystem(at);
      await execute(options(root, { fs }), work).catch(() => {});
      if (!died()) break;
      pretendToBeDead(root);
      const { notes } = await execute(
        options(root),
        staging(() => {}),
      );
      expect([before, after], `operation ${at}`).toContainEqual(snapshot(root));
      outcomes.add(notes[0] ?? 'nothing');
    }
    expect([...outcomes]).toEqual(['nothing', expect.stringContaining('completed')]);
  });

  test('keeps what the author wrote after the kill and reverts the rest', async () => {
    const root = project();
    await killBefore(root, 'list.txt');
    writeFileSync(join(root, 'list.txt'), 'edited since\n');
    pretendToBeDead(root);
    const { notes } = await execute(
      options(root),
      staging(() => {}),
    );
    expect(notes).toEqual([expect.stringContaining('reverted')]);
    expect(Object.keys(snapshot(root))).toEqual([
      'PROJECT',
      'list.txt',
      'src/',
      'src/old/',
      'src/old/gone.txt',
    ]);
    expect(readFileSync(join(root, 'list.txt'), 'utf8')).toBe('edited since\n');
  });

  test('keeps what the author wrote into a file that was done already', async () => {
    const root = project();
    await killBefore(root, 'PROJECT');
    writeFileSync(join(root, 'list.txt'), 'edited since\n');
    pretendToBeDead(root);
    const { notes } = await execute(
      options(root),
      staging(() => {}),
    );
    expect(notes).toEqual([expect.stringContaining('completed')]);
    expect(readFileSync(join(root, 'list.txt'), 'utf8')).toBe('edited since\n');
    expect(readFileSync(join(root, 'PROJECT'), 'utf8')).toBe('a: 2\n');
  });

  test('is not done by a dry run, which reports it', async () => {
    const root = project();
    await killBefore(root, 'PROJECT');
    await expect(execute(options(root, { dryRun: true }), work)).rejects.toMatchObject({
      code: 'INTERRUPTED',
    });
  });

  test('refuses when a file changes between plan and write', async () => {
    const root = project();
    const change = async (tree: Tree) => {
      const staged = await work(tree);
      tree.changes();
      writeFileSync(join(root, 'list.txt'), 'meanwhile\n');
      return staged;
    };
    await expect(execute(options(root), change)).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' });
    expect(Object.keys(snapshot(root))).toEqual([
      'PROJECT',
      'list.txt',
      'src/',
      'src/old/',
      'src/old/gone.txt',
    ]);
  });
});

describe('paths', () => {
  test.each(['../out.txt', '/etc/out.txt', 'a/../../out.txt', 'a//b', './a', 'a\0b'])(
    'refuses %j',
    async (path) => {
      const root = project();
      await expect(
        execute(
          options(root),
          staging((tree) => tree.create(path, 'x')),
        ),
      ).rejects.toMatchObject({
        code: 'PATH_OUTSIDE_PROJECT',
      });
    },
  );

  test('refuses a link out of the project and a dangling link', async () => {
    const root = project();
    const outside = temporaryDirectory();
    symlinkSync(outside, join(root, 'link'));
    symlinkSync(join(root, 'nowhere'), join(root, 'dangling'));
    symlinkSync(join(outside, 'file'), join(root, 'file'));
    for (const [path, code] of [
      ['link/x', 'PATH_OUTSIDE_PROJECT'],
      ['dangling', 'DANGLING_LINK'],
      ['file', 'DANGLING_LINK'],
    ] as const) {
      await expect(
        execute(
          options(root),
          staging((tree) => tree.create(path, 'x')),
        ),
      ).rejects.toMatchObject({ code });
    }
    expect(snapshot(outside)).toEqual({});
  });

  test('writes through a link inside the project and keeps the link', async () => {
    const root = project();
    symlinkSync('list.txt', join(root, 'alias.txt'));
    symlinkSync('src', join(root, 'source'));
    await execute(
      options(root),
      staging((tree) => {
        tree.edit('alias.txt', (text) => `${text}two\n`);
        tree.create('source/new.txt', 'new\n');
      }),
    );
    expect(snapshot(root)).toMatchObject({
      'alias.txt': 'link',
      'list.txt': expect.stringContaining('one\ntwo\n'),
      'src/new.txt': expect.stringContaining('new'),
    });
  });

  test('refuses a file where a directory is needed, and a directory where a file is', async () => {
    const root = project();
    await expect(
      execute(
        options(root),
        staging((tree) => tree.create('list.txt/x', 'x')),
      ),
    ).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
    await expect(
      execute(
        options(root),
        staging((tree) => tree.create('src', 'x')),
      ),
    ).rejects.toMatchObject({ code: 'NOT_A_FILE' });
  });
});
