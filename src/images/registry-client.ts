import { createHash } from 'node:crypto';
import { OtsError } from '../errors/ots-error.ts';
import { reasonOf } from '../errors/reason-of.ts';
import { type Credentials, credentialsFor } from './credentials.ts';
import type { ImageReference } from './image-reference.ts';

/** An answer of a registry whose content is what its digest says. */
export interface Content {
  readonly mediaType: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  readonly bytes: Buffer;
}

const maxManifestBytes = 4 * 2 ** 20;
/** For one request, with its body. */
const timeoutMilliseconds = 120_000;
const attempts = 3;

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];

/**
 * Reads images from registries. The protocol: https://github.com/opencontainers/distribution-spec and, for tokens,
 * https://distribution.github.io/distribution/spec/auth/token. A registry on the loopback interface is asked over HTTP, others over HTTPS.
 */
export class RegistryClient {
  readonly #env: NodeJS.ProcessEnv;
  /** `Authorization` headers, by registry and repository. */
  readonly #authorizations = new Map<string, string>();

  /** @param env where credentials are: HOME, DOCKER_CONFIG, REGISTRY_AUTH_FILE */
  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  /**
   * The manifest or the index of an image.
   *
   * @param version another version than the one of the reference
   * @throws OtsError `IMAGE_PULL`, `CREDENTIALS`
   */
  async manifest(image: ImageReference, version: string = image.version): Promise<Content> {
    const { bytes, mediaType } = await this.#get(image, `manifests/${version}`, maxManifestBytes);
    const digest = digestOf(bytes);
    if (version.startsWith('sha256:')) checkDigest(image, version, digest);
    return { bytes, digest, mediaType };
  }

  /**
   * A layer or a configuration.
   *
   * @throws OtsError `IMAGE_PULL`, `CREDENTIALS`
   */
  async blob(image: ImageReference, digest: string, maxBytes: number): Promise<Buffer> {
    const { bytes } = await this.#get(image, `blobs/${digest}`, maxBytes);
    checkDigest(image, digest, digestOf(bytes));
    return bytes;
  }

  async #get(
    image: ImageReference,
    path: string,
    maxBytes: number,
  ): Promise<{ readonly mediaType: string; readonly bytes: Buffer }> {
    const url = `${originOf(image.registry)}/v2/${image.repository}/${path}`;
    const place = placeOf(image);
    let response = await this.#send(image, url);
    if (response.status === 401) {
      const authorization = await this.#authorize(image, response.headers.get('www-authenticate') ?? '');
      if (authorization !== undefined) {
        this.#authorizations.set(place, authorization);
        response = await this.#send(image, url);
      }
    }
    if (!response.ok) throw refusal(image, response.status);
    const bytes = await bodyOf(image, response, maxBytes);
    return { mediaType: (response.headers.get('content-type') ?? '').split(';')[0]!.trim(), bytes };
  }

  async #send(image: ImageReference, url: string): Promise<Response> {
    const authorization = this.#authorizations.get(placeOf(image));
    const headers = {
      accept: manifestTypes.join(', '),
      ...(authorization !== undefined && { authorization }),
    };
    return request(image, url, { headers });
  }

  /** @returns undefined if the registry asks for credentials that the user does not have */
  async #authorize(image: ImageReference, challenge: string): Promise<string | undefined> {
    const credentials = await credentialsFor(placeOf(image), this.#env);
    const [, scheme = '', rest = ''] = /^\s*(\w+)\s+(.*)$/s.exec(challenge) ?? [];
    if (scheme.toLowerCase() === 'basic')
      return credentials && 'username' in credentials ? basic(credentials) : undefined;
    if (scheme.toLowerCase() !== 'bearer') return undefined;
    const parameters = new Map(
      Array.from(rest.matchAll(/(\w+)\s*=\s*(?:"([^"]*)"|([^\s,]+))/g), ([, key = '', long, short]) => [
        key.toLowerCase(),
        long ?? short ?? '',
      ]),
    );
    const token = await tokenOf(image, parameters, credentials);
    return `Bearer ${token}`;
  }
}

function placeOf({ registry, repository }: ImageReference): string {
  return `${registry}/${repository}`;
}

