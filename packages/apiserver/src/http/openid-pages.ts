import { type ServiceAccountTokens, tokenIssuer } from '../authentication/service-account-tokens.ts';
import { methodNotAllowed } from '../status/errors.ts';
import type { ApiRequest } from './api-request.ts';
import { checkDeclared } from './negotiate.ts';
import { type Reply, json } from './reply.ts';

const configurationPath = '/.well-known/openid-configuration';
const keysPath = '/openid/v1/jwks';
const keySetType = 'application/jwk-set+json';

/**
 * Answers the documents with which other programs verify the tokens of ServiceAccounts (OpenID Connect Discovery 1.0, RFC 7517).
 * Undefined for other paths.
 */
export function openIdPage(request: ApiRequest, tokens: ServiceAccountTokens): Reply | undefined {
  const { path } = request;
  if (path === configurationPath) return page(request, 'application/json', configuration(request));
  return path === keysPath ? page(request, keySetType, tokens.keySet) : undefined;
}

function page({ method, accept }: ApiRequest, contentType: string, document: object): Reply {
  if (method !== 'GET') throw methodNotAllowed();
  checkDeclared(accept, [contentType]);
  return { ...json(200, document), contentType, headers: { 'Cache-Control': 'public, max-age=3600' } };
}

function configuration({ origin }: ApiRequest): object {
  return {
    issuer: tokenIssuer,
    jwks_uri: `${origin}${keysPath}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  };
}
