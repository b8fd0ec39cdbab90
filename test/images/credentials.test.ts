import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { credentialsFor } from '../../src/images/credentials.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let home: string;
beforeEach(() => {
  home = temporaryDirectory();
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const find = (place: string, env: NodeJS.ProcessEnv = {}) =>
  credentialsFor(place, { HOME: home, PATH: process.env['PATH'], ...env });

async function write(file: string, content: unknown): Promise<void> {
  const absolute = path.join(home, file);
  await mkdir(path.dirname(absolute), { recursive: true });
  await writeFile(absolute, typeof content === 'string' ? content : JSON.stringify(content));
}

describe('credentials', () => {
  test('are optional', async () => expect(await find('ghcr.io/acme/app')).toBeUndefined());

  test.each([
    ['ghcr.io', 'ghcr.io/acme/app'],
    ['https://ghcr.io', 'ghcr.io/acme/app'],
    ['https://ghcr.io/v2/', 'ghcr.io/acme/app'],
    ['https://index.docker.io/v1/', 'docker.io/library/memcached'],
    ['docker.io', 'docker.io/library/memcached'],
    ['ghcr.io/acme', 'ghcr.io/acme/app'],
    ['localhost:5000', 'localhost:5000/app'],
  ])('for %s are those of %s', async (key, place) => {
    await write('.docker/config.json', { auths: { 'other.io': {}, [key]: { auth: base64('ada:a:b') } } });
    expect(await find(place)).toEqual({ username: 'ada', password: 'a:b' });
  });

  test('for a path win over those for the registry', async () => {
    const auths = { 'ghcr.io': { auth: base64('a:1') }, 'ghcr.io/acme/app': { auth: base64('b:2') } };
    await write('.docker/config.json', { auths });
    expect(await find('ghcr.io/acme/app')).toEqual({ username: 'b', password: '2' });
    expect(await find('ghcr.io/acme/other')).toEqual({ username: 'a', password: '1' });
  });

  test('may be the token of an identity provider', async () => {
    await write('.docker/config.json', { auths: { 'ghcr.io': { auth: base64('x:'), identitytoken: 't' } } });
    expect(await find('ghcr.io/a')).toEqual({ identityToken: 't' });
  });

  test('are those of the first file that has some', async () => {
    const entry = (user: string) => ({ auths: { 'ghcr.io': { auth: base64(`${user}:p`) } } });
    await write('.config/containers/auth.json', entry('podman'));
    expect(await find('ghcr.io/a')).toMatchObject({ username: 'podman' });
    await write('.docker/config.json', entry('docker'));
    expect(await find('ghcr.io/a')).toMatchObject({ username: 'docker' });
    await write('elsewhere/config.json', entry('chosen'));
    expect(await find('ghcr.io/a', { DOCKER_CONFIG: path.join(home, 'elsewhere') })).toMatchObject({
      username: 'chosen',
    });
    await write('auth.json', entry('first'));
    expect(await find('ghcr.io/a', { REGISTRY_AUTH_FILE: path.join(home, 'auth.json') })).toMatchObject({
      username: 'first',
    });
  });

  test.each([['{"auths": {"ghcr.io": {"auth": "cGFzc3dvcmQ'], ['[]'], ['null'], ['']])(
    'in a file that is %j are an error with its name, and without its content',
    async (text) => {
      await write('.docker/config.json', text);
      const error = (await find('ghcr.io/a').catch((caught: unknown) => caught)) as Error;
      expect(error).toMatchObject({ code: 'CREDENTIALS', message: expect.stringContaining('config.json') });
      expect(error.message).not.toContain('cGFzc3dvcmQ');
    },
  );
});

describe('a credential helper', () => {
  /** Installs a helper that writes what it is asked into a file. */
  async function install(script: string): Promise<NodeJS.ProcessEnv> {
    await write('bin/docker-credential-tea', `#!/bin/sh\ncat > "$HOME/asked"\n${script}\n`);
    await chmod(path.join(home, 'bin/docker-credential-tea'), 0o755);
    return { PATH: `${path.join(home, 'bin')}:${process.env['PATH']}` };
  }

  test('is asked for its registry, or for all', async () => {
    const env = await install(`echo '{"ServerURL":"x","Username":"ada","Secret":"s"}'`);
    await write('.docker/config.json', { credHelpers: { 'ghcr.io': 'tea' } });
    expect(await find('ghcr.io/a', env)).toEqual({ username: 'ada', password: 's' });
    expect(await find('quay.io/a', env)).toBeUndefined();
    await write('.docker/config.json', { credsStore: 'tea', auths: { 'quay.io': {} } });
    expect(await find('quay.io/a', env)).toEqual({ username: 'ada', password: 's' });
  });

  test('may give the token of an identity provider', async () => {
    const env = await install(`echo '{"Username":"<token>","Secret":"s"}'`);
    await write('.docker/config.json', { credsStore: 'tea' });
    expect(await find('ghcr.io/a', env)).toEqual({ identityToken: 's' });
  });

  test('may not know the registry', async () => {
    const env = await install('echo credentials not found in native keychain; exit 1');
    await write('.docker/config.json', { credsStore: 'tea' });
    expect(await find('ghcr.io/a', env)).toBeUndefined();
  });

  test.each([
    ['fails', 'exit 3', 'tea', 'exit code 3'],
    ['prints a secret that is not JSON', 'echo my-secret', 'tea', 'its output has no credentials'],
    ['does not exist', '', 'coffee', 'ENOENT'],
    ['has a name that is a path', '', '../tea', 'characters that are not allowed'],
  ])('that %s is an error', async (_, script, name, problem) => {
    const env = await install(script);
    await write('.docker/config.json', { credsStore: name });
    const error = (await find('ghcr.io/a', env).catch((caught: unknown) => caught)) as Error;
    expect(error).toMatchObject({ code: 'CREDENTIALS', message: expect.stringContaining(problem) });
    expect(error.message).not.toContain('my-secret');
  });
});
