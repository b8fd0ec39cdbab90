import { X509Certificate, createHash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { clientAuth, userUidType } from 'ots-apimachinery/certificates/x509';
import { type UserInfo, authenticated } from './user-info.ts';
import { CredentialError } from './credential-error.ts';

const anyPurpose = '2.5.29.37.0';

/** A certificate of which everything except its time has been checked. */
interface CheckedCertificate {
  readonly validFrom: number;
  readonly validTo: number;
  /** Undefined for a certificate without a name, which says nothing about its owner. */
  readonly user: UserInfo | undefined;
  /** Why the certificate is not valid. */
  readonly problem?: string;
}

/** Finds out who clients are by their certificates: the common name is the user, the organizations are the groups. */
export class ClientCertificates {
  readonly #readAuthority: () => string;
  readonly #now: () => Date;
  /** Checking a signature takes longer than most requests. */
  readonly #checked = new WeakMap<TLSSocket, CheckedCertificate | 'none'>();
  #authority: X509Certificate | undefined;

  /** @param readAuthority returns the certificate that signs those of clients, in PEM; called for the first one */
  constructor(readAuthority: () => string, now: () => Date) {
    this.#readAuthority = readAuthority;
    this.#now = now;
  }

  /**
   * Who a client is.
   *
   * @returns undefined for a client without a certificate, or with one that names no user
   * @throws {CredentialError} for a certificate that is not valid
   */
  userOf(socket: TLSSocket): UserInfo | undefined {
    let checked = this.#checked.get(socket);
    if (!checked) {
      const certificate = socket.getPeerX509Certificate();
      checked = certificate ? this.#check(certificate) : 'none';
      this.#checked.set(socket, checked);
    }
    if (checked === 'none') return undefined;
    const now = this.#now().getTime();
    if (now < checked.validFrom) throw new CredentialError('the certificate is not valid yet');
    if (now > checked.validTo) throw new CredentialError('the certificate has expired');
    if (checked.problem !== undefined) throw new CredentialError(checked.problem);
    return checked.user;
  }

  #check(certificate: X509Certificate): CheckedCertificate {
    const times = {
      validFrom: Date.parse(certificate.validFrom),
      validTo: Date.parse(certificate.validTo),
    };
    try {
      this.#checkSignature(certificate);
      return { ...times, user: userNamedIn(certificate) };
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error;
      return { ...times, user: undefined, problem: error.message };
    }
  }

  /** The authority signs no other authorities, so a chain has two certificates. */
  #checkSignature(certificate: X509Certificate): void {
    const authority = (this.#authority ??= new X509Certificate(this.#readAuthority()));
    if (!certificate.checkIssued(authority) || !certificate.verify(authority.publicKey))
      throw new CredentialError('another authority signed the certificate');
    const purposes: readonly string[] | undefined = certificate.keyUsage;
    const isForClients =
      purposes?.some((purpose) => purpose === clientAuth || purpose === anyPurpose) ?? true;
    if (!isForClients) throw new CredentialError('the certificate is not for clients');
  }
}

/** The attributes of the subject, in their order; those of one type are together. */
function userNamedIn(certificate: X509Certificate): UserInfo | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of Node declares strings only
  const subject = certificate.toLegacyObject().subject as unknown as Readonly<
    Record<string, string | string[] | undefined>
  >;
  const valuesOf = (type: string) => [subject[type] ?? []].flat();
  const name = valuesOf('CN').at(-1) ?? '';
  if (name === '') return undefined;
  const uids = valuesOf(userUidType);
  if (uids.length > 1) throw new CredentialError('the certificate has more than one UID');
  if (uids[0] === '') throw new CredentialError('the certificate has an empty UID');
  const fingerprint = createHash('sha256').update(certificate.raw).digest('hex');
  return authenticated({
    name,
    groups: valuesOf('O'),
    ...(uids[0] !== undefined && { uid: uids[0] }),
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
  });
}
