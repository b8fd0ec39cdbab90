import type { IncomingMessage } from 'node:http';

/** Whether a person reads the answer, judging by the parameter `pretty` or by the client program. */
export function wantsPretty({ url = '', headers }: IncomingMessage): boolean {
  const query = url.slice(url.indexOf('?') + 1);
  const pretty = query.includes('pretty=') ? new URLSearchParams(query).get('pretty') : '';
  if (pretty) return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(pretty);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '');
}
