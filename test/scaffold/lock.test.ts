import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diskFileSystem as fs } from '../../src/scaffold/file-system.ts';
import { Lock } from '../../src/scaffold/transaction/lock.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

function leaveLock(root: string, name: string, owner: object | string): void {
  mkdirSync(join(root, '.ots', name), { recursive: true });
  writeFileSync(
    join(root, '.ots', name, 'owner.json'),
    typeof owner === 'string' ? owner : JSON.stringify(owner),
  );
}

const deadOwner = { pid: 99_999_999, host: (await import('node:os')).hostname(), token: 'dead' };

describe('Lock', () => {
  test('is held by one process at a time and leaves nothing behind', async () => {
    const root = temporaryDirectory();
    let inside = 0;
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const lock = await Lock.acquire(fs, root);
        expect((inside += 1)).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        lock.release();
      }),
    );
    expect(readdirSync(root)).toEqual([]);
  });

  test('is taken over from a dead process by exactly one of many', async () => {
    const root = temporaryDirectory();
    leaveLock(root, 'lock', deadOwner);
    leaveLock(root, 'candidate-dead', deadOwner);
    let inside = 0;
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        const lock = await Lock.acquire(fs, root);
        expect((inside += 1)).toBe(1);
        expect(lock.held).toBe(true);
        inside -= 1;
        lock.release();
      }),
    );
    expect(readdirSync(root)).toEqual([]);
  });

  test.each([
    ['a half-written owner', '{"pid":'],
    ['an empty one', ''],
  ])('is taken over from %s', async (_, owner) => {
    const root = temporaryDirectory();
    leaveLock(root, 'lock', owner);
    const lock = await Lock.acquire(fs, root);
    expect(lock.held).toBe(true);
    lock.release();
  });

  test('gives up with the name of the owner on another host', async () => {
    const root = temporaryDirectory();
    leaveLock(root, 'lock', { pid: 1, host: 'elsewhere', token: 'x' });
    await expect(Lock.acquire(fs, root, { waitMs: 0 })).rejects.toMatchObject({
      code: 'PROJECT_LOCKED',
      message: 'The project is locked by process 1 on elsewhere',
    });
  });

  test('reports a directory that cannot be written', async () => {
    const root = temporaryDirectory();
    const readOnly = {
      ...fs,
      makeDirectory: () => {
        throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
      },
    };
    await expect(Lock.acquire(readOnly, root)).rejects.toThrow('read-only');
  });
});
