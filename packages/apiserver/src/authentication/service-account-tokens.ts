import { sign, verify } from 'node:crypto';
import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { ObjectMeta } from 'ots-kubernetes';
import type { Resource } from '../registry/resource.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';
import type { Random } from '../random/random.ts';
import { authenticatedGroup, serviceAccountGroups, serviceAccountUser } from './user-info.ts';
import { type Authentication, CredentialError } from './credential-error.ts';
import type { SigningKey } from './signing-key.ts';

/** The issuer of tokens, and the audience of tokens that name none: this server. */
export const tokenIssuer = 'https://kubernetes.default.svc.cluster.local';

/** An object by name, and the one of several with that name. */
export interface NamedObject {
  readonly name: string;
  readonly uid: string;
}

/** The objects that a token is valid as long as they exist. */
export interface TokenBinding {
  readonly pod?: NamedObject;
  readonly secret?: NamedObject;
  readonly node?: NamedObject;
}

/** What a token says, in the names of RFC 7519. Times are seconds since 1970. */
interface Claims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly nbf: number;
  readonly jti: string;
  readonly 'kubernetes.io': TokenBinding & {
    readonly namespace: string;
    readonly serviceaccount: NamedObject;
  };
}

/** How wrong the clocks of other machines may be: tokens and deleted objects are valid so much longer. */
const leewaySeconds = 60;

/** How many verified tokens are kept: checking a signature takes longer than most requests. */
const maxVerified = 1000;

/** Issues and checks the tokens of ServiceAccounts. They are JSON Web Tokens (RFC 7519), signed with a key of this server. */
export class ServiceAccountTokens {
  readonly #registry: ResourceRegistry;
  readonly #now: () => Date;
  readonly #random: Random;
  readonly #verified = new Map<string, Claims>();
  readonly #signingKey: SigningKey;

  constructor(
    registry: ResourceRegistry,
    { now, random, signingKey }: { now: () => Date; random: Random; signingKey: SigningKey },
  ) {
    this.#registry = registry;
    this.#signingKey = signingKey;
    this.#now = now;
    this.#random = random;
  }

