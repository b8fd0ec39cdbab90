import type { Clock } from 'ots-apimachinery/clock/clock';
import type { ConnectionConfig } from '../../kubeconfig/connection-config.ts';
import { bearer } from './bearer.ts';
import { ExecPluginLogin } from './exec-plugin-login.ts';
import { FixedLogin } from './fixed-login.ts';
import { HeaderLogin } from './header-login.ts';
import type { LoginSource } from './login.ts';
import { TokenFileLogin } from './token-file-login.ts';

/**
 * Selects how a connection logs in. As in client-go, a plugin is the last resort: any other credentials win.
 * @param caText returns the current certificate authorities, for a plugin.
 */
export function loginOf(
  config: ConnectionConfig,
  clock: Clock,
  caText: () => string | undefined,
): LoginSource {
  const { token, tokenFile, username, password, headers, exec } = config;
  if (headers) return new HeaderLogin(headers);
  if (tokenFile) return new TokenFileLogin(tokenFile, token, clock);
  if (token) return new FixedLogin(bearer(token));
  if (username || password) return new FixedLogin(basic(username ?? '', password ?? ''));
  const hasCertificate = config.certData !== undefined || config.certFile !== undefined;
  if (exec && !hasCertificate) return new ExecPluginLogin({ exec, config, clock, caText });
  return new FixedLogin();
}

/** RFC 7617, section 2. */
function basic(username: string, password: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}
