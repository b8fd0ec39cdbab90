import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { OtsError } from '../errors/ots-error.ts';
import { reasonOf } from '../errors/reason-of.ts';
import { quoted } from '../project/names/quoted.ts';

/** What a registry knows a user by. */
export type Credentials =
  | { readonly username: string; readonly password: string }
  /** What an identity provider gave `docker login`: the registry exchanges it for an access token. */
  | { readonly identityToken: string };

/** Docker Hub, as `docker login` writes it. */
const dockerHub = ['docker.io', 'index.docker.io', 'registry-1.docker.io'];

interface AuthFile {
  readonly auths?: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;
  readonly credHelpers?: Readonly<Record<string, unknown>>;
  readonly credsStore?: unknown;
}

/**
 * The credentials of `docker login` or `podman login` for a repository. Files, the first that knows the registry wins: REGISTRY_AUTH_FILE,
 * the config.json of Docker (DOCKER_CONFIG, or .docker in the home directory), and auth.json of Podman.
 *
 * @param place the registry with the repository, such as `ghcr.io/acme/app`
 * @returns undefined without credentials
 * @throws OtsError `CREDENTIALS` if a file is malformed, or a credential helper cannot be run
 */
export async function credentialsFor(
  place: string,
  env: NodeJS.ProcessEnv,
): Promise<Credentials | undefined> {
  for (const file of authFiles(env)) {
    const read = await readAuthFile(file);
    const found = read && (await credentialsIn(read, place, file, env));
    if (found) return found;
  }
  return undefined;
}

function authFiles({
  REGISTRY_AUTH_FILE: stated,
  DOCKER_CONFIG: docker,
  XDG_RUNTIME_DIR: runtime,
  XDG_CONFIG_HOME: config,
  HOME: home,
  USERPROFILE: profile = home,
}: NodeJS.ProcessEnv): string[] {
  return [
    ...below(stated),
    ...(docker === undefined ? below(profile, '.docker', 'config.json') : below(docker, 'config.json')),
    ...below(runtime, 'containers', 'auth.json'),
    ...(config === undefined
      ? below(profile, '.config', 'containers', 'auth.json')
      : below(config, 'containers', 'auth.json')),
  ];
}

/** No path without a directory. */
function below(directory: string | undefined, ...names: string[]): string[] {
  return directory === undefined || directory === '' ? [] : [path.join(directory, ...names)];
}

async function readAuthFile(file: string): Promise<AuthFile | undefined> {
  let text;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(String((cause as NodeJS.ErrnoException).code))) return undefined;
    throw malformed(file, reasonOf(cause), cause);
  }
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read;
  } catch {
    // The message of the parser may quote a password.
  }
  throw malformed(file, 'it is not a JSON object');
}

function malformed(file: string, problem: string, cause?: unknown): OtsError {
  return new OtsError('CREDENTIALS', `The credentials in ${file} cannot be read: ${problem}`, {
    hint: 'Fix the file, or log in again with docker login or podman login.',
    cause,
  });
}

/** A helper for one registry wins over the entries, and they win over the helper for all registries. */
async function credentialsIn(
  { auths, credHelpers, credsStore }: AuthFile,
  place: string,
  file: string,
  env: NodeJS.ProcessEnv,
): Promise<Credentials | undefined> {
  const keys = keysOf(place);
  const helped = keys.find((key) => typeof credHelpers?.[key] === 'string');
  if (helped !== undefined) return fromHelper(String(credHelpers![helped]), helped, env);
  const known = new Map(Object.entries(auths ?? {}).map(([key, entry]) => [hostOf(key), { key, entry }]));
  const found = keys.map((key) => known.get(key)).find(Boolean);
  const stated = found?.entry && statedIn(found.entry, file);
  if (stated) return stated;
  if (typeof credsStore !== 'string' || credsStore === '') return undefined;
  const [registry = ''] = place.split('/');
  const server = found?.key ?? (registry === 'docker.io' ? 'https://index.docker.io/v1/' : registry);
  return fromHelper(credsStore, server, env);
}

/** The names under which a file may have an entry: Podman has them for paths, too. The longest first. */
function keysOf(place: string): string[] {
  const parts = place.split('/');
  const paths = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
  return parts[0] === 'docker.io' ? [...paths, ...dockerHub] : paths;
}

/** `https://index.docker.io/v1/` is an entry for `index.docker.io`. */
function hostOf(key: string): string {
  return key.replace(/^https?:\/\//, '').replace(/\/(?:v[12]\/?)?$/, '');
}

function statedIn(entry: Readonly<Record<string, unknown>>, file: string): Credentials | undefined {
  const { identitytoken, username, password, auth } = entry;
  if (typeof identitytoken === 'string' && identitytoken !== '') return { identityToken: identitytoken };
  if (typeof username === 'string' && typeof password === 'string' && username !== '')
    return { username, password };
  if (typeof auth !== 'string' || auth === '') return undefined;
  const text = Buffer.from(auth, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) throw malformed(file, 'an "auth" is not the base64 of <user>:<password>');
  // Docker pads with zeros.
  return { username: text.slice(0, colon), password: text.slice(colon + 1).replace(/\0+$/, '') };
}

/** Runs `docker-credential-<name> get`: https://github.com/docker/docker-credential-helpers. */
async function fromHelper(
  name: string,
  server: string,
  env: NodeJS.ProcessEnv,
): Promise<Credentials | undefined> {
  const program = `docker-credential-${name}`;
  if (!/^[\w.-]+$/.test(name)) throw noHelper(program, 'its name has characters that are not allowed');
  const { exitCode, stdout, failed, ...result } = await execa(program, ['get'], {
    input: server,
    env,
    extendEnv: false,
    reject: false,
    timeout: 30_000,
  });
  if (failed && /credentials not found/i.test(stdout)) return undefined;
  if (failed) throw noHelper(program, exitCode === undefined ? String(result.code) : `exit code ${exitCode}`);
  try {
    const { Username: username, Secret: password } = JSON.parse(stdout) as Record<string, unknown>;
    if (typeof username === 'string' && typeof password === 'string')
      return username === '<token>' ? { identityToken: password } : { username, password };
  } catch {
    // The message of the parser may quote a password.
  }
  throw noHelper(program, 'its output has no credentials');
}

function noHelper(program: string, problem: string): OtsError {
  return new OtsError('CREDENTIALS', `The credential helper ${quoted(program)} failed: ${problem}`, {
    hint: 'Check credHelpers and credsStore in the configuration of Docker, or log in with podman login.',
  });
}