  /**
   * Issues a token.
   *
   * @param seconds how long it is valid
   * @returns the token, its ID as audit annotations and users show it, and when it expires
   */
  issue(
    namespace: string,
    account: NamedObject,
    { audiences, seconds, binding }: { audiences: readonly string[]; seconds: number; binding: TokenBinding },
  ): { token: string; id: string; expires: Date } {
    const { privateKey, id: kid } = this.#signingKey.keys;
    const jti = this.#random.uuid();
    const issued = Math.floor(this.#now().getTime() / 1000);
    const claims = {
      aud: audiences,
      exp: issued + seconds,
      iat: issued,
      iss: tokenIssuer,
      jti,
      'kubernetes.io': { namespace, ...binding, serviceaccount: account },
      nbf: issued,
      sub: serviceAccountUser(namespace, account.name),
    };
    const signed = `${encode({ alg: 'ES256', kid })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return {
      token: `${signed}.${signature.toString('base64url')}`,
      id: credentialId(jti),
      expires: new Date((issued + seconds) * 1000),
    };
  }

  /**
   * Who a token is.
   *
   * @param audiences the audiences of which the token must have one
   * @returns undefined for a text that is not a token of this server
   * @throws {CredentialError} for a token of this server that is not valid
   */
  authenticate(token: string, audiences: readonly string[]): Authentication | undefined {
    const claims = this.#claimsOf(token);
    if (!claims) return undefined;
    const common = audiences.filter((audience) => claims.aud.includes(audience));
    if (common.length === 0) {
      const [given, wanted] = [claims.aud, audiences].map((list) => `[${list.map(goQuote).join(' ')}]`);
      throw new CredentialError(`token audiences ${given} is invalid for the target audiences ${wanted}`);
    }
    this.#checkTime(claims);
    this.#checkObjects(claims);
    return { user: userOf(claims), audiences: common };
  }

  /** The public key, as a JSON Web Key Set (RFC 7517). */
  get keySet(): { keys: object[] } {
    const { publicKey, id } = this.#signingKey.keys;
    const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
    return { keys: [{ use: 'sig', kty, kid: id, crv, alg: 'ES256', x, y }] };
  }

  /** Reads a token and checks its signature. Undefined if another server issued it. */
  #claimsOf(token: string): Claims | undefined {
    const known = this.#verified.get(token);
    if (known) return known;
    const [header = '', payload = '', signature, ...rest] = token.split('.');
    if (signature === undefined || rest.length > 0 || !isBase64Url(signature)) return undefined;
    const claims = decode(payload);
    const fields = header === '' ? {} : decode(header);
    if (claims?.['iss'] !== tokenIssuer || !fields) return undefined;
    const { publicKey, id } = this.#signingKey.keys;
    if ((fields['kid'] ?? id) !== id) throw new CredentialError('invalid signature, no keys found');
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const };
    if (!verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url')))
      throw new CredentialError('go-jose/go-jose: error in cryptographic primitive');
    if (this.#verified.size >= maxVerified) this.#verified.clear();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the signature says that this server wrote it
    this.#verified.set(token, claims as unknown as Claims);
    return this.#verified.get(token);
  }

  #checkTime({ exp, nbf }: Claims): void {
    const seconds = this.#now().getTime() / 1000;
    if (seconds + leewaySeconds < nbf) throw new CredentialError('service account token is not valid yet');
    if (seconds - leewaySeconds > exp) throw new CredentialError('service account token has expired');
  }

  /** A token ends with its ServiceAccount, and with the object that it is bound to. */
  #checkObjects({ 'kubernetes.io': { namespace, serviceaccount, secret, pod, node } }: Claims): void {
    const account = this.#find('serviceaccounts', `${namespace}/${serviceaccount.name}`);
    if (!account) throw new CredentialError(`serviceaccounts ${goQuote(serviceaccount.name)} not found`);
    if (account.uid !== serviceaccount.uid)
      throw new CredentialError(
        `service account UID (${account.uid}) does not match claim (${serviceaccount.uid})`,
      );
    if (this.#isDeleted(account))
      throw new CredentialError(`service account ${namespace}/${serviceaccount.name} has been deleted`);
    if (secret) this.#checkBound('secret', this.#find('secrets', `${namespace}/${secret.name}`), secret);
    if (pod) this.#checkBound('pod', this.#find('pods', `${namespace}/${pod.name}`), pod);
    else if (node) this.#checkBound('node', this.#find('nodes', node.name), node);
  }

  #checkBound(kind: 'secret' | 'pod' | 'node', found: ObjectMeta | undefined, { uid }: NamedObject): void {
    if (found && found.uid !== uid) {
      throw new CredentialError(
        `${kind} UID (${found.uid}) does not match service account ${kind} ref claim (${uid})`,
      );
    }
    if (!found || this.#isDeleted(found))
      throw new CredentialError('service account token has been invalidated');
  }

  /** Whether finalizers alone have kept an object for some time. */
  #isDeleted({ deletionTimestamp }: ObjectMeta): boolean {
    if (deletionTimestamp === undefined) return false;
    return Date.parse(deletionTimestamp) < this.#now().getTime() - leewaySeconds * 1000;
  }

  #find(plural: string, key: string): ObjectMeta | undefined {
    const resource: Resource | undefined = this.#registry.find('', 'v1', plural);
    return resource?.table.get(key)?.object.metadata;
  }
}

function userOf({
  jti,
  'kubernetes.io': { namespace, serviceaccount, pod, node },
}: Claims): Authentication['user'] {
  return {
    name: serviceAccountUser(namespace, serviceaccount.name),
    uid: serviceaccount.uid,
    groups: [...serviceAccountGroups(namespace), authenticatedGroup],
    extra: {
      ...extra('credential-id', credentialId(jti)),
      ...(node && { ...extra('node-name', node.name), ...extra('node-uid', node.uid) }),
      ...(pod && { ...extra('pod-name', pod.name), ...extra('pod-uid', pod.uid) }),
    },
  };
}

function credentialId(jti: string): string {
  return `JTI=${jti}`;
}

function extra(key: string, value: string): Record<string, string[]> {
  return { [`authentication.kubernetes.io/${key}`]: [value] };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Node decodes other characters, too, so that several tokens would mean the same. */
function isBase64Url(text: string): boolean {
  return /^[\w-]*$/.test(text);
}

function decode(part: string): JsonObject | undefined {
  if (!isBase64Url(part)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