function originOf(registry: string): string {
  const host = registry === 'docker.io' ? 'registry-1.docker.io' : registry;
  return `${isLoopback(host.replace(/:\d+$/, '')) ? 'http' : 'https'}://${host}`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function basic({ username, password }: { readonly username: string; readonly password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

async function tokenOf(
  image: ImageReference,
  parameters: ReadonlyMap<string, string>,
  credentials: Credentials | undefined,
): Promise<string> {
  const stated = parameters.get('realm') ?? '';
  const realm = URL.canParse(stated) ? new URL(stated) : undefined;
  // Credentials must not travel in the clear.
  if (!realm || (realm.protocol !== 'https:' && !isLoopback(realm.hostname)))
    throw pullError(image, `${image.registry} asks for a token from an address without HTTPS`, {
      hint: 'Use a registry whose tokens come over HTTPS.',
    });
  const asked = new URLSearchParams({
    service: parameters.get('service') ?? '',
    scope: parameters.get('scope') ?? `repository:${image.repository}:pull`,
  });
  const response =
    credentials && 'identityToken' in credentials
      ? await request(image, realm.href, {
          method: 'POST',
          body: new URLSearchParams([
            ...asked,
            ['grant_type', 'refresh_token'],
            ['client_id', 'ots'],
            ['refresh_token', credentials.identityToken],
          ]),
        })
      : await request(image, withQuery(realm, asked), {
          headers: credentials ? { authorization: basic(credentials) } : {},
        });
  if (!response.ok) throw refusal(image, response.status);
  const bytes = await bodyOf(image, response, maxManifestBytes);
  const { token, access_token: accessToken = token } = parseJson(image, bytes);
  if (typeof accessToken === 'string' && /^[\x21-\x7e]+$/.test(accessToken)) return accessToken;
  throw pullError(image, `${image.registry} gives a token that is not one`);
}

function withQuery(url: URL, parameters: URLSearchParams): string {
  const whole = new URL(url);
  for (const [key, value] of parameters) whole.searchParams.set(key, value);
  return whole.href;
}

/** A registry that is overloaded or restarts answers a little later. */
async function request(image: ImageReference, url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === attempts;
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMilliseconds) });
      if (isLast || (response.status < 500 && response.status !== 429)) return response;
      await response.body?.cancel();
    } catch (cause) {
      if (isLast) throw noAnswer(image, cause);
    }
    await new Promise((resolve) => setTimeout(resolve, 200 * 4 ** (attempt - 1)));
  }
}

async function bodyOf(image: ImageReference, { body }: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw noAnswer(image, cause);
  }
  if (size <= maxBytes) return Buffer.concat(chunks);
  throw pullError(image, `a part of the image is larger than ${maxBytes / 2 ** 20} MiB`, {
    hint: 'Name the image of a bundle: it contains some files only.',
  });
}

/**
 * Reads JSON from a registry.
 *
 * @throws OtsError `IMAGE_PULL`
 */
export function parseJson(image: ImageReference, bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // The same error.
  }
  throw pullError(image, `${image.registry} answers with something that is not JSON`);
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function checkDigest(image: ImageReference, wanted: string, found: string): void {
  if (wanted === found) return;
  throw pullError(image, `${image.registry} answers with the digest ${found} instead of ${wanted}`);
}

function noAnswer(image: ImageReference, cause: unknown): OtsError {
  const inner = cause instanceof Error && cause.cause ? cause.cause : cause;
  return pullError(image, `${image.registry} does not answer: ${reasonOf(inner)}`, {
    hint: 'Check the name of the registry, the network, and NODE_EXTRA_CA_CERTS if the registry has a certificate of its own.',
    cause,
  });
}

function refusal(image: ImageReference, status: number): OtsError {
  if (status === 404)
    return pullError(image, `${image.registry} does not have it`, {
      hint: 'Check its name and tag, and push it first.',
    });
  if (status === 401 || status === 403)
    return pullError(image, `${image.registry} refuses access, or does not have it`, {
      hint: `Check its name, or log in with docker login ${image.registry}.`,
    });
  return pullError(image, `${image.registry} answers with status ${status}`);
}

/** Why an image cannot be used. */
export function pullError(
  { registry, repository, version, isPinned }: ImageReference,
  problem: string,
  { hint = 'Try again, or use another registry.', cause }: { hint?: string; cause?: unknown } = {},
): OtsError {
  const name = `${registry}/${repository}${isPinned ? '@' : ':'}${version}`;
  return new OtsError('IMAGE_PULL', `The image ${name} cannot be read: ${problem}`, { hint, cause });
}
