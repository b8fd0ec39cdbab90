import { describe, expect, test } from 'vitest';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';
import { execCredentialOf } from './exec-credential.ts';

const plugin = { apiVersion: 'client.authentication.k8s.io/v1', command: 'plugin' };
const secret = 'the-secret';
const pair = selfSignedCertificate({ names: ['me'] });
const other = selfSignedCertificate({ names: ['me'] });

const printed = (status: unknown, fields: object = {}): string =>
  JSON.stringify({ kind: 'ExecCredential', apiVersion: plugin.apiVersion, status, ...fields });

test('a credential contains a token or a certificate with its key, and the expiry', () => {
  expect(execCredentialOf(printed({ token: secret }), plugin)).toEqual({
    token: secret,
    keyPair: undefined,
    expiresAt: Infinity,
  });
  const expirationTimestamp = '2026-01-01T00:00:00+01:00';
  const data = { clientCertificateData: pair.cert, clientKeyData: pair.key, expirationTimestamp };
  expect(execCredentialOf(printed(data), plugin)).toEqual({
    token: undefined,
    keyPair: { cert: pair.cert, key: pair.key },
    expiresAt: Date.UTC(2025, 11, 31, 23),
  });
});

describe('errors say what is wrong, and never quote the output', () => {
  test.each([
    ['no output', '', 'printed something other'],
    ['no JSON', secret, 'printed something other'],
    ['null', 'null', 'printed something other'],
    ['another kind', printed({ token: secret }, { kind: 'Secret' }), 'printed something other'],
    [
      'another version',
      printed({ token: secret }, { apiVersion: `${plugin.apiVersion}beta1` }),
      'returned an apiVersion other than client.authentication.k8s.io/v1',
    ],
    ['an empty status', printed({}), 'neither a token nor a certificate'],
    ['no status', printed(null), 'neither a token nor a certificate'],
    ['a number for a token', printed({ token: 7 }), 'neither a token nor a certificate'],
    ['a key alone', printed({ token: secret, clientKeyData: secret }), 'only one of certificate and key'],
    [
      'a certificate alone',
      printed({ token: secret, clientCertificateData: secret }),
      'only one of certificate and key',
    ],
    [
      'a certificate that is not one',
      printed({ clientCertificateData: secret, clientKeyData: secret }),
      'do not match',
    ],
    [
      'the key of another certificate',
      printed({ clientCertificateData: pair.cert, clientKeyData: other.key }),
      'do not match',
    ],
    [
      'an expiry that is not a time',
      printed({ token: secret, expirationTimestamp: secret }),
      'expirationTimestamp that is not a time',
    ],
    ['a number for a time', printed({ token: secret, expirationTimestamp: 7 }), 'that is not a time'],
  ])('%s', (_, output, message) => {
    let error: unknown;
    try {
      execCredentialOf(output, plugin);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: 'CONNECTION_CONFIG', message: expect.stringContaining(message) });
    expect(JSON.stringify([String(error), error])).not.toContain(secret);
  });
});
